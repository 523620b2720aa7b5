/**
 * What a caller needs of the actors: ask, tell, query, watch. The same from any worker, node or edge.
 */
import { asCairnError, Refused, TimedOut, Unavailable } from "../../machines/errors.ts";
import { limits } from "../../machines/limits.ts";
import { type Address, formatAddress, shardOf } from "./address.ts";
import { type Bus, INBOX } from "./bus.ts";
import { type Clock, pause } from "./clock.ts";
import { type CommandBody, type Message, type Outcome, type Reply, unwrap } from "./message.ts";
import type { Operation, OperationRequest } from "./operations.ts";
import { type QueryRequest, querySubject } from "./requests.ts";

export interface AskOptions {
  /** The command's identity; ask again with the same one after a time-out and it is still applied once. */
  readonly id?: string;
  /** Milliseconds. A command that has not begun by then is not run. */
  readonly timeout?: number;
  /**
   * Cancels it. Still waiting, it is not run and the ask rejects with `actor.cancelled`, as it does for everyone who
   * asks with its id; already run, its machine is told (`cairn.cancelled`) and the ask ends with what came of it.
   */
  readonly signal?: AbortSignal;
}

/** Who answers for a shard is not there now, and will be. */
const UNHEARD: ReadonlySet<string> = new Set(["bus.no_responder", "actor.not_here"]);
const BROKEN_OFF = "bus.unavailable";

export class ActorSystem {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #inbox: string;
  readonly #waiting = new Map<string, Set<(outcome: Outcome) => void>>();
  /** The commands that wait for their answers. */
  readonly #asked = new Set<Message>();
  readonly #stopListening: () => void;
  readonly #stopRepeating: () => void;

  /** `name` is unique among the callers on a bus. */
  constructor(bus: Bus, clock: Clock, name: string) {
    this.#bus = bus;
    this.#clock = clock;
    this.#inbox = `${INBOX}${name}`;
    this.#stopListening = bus.subscribe(this.#inbox, (event) => {
      const { id, from, outcome } = event as Reply;
      const key = `${from}#${id}`;
      for (const settle of this.#waiting.get(key) ?? []) settle(outcome);
      this.#waiting.delete(key);
    });
    this.#stopRepeating = bus.recovered(() => {
      // One that cannot be repeated is answered all the same, or times out.
      for (const message of this.#asked) bus.enqueue(message).catch(() => {});
    });
  }

  /**
   * Sends a command and waits until what it caused is durable. Answers the machine's reply; throws the typed
   * error it refused with, `actor.mailbox_full`, or `actor.timeout` when the outcome is not known in time.
   */
  async ask(target: Address, body: CommandBody, options: AskOptions = {}): Promise<unknown> {
    const id = options.id ?? crypto.randomUUID();
    const timeout = options.timeout ?? limits.ask.timeout;
    // The same id given to two actors is two commands.
    const key = `${formatAddress(target)}#${id}`;
    const expires = this.#clock.now() + timeout + limits.ask.lateBy;
    const message = { id, to: target, body, replyTo: this.#inbox, expires };
    const { signal } = options;
    if (signal?.aborted)
      throw new Refused("actor.cancelled", "It was cancelled, and not sent.", { status: 409 });
    // Unheard, the command is run or expires, and the caller is told which it was.
    const tellOwner = () =>
      void this.operate(target, { type: "cancel", command: id }, limits.ask.cancelWithin).catch(() => {});
    signal?.addEventListener("abort", tellOwner, { once: true });
    this.#asked.add(message);
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const settle = (answer: Outcome) => {
        cancel();
        resolve(answer);
      };
      const forget = () => {
        const waiting = this.#waiting.get(key);
        waiting?.delete(settle);
        if (waiting?.size === 0) this.#waiting.delete(key);
      };
      const cancel = this.#clock.after(timeout, () => {
        forget();
        reject(
          new TimedOut(
            "actor.timeout",
            `${formatAddress(target)} did not answer ${body.type} within ${timeout} ms. Ask again with id ${id}.`,
            { details: { id } },
          ),
        );
      });
      const waiting = this.#waiting.get(key) ?? new Set();
      waiting.add(settle);
      this.#waiting.set(key, waiting);
      this.#bus.enqueue(message).catch((error) => {
        cancel();
        forget();
        reject(asCairnError(error));
      });
    }).finally(() => {
      this.#asked.delete(message);
      signal?.removeEventListener("abort", tellOwner);
    });
    return unwrap(outcome);
  }

  /** Sends a command; resolves once it is durable, whatever the machine answers to it. */
  async tell(target: Address, body: CommandBody, options: AskOptions = {}): Promise<void> {
    await this.ask(target, body, options);
  }

  /** Asks the owner for something that commits nothing. */
  async query(
    target: Address,
    query: string,
    params: unknown = null,
    timeout: number = limits.ask.timeout,
  ): Promise<unknown> {
    return await this.#askOwner(target, { to: formatAddress(target), query, params }, timeout);
  }

  /** Has an actor's owner do something with it that is not the actor's own: look at it, unpark it, replay a letter. */
  async operate(
    target: Address,
    operation: Operation,
    timeout: number = limits.ask.timeout,
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
        // Between two owners of its shard an actor has nobody to speak for it. Who was not heard asks on; who may have
        // been heard, when the bus broke off, asks again only what changes nothing.
        const unheard = error instanceof Unavailable && UNHEARD.has(error.code);
        const brokenOff = "query" in request && error instanceof Unavailable && error.code === BROKEN_OFF;
        const between = unheard || brokenOff;
        if (!between || this.#clock.monotonic() >= until) throw error;
        await pause(this.#clock, limits.ask.lookAgain);
      }
    }
  }

  /** Hears events by topic pattern; lossy. The answer ends it. */
  watch(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    return this.#bus.subscribe(pattern, listen);
  }

  close(): void {
    this.#stopListening();
    this.#stopRepeating();
  }
}
