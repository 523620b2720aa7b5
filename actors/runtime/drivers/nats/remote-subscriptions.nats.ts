/**
 * What the nodes of a cluster have subscribed to, as each tells the others: events that nobody hears are not sent.
 *
 * Each tells its own patterns when they change, when somebody new asks, and now and then, so that those of a node
 * that died are forgotten. Neighbours: `bus.nats.ts` asks it before it sends; `interest.ts` matches.
 */

import { busLimits } from "../../limits.ts";
import { Interest } from "../subscription-index.ts";
import type { Broker } from "./connection.nats.ts";

const HEARS = "cairn.control.hears";
const WHO = "cairn.control.who";

interface Told {
  readonly by: string;
  readonly patterns: readonly string[];
}

/** What `#tell` of another node said; throws for what it cannot have said. */
function readTold(said: unknown): Told {
  const { by, patterns } = Object(said) as Partial<Told>;
  const told = typeof by === "string" && Array.isArray(patterns);
  if (!told || !patterns.every((pattern) => typeof pattern === "string")) {
    throw new Error("it does not say who hears what");
  }
  return { by, patterns };
}

export class ClusterInterest {
  readonly #broker: Broker;
  readonly #self: string;
  readonly #changed: () => void;
  readonly #others = new Map<string, { readonly patterns: readonly string[]; readonly at: number }>();
  #interest = new Interest([]);
  #own: readonly string[] = [];
  #telling = false;
  #sure = false;
  readonly #timers: ReturnType<typeof setInterval>[] = [];

  /** `changed` is called when what the others hear is not what it was. */
  constructor(broker: Broker, self: string, changed: () => void) {
    this.#broker = broker;
    this.#self = self;
    this.#changed = changed;
    broker.hear(HEARS, (msg) => this.#heard(readTold(msg.json())));
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

  /** What the other nodes hear. */
  get patterns(): readonly string[] {
    return this.#interest.patterns;
  }

  /** Does another node hear this topic? Yes, too, as long as not all may have told. */
  hears(topic: string): boolean {
    return !this.#sure || this.#interest.hears(topic);
  }

  /** This node's own patterns, whenever they change. */
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
    const told: Told = { by: this.#self, patterns: this.#own };
    this.#broker.publish(HEARS, JSON.stringify(told));
  }

  #heard({ by, patterns }: Told): void {
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
    this.#interest = new Interest([
      ...new Set([...this.#others.values()].flatMap(({ patterns }) => patterns)),
    ]);
    this.#changed();
  }
}
