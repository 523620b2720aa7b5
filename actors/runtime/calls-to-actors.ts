/**
 * The interface of actors for callers: ask, tell, query and watch. It is the same in every worker and node.
 */

import type {
  CommandOf,
  KindProtocol,
  QueryName,
  QueryParams,
  QueryResult,
  ReplyOf,
} from "../../machines/actor-kind-protocol.ts";
import { asCairnError, type CairnError, Refused, TimedOut, Unavailable } from "../../machines/errors.ts";
import { type Address, address, formatAddress, shardOf } from "./actor-address.ts";
import { type CommandBody, type Message, type Outcome, type Reply, unwrap } from "./actor-messages.ts";
import { askLimits } from "./actor-runtime-limits.ts";
import { type Bus, INBOX } from "./drivers/message-bus.ts";
import {
  type Operation,
  type OperationRequest,
  type QueryRequest,
  querySubject,
} from "./requests-to-shard-owner-types.ts";
import { type Clock, pause } from "./runtime-clock.ts";

export interface AskOptions {
  /** The id of the command. A command that is sent again with the same id after a timeout is applied once. */
  readonly id?: string;
  /** Milliseconds to wait for the outcome. A command that has not started after this time is not run. */
  readonly timeout?: number;
  /**
   * Cancels the command. A waiting command does not run, and every caller of its id gets `actor.cancelled`.
   * When the command is running, its machine gets the event `cairn.cancelled`, and the call ends with the
   * outcome.
   */
  readonly signal?: AbortSignal;
  /**
   * The addresses of the actors that wait for the outcome, if an effect sends the command. Each actor in the
   * list waits for the next, and the last actor runs the effect.
   */
  readonly askers?: readonly string[];
}

/** Error codes which mean that a shard has no responder at the moment. */
const ABSENT_RESPONDER: ReadonlySet<string> = new Set(["bus.no_responder", "actor.not_here"]);
const BUS_UNAVAILABLE = "bus.unavailable";

/** A caller that waits for the outcome of a command. */
interface Waiting {
  /** The address of the actor that received the command, as `kind/id`. */
  readonly from: string;
  readonly settle: (outcome: Outcome) => void;
}

type AskArguments =
  | readonly [kind: string, id: string, command: CommandBody, options?: AskOptions]
  | readonly [target: Address, body: CommandBody, options?: AskOptions];

function isByKind<Args extends readonly unknown[]>(
  args: Args,
): args is Extract<Args, readonly [string, ...unknown[]]> {
  return typeof args[0] === "string";
}

function readAsk(args: AskArguments): readonly [Address, CommandBody, AskOptions | undefined] {
  return isByKind(args) ? [address(args[0], args[1]), args[2], args[3]] : [args[0], args[1], args[2]];
}

type QueryArguments =
  | readonly [kind: string, id: string, query: string, params: unknown, timeout?: number]
  | readonly [target: Address, query: string, params?: unknown, timeout?: number];

function readQuery(args: QueryArguments): readonly [Address, string, unknown, number | undefined] {
  return isByKind(args)
    ? [address(args[0], args[1]), args[2], args[3], args[4]]
    : [args[0], args[1], args[2] ?? null, args[3]];
}

/**
 * Sends commands and queries to actors, and subscribes to events.
 * @typeParam P the protocols of the kinds by name, which give the types of `ask`, `tell` and `query`
 */
export class ActorSystem<
  P extends Readonly<Record<string, KindProtocol>> = Readonly<Record<never, KindProtocol>>,
