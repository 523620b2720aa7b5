/**
 * Operates a running Cairn: actors, dead letters, nodes and metrics. Lists are read from the store; a single
 * actor is read from the worker that owns it.
 */
import { Refused } from "../../machines/errors.ts";
import { inspectionLimits } from "../../machines/inspection/actor-inspection-limits.ts";
import { masked } from "../../machines/inspection/mask-secrets-for-inspection.ts";
import { type MetricFamily, mergeMetrics } from "../../machines/runtime/metric-counters.ts";
import type {
  ActorDetail,
  ActorList,
  CommandSent,
  DeadLetter,
  DeadLetters,
  Discarded,
  ListActors,
  ListDeadLetters,
  Nodes,
  Replayed,
  SendCommand,
  Unparked,
} from "../../machines/runtime/runtime-administration-schemas.ts";
import { maskTyped } from "../../machines/session/build-session-events.ts";
import { maskWalkValues } from "../../machines/walk/redact-walk-values.ts";
import type { ActorStore, DeadLetterRow } from "../../store/index.ts";
import {
  type ActorSystem,
  actorNotFound,
  address,
  formatAddress,
  letterNotFound,
  parseAddress,
} from "../runtime/index.ts";

const moment = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The functions of the node that the operations service calls. */
interface OperatedNode {
  /** Returns the reports of all nodes. */
  nodes(): Promise<Nodes["nodes"]>;
  /**
   * Throws when the store is unreachable or full, so that the caller gets this reason and does not wait for a
   * timeout.
   */
  ping(): Promise<void>;
  /** Returns the metrics of every thread of this node. */
  metrics(): Promise<readonly MetricFamily[]>;
}

export class OperationsService {
  readonly #system: ActorSystem;
  readonly #store: ActorStore;
  readonly #node: OperatedNode;

  constructor(system: ActorSystem, store: ActorStore, node: OperatedNode) {
    this.#system = system;
    this.#store = store;
    this.#node = node;
  }

  async nodes(): Promise<Nodes> {
    return { nodes: await this.#node.nodes() };
  }

  /** Returns the metrics of this node only. A metrics collector requests them from each node. */
  async metrics(): Promise<readonly MetricFamily[]> {
    return mergeMetrics(await this.#node.metrics());
  }

  async actors({ kind, state, order, limit, cursor }: ListActors): Promise<ActorList> {
    const isByTime = order === "updated";
    // One more actor than requested is read. When this actor exists, there is a further page of actors.
    const heads = await this.#store.list({
      kind,
      state,
      order: isByTime ? order : undefined,
      limit: limit + 1,
      after: cursor === undefined ? undefined : parseCursor(cursor),
    });
    const shown = heads.slice(0, limit);
    const last = shown.at(-1);
    return {
      actors: shown.map(({ wake_at, updated_at, ...head }) => ({
        ...head,
        wake_at: wake_at === null ? null : moment(wake_at),
        updated_at: moment(updated_at),
      })),
      next_cursor: last && heads.length > limit && !isByTime ? formatAddress(last) : null,
    };
  }

  async actor(kind: string, id: string): Promise<ActorDetail> {
    const target = address(kind, id);
    // A query to an actor that does not exist would create it. So the store is checked first, and a missing
    // actor is reported.
    if (!(await this.#store.load(target))) throw actorNotFound(formatAddress(target));
    // The cast is safe: the actor protocol defines this type for the reply to `inspect`, and the gateway's
    // output schema checks it.
    return (await this.#system.operate(target, { type: "inspect" })) as ActorDetail;
  }

  /** Sends a command to an actor. The actor system checks it against the schema of the actor's kind. */
  async send({ kind, id, type, fields }: SendCommand, commandId?: string): Promise<CommandSent> {
    const target = address(kind, id);
    // A command to an actor that does not exist would create the actor. So a mistyped address is reported
    // before the command is sent.
    if (!(await this.#store.load(target))) throw actorNotFound(formatAddress(target));
    await this.#node.ping();
    const options = commandId === undefined ? {} : { id: commandId };
    const reply = await this.#system.ask(target, { ...fields, type }, options);
    return { kind, id, command: type, reply: masked(reply) };
  }

  async unpark(kind: string, id: string): Promise<Unparked> {
    const target = address(kind, id);
    if (!(await this.#store.load(target))) throw actorNotFound(formatAddress(target));
    await this.#node.ping();
    // The actor protocol defines the type of the reply, so the cast is safe.
    return (await this.#system.operate(target, { type: "unpark" })) as Unparked;
  }

  async deadLetters({ limit, cursor }: ListDeadLetters): Promise<DeadLetters> {
    const letters = await this.#store.deadLetters({ limit: limit + 1, after: cursor });
    const shown = letters.slice(0, limit);
    return {
      dead_letters: shown.map(shownLetter),
      next_cursor: letters.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  }

  async replay(id: string): Promise<Replayed> {
    const letter = await this.#store.deadLetter(id);
    if (!letter) throw letterNotFound(id);
    const target = address(letter.kind, letter.actor_id);
    await this.#node.ping();
    // The actor protocol defines the type of the reply, so the cast is safe.
    return (await this.#system.operate(target, { type: "replay", letter: id })) as Replayed;
  }

  async discard(id: string): Promise<Discarded> {
    if (!(await this.#store.removeDeadLetter(id))) throw letterNotFound(id);
    return { id, discarded: true };
  }
}

function parseCursor(cursor: string) {
  try {
    return parseAddress(cursor);
  } catch (cause) {
    throw new Refused(
      "request.invalid",
      "The cursor is none of a list of actors. Take next_cursor as it is.",
      {
        status: 422,
        cause,
      },
    );
  }
}

const ITEMS: readonly DeadLetter["item"][] = ["command", "effect", "notify", "timer", "sent"];

/**
 * Functions that mask typed text in messages, by actor kind. Only the caller that typed a text may see it.
 */
const MASKS: ReadonlyMap<string, (message: unknown) => unknown> = new Map([
  ["session", maskTyped],
  ["walk", maskWalkValues],
]);

function shownLetter(row: DeadLetterRow): DeadLetter {
  const { id, kind, actor_id, error_code, error_message, attempts, at } = row;
  // The actor runtime wrote this JSON (`runtime/core/actor-message-batch.ts`). The shape of its fields
  // depends on the type of the message, so they are read without a type.
  const message: unknown = JSON.parse(row.message);
  const fields: Readonly<Record<string, unknown>> = Object(message);
  const inner: Readonly<Record<string, unknown>> = Object(fields.item);
  const { type } = Object(fields.body) as { readonly type?: unknown };
  const item =
    type === "unreadable" ? type : type !== undefined ? "command" : ITEMS.find((name) => name === inner.kind);
  return {
    id,
    kind,
    actor_id,
    item: item ?? "unreadable",
    command_id: item === "command" && typeof fields.id === "string" ? fields.id : null,
    message: masked(MASKS.get(kind)?.(message) ?? message, inspectionLimits.context),
    error: { code: error_code, message: error_message },
    attempts,
    at: moment(at),
  };
}
