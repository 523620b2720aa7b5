/**
 * The bus of the simulation as everyone uses it: the real memory bus, with the judge looking on.
 */
import { type Bus, type Consumer, formatAddress, MemoryBus } from "../../../../actors/runtime/index.ts";
import type { Message, Outcome, Reply } from "../../../../actors/runtime/message.ts";
import type { Judge } from "../model/judge.ts";
import type { SimulatedClock } from "../model/simulated-clock.ts";

const keyOf = ({ id, replyTo, expires }: Message) => `${id} ${replyTo} ${expires}`;

export class WatchedBus implements Bus {
  readonly #clock: SimulatedClock;
  readonly #inner: MemoryBus;
  readonly #judge: Judge;
  readonly #capacity: number;
  /** What was taken into each actor's mailbox and not acknowledged yet. */
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

  consume(shard: number, fence: number, { take, deposed }: Consumer): Promise<() => void> {
    return this.#inner.consume(shard, fence, {
      deposed,
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
      const { from, id, outcome } = event as Reply; // Only replies go to an inbox.
      // That the store is away is no answer to a command: it has to wait until it is back.
      if (outcome.ok || outcome.error.code !== "store.unavailable") this.#replied.add(`${from} ${id}`);
    }
    this.#inner.publish(topic, event);
  }

  subscribe(pattern: string, listen: (event: unknown, topic: string) => void): () => void {
    return this.#inner.subscribe(pattern, listen);
  }

  interest(tell: (patterns: readonly string[]) => void): () => void {
    return this.#inner.interest(tell);
  }

  recovered(listen: () => void): () => void {
    return this.#inner.recovered(listen);
  }
}
