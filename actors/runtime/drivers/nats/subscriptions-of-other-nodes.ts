/**
 * The subscriptions of the other nodes, so that events without a subscriber are not sent. Each node announces
 * its topic patterns after each change, at the request of a new node, and periodically. The patterns of a
 * node are removed when its announcements stop.
 */

import { busLimits } from "../../actor-runtime-limits.ts";
import { SubscriptionIndex } from "../subscription-index.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";

const ANNOUNCE = "cairn.control.hears";
const WHO = "cairn.control.who";

interface Announcement {
  readonly by: string;
  readonly patterns: readonly string[];
}

/** Parses an announcement of another node. Throws for any other message. */
function parseAnnouncement(value: unknown): Announcement {
  const { by, patterns } = Object(value) as Partial<Announcement>;
  const isValid = typeof by === "string" && Array.isArray(patterns);
  if (!isValid || !patterns.every((pattern) => typeof pattern === "string")) {
    throw new Error("it lists no patterns");
  }
  return { by, patterns };
}

export class RemoteSubscriptions {
  readonly #broker: BrokerConnection;
  readonly #self: string;
  readonly #changed: () => void;
  readonly #others = new Map<string, { readonly patterns: readonly string[]; readonly at: number }>();
  #subscriptions = new SubscriptionIndex([]);
  #own: readonly string[] = [];
  #announcing = false;
  #complete = false;
  readonly #timers: ReturnType<typeof setInterval>[] = [];

  /** @param changed called when the subscriptions of other nodes have changed */
  constructor(broker: BrokerConnection, self: string, changed: () => void) {
    this.#broker = broker;
    this.#self = self;
    this.#changed = changed;
    broker.subscribe(ANNOUNCE, (msg) => this.#receive(parseAnnouncement(msg.json())));
    broker.subscribe(WHO, () => this.#announce());
    this.#begin();
    broker.onBack(() => this.#begin());
    this.#timers.push(
      setInterval(() => {
        this.#forget();
        this.#announce();
      }, busLimits.announceEvery),
    );
  }

  /** The topic patterns to which other nodes subscribe. */
  get patterns(): readonly string[] {
    return this.#subscriptions.patterns;
  }

  /**
   * Whether another node subscribes to the topic. Also returns true as long as some node has not announced
   * its patterns.
   */
  hasSubscriber(topic: string): boolean {
    return !this.#complete || this.#subscriptions.matches(topic);
  }

  /** Sets the topic patterns to which this node subscribes, and announces them to the other nodes. */
  set(patterns: readonly string[]): void {
    this.#own = patterns;
    if (this.#announcing) return;
    this.#announcing = true;
    queueMicrotask(() => {
      this.#announcing = false;
      this.#announce();
    });
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#own = [];
    this.#announce();
  }

  #begin(): void {
    this.#complete = false;
    this.#announce();
    this.#broker.publish(WHO);
    setTimeout(() => {
      this.#complete = true;
    }, busLimits.learnPatternsWithin);
  }

  #announce(): void {
    const announcement: Announcement = { by: this.#self, patterns: this.#own };
    this.#broker.publish(ANNOUNCE, JSON.stringify(announcement));
  }

  #receive({ by, patterns }: Announcement): void {
    const before = this.#others.get(by)?.patterns ?? [];
    if (patterns.length === 0) this.#others.delete(by);
    else this.#others.set(by, { patterns, at: performance.now() });
    const same = before.length === patterns.length && before.every((pattern, i) => pattern === patterns[i]);
    if (!same) this.#update();
  }

  #forget(): void {
    const oldest = performance.now() - 3 * busLimits.announceEvery;
    const silent = [...this.#others].filter(([, { at }]) => at < oldest);
    for (const [by] of silent) this.#others.delete(by);
    if (silent.length > 0) this.#update();
  }

  #update(): void {
    this.#subscriptions = new SubscriptionIndex([
      ...new Set([...this.#others.values()].flatMap(({ patterns }) => patterns)),
    ]);
    this.#changed();
  }
}
