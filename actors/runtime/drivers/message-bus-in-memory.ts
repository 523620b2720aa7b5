/**
 * The message bus of a single process: queues, requests and topics in memory.
 * `message-bus-over-thread-port.ts` makes it available to other threads. A crash loses the queues, which is
 * harmless: messages without an outcome are sent again.
 */
import { Overloaded, TimedOut, Unavailable } from "../../../machines/errors.ts";
import { formatAddress, shardOf } from "../actor-address.ts";
import { failure, type Message, type Outcome } from "../actor-messages.ts";
import { mailboxLimits } from "../actor-runtime-limits.ts";
import { type Clock, systemClock } from "../runtime-clock.ts";
import { type Bus, type Consumer, topicMatches } from "./message-bus.ts";

interface ShardQueue {
  /** The messages that are not acknowledged yet, by id and in the order of arrival. */
  readonly waiting: Map<string, Message>;
  /**
   * The current owner of the queue. An earlier owner gets no more messages, but may still acknowledge
   * messages that it has received.
   */
  owner: Owner | undefined;
}

interface Owner {
  readonly fence: number;
  readonly consumer: Consumer;
  stopped: boolean;
}

/**
 * Returns the key of a message in its queue. Messages with the same command but another caller or deadline
 * have different keys, so the queue keeps both. The actor executes the command once and answers each message.
 */
const queueKey = ({ to, id, replyTo = "", expires }: Message) =>
  `${formatAddress(to)}#${id}#${replyTo}#${expires ?? ""}`;

export class MemoryBus implements Bus {
  readonly #clock: Clock;
  readonly #mailboxCapacity: (kind: string) => number;
  readonly #queues = new Map<number, ShardQueue>();
  readonly #mailboxes = new Map<string, number>();
  readonly #responders = new Map<string, (payload: unknown) => Promise<Outcome>>();
  readonly #exact = new Map<string, Set<(event: unknown, topic: string) => void>>();
  readonly #patterns = new Map<string, Set<(event: unknown, topic: string) => void>>();
  readonly #patternListeners = new Set<(patterns: readonly string[]) => void>();

  constructor(options: { readonly clock?: Clock; readonly mailboxCapacity?: (kind: string) => number } = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#mailboxCapacity = options.mailboxCapacity ?? (() => mailboxLimits.capacity);
  }

  async enqueue(message: Message): Promise<void> {
    const shard = shardOf(message.to);
    const queue = this.#queue(shard);
    const key = queueKey(message);
    if (queue.waiting.has(key)) return;
    const mailbox = formatAddress(message.to);
    const waiting = this.#mailboxes.get(mailbox) ?? 0;
    const capacity = this.#mailboxCapacity(message.to.kind);
    if (waiting >= capacity) {
      throw new Overloaded(
        "actor.mailbox_full",
        `${mailbox} has ${waiting} commands waiting, as many as it takes. Try again in a moment.`,
        { details: { actor: mailbox, capacity } },
      );
    }
    this.#mailboxes.set(mailbox, waiting + 1);
    queue.waiting.set(key, message);
    this.#deliver(queue, key, message);
  }

  async consume(shard: number, fence: number, consumer: Consumer): Promise<() => void> {
    const queue = this.#queue(shard);
    const before = queue.owner;
    if (before && before.fence > fence) {
      throw new Unavailable("bus.stale_consumer", `Shard ${shard} is consumed with a newer fence.`);
    }
    const owner = { fence, consumer, stopped: false };
    queue.owner = owner;
    if (before && !before.stopped) before.consumer.replaced();
    for (const [key, message] of [...queue.waiting]) this.#deliver(queue, key, message);
    return () => {
      owner.stopped = true;
    };
  }

  async request(subject: string, payload: unknown, timeout: number): Promise<Outcome> {
    const answer = this.#responders.get(subject);
    if (!answer) throw new Unavailable("bus.no_responder", `${subject} has no responder at the moment.`);
    return await new Promise<Outcome>((resolve, reject) => {
      const cancel = this.#clock.after(timeout, () =>
        reject(new TimedOut("bus.timeout", `No answer from ${subject} within ${timeout} ms.`)),
      );
      answer(payload)
        .catch(failure)
        .then((outcome) => {
          cancel();
          resolve(outcome);
        });
    });
  }

  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void {
    this.#responders.set(subject, answer);
    return () => {
      if (this.#responders.get(subject) === answer) this.#responders.delete(subject);
    };
  }

  publish(topic: string, event: unknown): void {
    for (const listen of this.#exact.get(topic) ?? []) listen(event, topic);
    for (const [pattern, listeners] of this.#patterns) {
      if (topicMatches(pattern, topic)) for (const listen of listeners) listen(event, topic);
    }
  }

  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    const table = /[*>]/.test(pattern) ? this.#patterns : this.#exact;
    const listeners = table.get(pattern) ?? new Set();
    listeners.add(listen);
    if (table.get(pattern) !== listeners) {
      table.set(pattern, listeners);
      this.#reportPatterns();
    }
    return () => {
      listeners.delete(listen);
      if (listeners.size > 0 || table.get(pattern) !== listeners) return;
      table.delete(pattern);
      this.#reportPatterns();
    };
  }

  onPatterns(listen: (patterns: readonly string[]) => void): () => void {
    this.#patternListeners.add(listen);
    listen(this.#subscribed());
    return () => {
      this.#patternListeners.delete(listen);
    };
  }

  /** Never calls `listen`, because a single process has no connection to a broker that could be restored. */
  onRecovered(_listen: () => void): () => void {
    return () => {};
  }

  #subscribed(): readonly string[] {
    return [...this.#exact.keys(), ...this.#patterns.keys()];
  }

  #reportPatterns(): void {
    if (this.#patternListeners.size === 0) return;
    const patterns = this.#subscribed();
    for (const listen of this.#patternListeners) listen(patterns);
  }

  #queue(shard: number): ShardQueue {
    let queue = this.#queues.get(shard);
    if (!queue) {
      queue = { waiting: new Map(), owner: undefined };
      this.#queues.set(shard, queue);
    }
    return queue;
  }

  #deliver(queue: ShardQueue, key: string, message: Message): void {
    const { owner } = queue;
    if (!owner || owner.stopped) return;
    owner.consumer.take({
      message,
      ack: () => {
        // An owner that was replaced may still acknowledge a message. The message must stay in the queue,
        // because the new owner receives it too.
        if (queue.owner !== owner || !queue.waiting.delete(key)) return;
        const mailbox = formatAddress(message.to);
        const waiting = (this.#mailboxes.get(mailbox) ?? 1) - 1;
        if (waiting > 0) this.#mailboxes.set(mailbox, waiting);
        else this.#mailboxes.delete(mailbox);
      },
    });
  }
}