> {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #inbox: string;
  readonly #validate: (kind: string, command: CommandBody) => void;
  /**
   * The callers that wait for an outcome, by command id. Commands to different actors may have the same id,
   * so each entry also names its actor (`from`).
   */
  readonly #waiting = new Map<string, readonly Waiting[]>();
  /** Commands that were sent and have no outcome yet. */
  readonly #openCommands = new Set<Message>();
  readonly #stopListening: () => void;
  readonly #stopRepeating: () => void;

  /**
   * Creates the actor system of one caller.
   * @param name unique among the callers on a bus
   * @param validate throws when a kind does not accept a command
   */
  constructor(
    bus: Bus,
    clock: Clock,
    name: string,
    validate: (kind: string, command: CommandBody) => void = () => {},
  ) {
    this.#validate = validate;
    this.#bus = bus;
    this.#clock = clock;
    this.#inbox = `${INBOX}${name}`;
    this.#stopListening = bus.subscribe(this.#inbox, (event) => {
      const { id, from, outcome } = event as Reply;
      for (const waiting of this.#waiting.get(id) ?? []) if (waiting.from === from) waiting.settle(outcome);
    });
    this.#stopRepeating = bus.onRecovered(() => {
      // If sending a command again fails, the error is ignored. Either the broker still has the first
      // message, or the call times out.
      for (const message of this.#openCommands) bus.enqueue(message).catch(() => {});
    });
  }

  /**
   * Sends a command and waits until its outcome is durable. Returns the reply of the machine. Throws the
   * refusal of the machine, `actor.mailbox_full`, or `actor.timeout` when the outcome is not known in time.
   */
  ask<K extends keyof P & string, C extends CommandOf<P[K]>>(
    kind: K,
    id: string,
    command: C,
    options?: AskOptions,
  ): Promise<ReplyOf<P[K], C["type"]>>;
  /**
   * Sends a command to an actor by its address. The method serves actor kinds without a protocol, so the
   * command and the reply have no precise type.
   */
  ask(target: Address, body: CommandBody, options?: AskOptions): Promise<unknown>;
  async ask(...args: readonly unknown[]): Promise<never> {
    // The machine created the reply, and the protocol of its kind gives the reply's type, so the cast is
    // safe.
    const [target, body, options] = readAsk(args as AskArguments);
    this.#validate(target.kind, body);
    // The machine created the reply, and its protocol gives the type, so the cast is safe.
    return (await this.#ask(target, body, options)) as never;
  }

  async #ask(target: Address, body: CommandBody, options: AskOptions = {}): Promise<unknown> {
    const id = options.id ?? crypto.randomUUID();
    const timeout = options.timeout ?? askLimits.timeout;
    const from = formatAddress(target);
    const expires = this.#clock.now() + timeout + askLimits.clockTolerance;
    const { signal, askers } = options;
    const message: Message = {
      id,
      to: target,
      body,
      replyTo: this.#inbox,
      expires,
      ...(askers ? { askers } : {}),
    };
    if (signal?.aborted)
      throw new Refused("actor.cancelled", "The command was cancelled and not sent.", { status: 409 });
    // A failed cancellation is ignored. The command then runs or expires, and its outcome reaches the caller.
    const cancelAtOwner = () =>
      void this.operate(target, { type: "cancel", command: id }, askLimits.cancelWithin).catch(() => {});
    signal?.addEventListener("abort", cancelAtOwner, { once: true });
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const end = () => {
        cancel();
        this.#forget(id, waiting);
        this.#openCommands.delete(message);
        signal?.removeEventListener("abort", cancelAtOwner);
      };
      const fail = (error: CairnError) => {
        end();
        reject(error);
      };
      const settle = (answer: Outcome) => {
        end();
        resolve(answer);
      };
      const cancel = this.#clock.after(timeout, () => {
        const late = `${from} did not answer ${body.type} within ${timeout} ms. Ask again with id ${id}.`;
        fail(new TimedOut("actor.timeout", late, { details: { id } }));
      });
      const waiting: Waiting = { from, settle };
      const others = this.#waiting.get(id);
      this.#waiting.set(id, others ? [...others, waiting] : [waiting]);
      this.#openCommands.add(message);
      this.#bus.enqueue(message).catch((error) => fail(asCairnError(error)));
    });
    return unwrap(outcome);
  }

  #forget(id: string, waiting: Waiting): void {
    const all = this.#waiting.get(id);
    const others = all && all.length > 1 ? all.filter((other) => other !== waiting) : [];
    if (others.length > 0) this.#waiting.set(id, others);
    else if (all?.[0] === waiting) this.#waiting.delete(id);
  }

  /** Queries the owner of an actor. A query commits nothing. */
  query<K extends keyof P & string, Q extends QueryName<P[K]>>(
    kind: K,
    id: string,
    query: Q,
    params: QueryParams<P[K], Q>,
    timeout?: number,
  ): Promise<QueryResult<P[K], Q>>;
  /**
   * Queries an actor by its address. It serves actor kinds without a protocol, so the parameters and the
   * result have no precise type.
   */
  query(target: Address, query: string, params?: unknown, timeout?: number): Promise<unknown>;
  async query(...args: readonly unknown[]): Promise<never> {
    // The casts are safe: the overloads of `query` accept only these arguments, and the protocol of the actor
    // kind determines the result.
    const [target, query, params, timeout = askLimits.timeout] = readQuery(args as QueryArguments);
    return (await this.#askOwner(target, { to: formatAddress(target), query, params }, timeout)) as never;
  }

  /** Runs an operation on an actor at its owner: show it, put it back in service, or replay a dead letter. */
  async operate(
    target: Address,
    operation: Operation,
    timeout: number = askLimits.timeout,
  ): Promise<unknown> {
    return await this.#askOwner(target, { to: formatAddress(target), operation }, timeout);
  }

  async #askOwner(
    target: Address,
    request: QueryRequest | OperationRequest,
    timeout: number,
  ): Promise<unknown> {
    const until = this.#clock.monotonic() + timeout;
    for (;;) {
      try {
        return unwrap(await this.#bus.request(querySubject(shardOf(target)), request, timeout));
      } catch (error) {
        // While a shard changes its owner, it has no responder, so the request is repeated. When the
        // connection broke after the request was sent, only requests that change nothing are repeated.
        const isAbsent = error instanceof Unavailable && ABSENT_RESPONDER.has(error.code);
        const isRepeatable =
          "query" in request && error instanceof Unavailable && error.code === BUS_UNAVAILABLE;
        const between = isAbsent || isRepeatable;
        if (!between || this.#clock.monotonic() >= until) throw error;
        await pause(this.#clock, askLimits.pollEvery);
      }
    }
  }

  /** Subscribes to events by a topic pattern, until the returned function is called. Events may be lost. */
  watch(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    return this.#bus.subscribe(pattern, listen);
  }

  close(): void {
    this.#stopListening();
    this.#stopRepeating();
  }
}
