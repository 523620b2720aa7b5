/**
 * What a caller needs of the actors: ask, tell, query, watch. The same from any worker, node or edge.
 */
import { asCairnError, type CairnError, Refused, TimedOut, Unavailable } from "../../machines/errors.ts";
import { type Address, formatAddress, shardOf } from "./address.ts";
import { type Clock, pause } from "./clock.ts";
import { type Bus, INBOX } from "./drivers/bus.ts";
import type { Operation, OperationRequest } from "./host/actor-operations.ts";
import { type QueryRequest, querySubject } from "./host/owner-requests.ts";
import { askLimits } from "./limits.ts";
import { type CommandBody, type Message, type Outcome, type Reply, unwrap } from "./message.ts";

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

/** Who waits for a command's outcome. */
interface Waiting {
  /** The actor that was asked, as `kind/id`. */
  readonly from: string;
  readonly settle: (outcome: Outcome) => void;
}

export class ActorSystem {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #inbox: string;
  /** By the command's id; the same id given to two actors is two commands. */
  readonly #waiting = new Map<string, readonly Waiting[]>();
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
      for (const waiting of this.#waiting.get(id) ?? []) if (waiting.from === from) waiting.settle(outcome);
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
    const timeout = options.timeout ?? askLimits.timeout;
    const from = formatAddress(target);
    const expires = this.#clock.now() + timeout + askLimits.lateBy;
    const message = { id, to: target, body, replyTo: this.#inbox, expires };
    const { signal } = options;
    if (signal?.aborted)
      throw new Refused("actor.cancelled", "It was cancelled, and not sent.", { status: 409 });
    // Unheard, the command is run or expires, and the caller is told which it was.
    const tellOwner = () =>
      void this.operate(target, { type: "cancel", command: id }, askLimits.cancelWithin).catch(() => {});
    signal?.addEventListener("abort", tellOwner, { once: true });
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const end = () => {
        cancel();
        this.#forget(id, waiting);
        this.#asked.delete(message);
        signal?.removeEventListener("abort", tellOwner);
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
      this.#asked.add(message);
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

  /** Sends a command; resolves once it is durable, whatever the machine answers to it. */
  async tell(target: Address, body: CommandBody, options: AskOptions = {}): Promise<void> {
    await this.ask(target, body, options);
  }

  /** Asks the owner for something that commits nothing. */
  async query(
    target: Address,
    query: string,
    params: unknown = null,
    timeout: number = askLimits.timeout,
  ): Promise<unknown> {
    return await this.#askOwner(target, { to: formatAddress(target), query, params }, timeout);
  }

  /** Has an actor's owner do something with it that is not the actor's own: look at it, unpark it, replay a letter. */
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
        // Between two owners of its shard an actor has nobody to speak for it. Who was not heard asks on; who may have
        // been heard, when the bus broke off, asks again only what changes nothing.
        const unheard = error instanceof Unavailable && UNHEARD.has(error.code);
        const brokenOff = "query" in request && error instanceof Unavailable && error.code === BROKEN_OFF;
        const between = unheard || brokenOff;
        if (!between || this.#clock.monotonic() >= until) throw error;
        await pause(this.#clock, askLimits.lookAgain);
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
