/**
 * The subscriptions of the other nodes, so that events without a subscriber are not sent.
 * Each node announces its patterns when they change, when a new node asks, and periodically, so that those of
 * a dead node are forgotten.
 */

import { busLimits } from "../../limits.ts";
import { SubscriptionIndex } from "../subscription-index.ts";
import type { BrokerConnection } from "./connection.nats.ts";

const HEARS = "cairn.control.hears";
const WHO = "cairn.control.who";

interface Announcement {
  readonly by: string;
  readonly patterns: readonly string[];
}

/** Parses the announcement of another node; throws for anything else. */
function parseAnnouncement(said: unknown): Announcement {
  const { by, patterns } = Object(said) as Partial<Announcement>;
  const told = typeof by === "string" && Array.isArray(patterns);
  if (!told || !patterns.every((pattern) => typeof pattern === "string")) {
    throw new Error("it does not say who hears what");
  }
  return { by, patterns };
}

export class RemoteSubscriptions {
  readonly #broker: BrokerConnection;
  readonly #self: string;
  readonly #changed: () => void;
  readonly #others = new Map<string, { readonly patterns: readonly string[]; readonly at: number }>();
  #interest = new SubscriptionIndex([]);
  #own: readonly string[] = [];
  #telling = false;
  #sure = false;
  readonly #timers: ReturnType<typeof setInterval>[] = [];

  /** @param changed called when the subscriptions of other nodes changed */
  constructor(broker: BrokerConnection, self: string, changed: () => void) {
    this.#broker = broker;
    this.#self = self;
    this.#changed = changed;
    broker.hear(HEARS, (msg) => this.#heard(parseAnnouncement(msg.json())));
    broker.hear(WHO, () => this.#tell());
    this.#begin();
    broker.onBack(() => this.#begin());
    this.#timers.push(
      setInterval(() => {
        this.#forget();
        this.#tell();
      }, busLimits.tellInterestEvery),
    );
  }

  /** The patterns of the other nodes. */
  get patterns(): readonly string[] {
    return this.#interest.patterns;
  }

  /** Whether another node subscribes to the topic; also `true` until all nodes have answered. */
  hears(topic: string): boolean {
    return !this.#sure || this.#interest.hears(topic);
  }

  /** Announces this node's own patterns when they change. */
  set(patterns: readonly string[]): void {
    this.#own = patterns;
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      this.#tell();
    });
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#own = [];
    this.#tell();
  }

  #begin(): void {
    this.#sure = false;
    this.#tell();
    this.#broker.publish(WHO);
    setTimeout(() => {
      this.#sure = true;
    }, busLimits.learnInterestWithin);
  }

  #tell(): void {
    const told: Announcement = { by: this.#self, patterns: this.#own };
    this.#broker.publish(HEARS, JSON.stringify(told));
  }

  #heard({ by, patterns }: Announcement): void {
    const before = this.#others.get(by)?.patterns ?? [];
    if (patterns.length === 0) this.#others.delete(by);
    else this.#others.set(by, { patterns, at: performance.now() });
    const same = before.length === patterns.length && before.every((pattern, i) => pattern === patterns[i]);
    if (!same) this.#update();
  }

  #forget(): void {
    const oldest = performance.now() - 3 * busLimits.tellInterestEvery;
    const silent = [...this.#others].filter(([, { at }]) => at < oldest);
    for (const [by] of silent) this.#others.delete(by);
    if (silent.length > 0) this.#update();
  }

  #update(): void {
    this.#interest = new SubscriptionIndex([
      ...new Set([...this.#others.values()].flatMap(({ patterns }) => patterns)),
    ]);
    this.#changed();
  }
}
