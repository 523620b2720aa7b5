/**
 * The message bus of the simulation: the real bus in memory, which reports every message to the judge
 * (`runtime-simulation-judge.ts`).
 */

import type { Message, Outcome, Reply } from "../../../../actors/runtime/actor-messages.ts";
import { type Bus, type Consumer, formatAddress, MemoryBus } from "../../../../actors/runtime/index.ts";
import type { Judge } from "../model/runtime-simulation-judge.ts";
import type { SimulatedClock } from "../model/simulated-clock.ts";

const keyOf = ({ id, replyTo, expires }: Message) => `${id} ${replyTo} ${expires}`;

export class WatchedBus implements Bus {
  readonly #clock: SimulatedClock;
  readonly #inner: MemoryBus;
  readonly #judge: Judge;
  readonly #capacity: number;
  /** For each actor, the commands that were sent to it and are not acknowledged yet. */
  readonly #mailboxes = new Map<string, Set<string>>();
  readonly #replied = new Set<string>();

  constructor(clock: SimulatedClock, judge: Judge, capacity: number) {
    this.#inner = new MemoryBus({ clock, mailboxCapacity: () => capacity });
    this.#clock = clock;
    this.#judge = judge;
    this.#capacity = capacity;
  }

  async enqueue(message: Message): Promise<void> {
    await this.#inner.enqueue(message);
    const mailbox = this.#mailboxes.get(formatAddress(message.to)) ?? new Set();
    this.#mailboxes.set(formatAddress(message.to), mailbox.add(keyOf(message)));
    this.#judge.waiting(formatAddress(message.to), mailbox.size, this.#capacity);
  }

  consume(shard: number, fence: number, { take, replaced: deposed }: Consumer): Promise<() => void> {
    return this.#inner.consume(shard, fence, {
      replaced: deposed,
      take: ({ message, ack }) =>
        take({
          message,
          ack: () => {
            const actor = formatAddress(message.to);
            this.#mailboxes.get(actor)?.delete(keyOf(message));
            const expired = message.expires !== undefined && this.#clock.now() > message.expires;
            const answered = expired || this.#replied.has(`${actor} ${message.id}`);
            this.#judge.acknowledged(actor, message.id, answered);
            ack();
          },
        }),
    });
  }

  request(subject: string, payload: unknown, timeout: number): Promise<Outcome> {
    return this.#inner.request(subject, payload, timeout);
  }

  respond(subject: string, answer: (payload: unknown) => Promise<Outcome>): () => void {
    return this.#inner.respond(subject, answer);
  }

  publish(topic: string, event: unknown): void {
    if (topic.startsWith("_inbox.")) {
      // Topics of inboxes carry only replies to commands. A reply with the error `store.unavailable` does not count
      // as a reply, because the command waits for the store and gets another reply.
      const { from, id, outcome } = event as Reply;
      if (outcome.ok || outcome.error.code !== "store.unavailable") this.#replied.add(`${from} ${id}`);
    }
    this.#inner.publish(topic, event);
  }

  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    return this.#inner.subscribe(pattern, listen);
  }

  onPatterns(tell: (patterns: readonly string[]) => void): () => void {
    return this.#inner.onPatterns(tell);
  }

  onRecovered(listen: () => void): () => void {
    return this.#inner.onRecovered(listen);
  }
}
