/**
 * Operating a running Cairn: its actors, its dead letters, its nodes, as `machines/runtime/protocol.ts` shows them.
 *
 * Lists come from the store; what one actor is, and what is done with it, from the actor's owner. Neighbours:
 * `node.ts` has one of these, `runtime/operations.ts` is the other end.
 */
import { Refused } from "../../machines/errors.ts";
import { inspectionLimits } from "../../machines/inspection/limits.ts";
import { masked } from "../../machines/inspection/masking.ts";
import { type MetricFamily, mergeMetrics } from "../../machines/runtime/metrics.ts";
import type {
  ActorDetail,
  ActorList,
  DeadLetter,
  DeadLetters,
  Discarded,
  ListActors,
  ListDeadLetters,
  Nodes,
  Replayed,
  Unparked,
} from "../../machines/runtime/protocol.ts";
import { maskTyped } from "../../machines/session/session-events.ts";
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

/** What the desk asks of its node. */
interface DeskNode {
  /** What every node says of itself. */
  nodes(): Promise<Nodes["nodes"]>;
  /** Throws when there is no store, or no room in it: what is to be written would only wait, and nobody know why. */
  ping(): Promise<void>;
  /** What every thread of this node counts. */
  metrics(): Promise<readonly MetricFamily[]>;
}

export class OperationsService {
  readonly #system: ActorSystem;
  readonly #store: ActorStore;
  readonly #node: DeskNode;

  constructor(system: ActorSystem, store: ActorStore, node: DeskNode) {
    this.#system = system;
    this.#store = store;
    this.#node = node;
  }

  async nodes(): Promise<Nodes> {
    return { nodes: await this.#node.nodes() };
  }

  /** Of this node alone: whoever gathers them asks each. */
  async metrics(): Promise<readonly MetricFamily[]> {
    return mergeMetrics(await this.#node.metrics());
  }

  async actors({ kind, state, limit, cursor }: ListActors): Promise<ActorList> {
    // One more than asked for tells whether there is a next page.
    const heads = await this.#store.list({
      kind,
      state,
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
      next_cursor: last && heads.length > limit ? formatAddress(last) : null,
    };
  }

  async actor(kind: string, id: string): Promise<ActorDetail> {
    const target = address(kind, id);
    // A look must not bring an actor into memory that was never there.
    if (!(await this.#store.load(target))) throw actorNotFound(formatAddress(target));
    // The owner answers what the protocol says; its shape is checked by the gateway's output schema.
    return (await this.#system.operate(target, { type: "inspect" })) as ActorDetail;
  }

  async unpark(kind: string, id: string): Promise<Unparked> {
    const target = address(kind, id);
    if (!(await this.#store.load(target))) throw actorNotFound(formatAddress(target));
    await this.#node.ping();
    return (await this.#system.operate(target, { type: "unpark" })) as Unparked; // As above.
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
    return (await this.#system.operate(target, { type: "replay", letter: id })) as Replayed; // As above.
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

function shownLetter(row: DeadLetterRow): DeadLetter {
  const { id, kind, actor_id, error_code, error_message, attempts, at } = row;
  const message: unknown = JSON.parse(row.message); // Written by `runtime/batch.ts`.
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
    // What was typed in a session is its caller's own.
    message: masked(kind === "session" ? maskTyped(message) : message, inspectionLimits.context),
    error: { code: error_code, message: error_message },
    attempts,
    at: moment(at),
  };
}
