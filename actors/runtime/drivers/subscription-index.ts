/** The subscriptions of a bus: tells whether a topic has any subscriber before an event is sent far. */
import { topicMatches } from "./bus.ts";

export class SubscriptionIndex {
  readonly patterns: readonly string[];
  readonly #exact: ReadonlySet<string>;
  readonly #wild: readonly string[];

  constructor(patterns: readonly string[]) {
    this.patterns = patterns;
    this.#wild = patterns.filter((pattern) => /[*>]/.test(pattern));
    this.#exact = new Set(patterns);
  }

  matches(topic: string): boolean {
    return this.#exact.has(topic) || this.#wild.some((pattern) => topicMatches(pattern, topic));
  }
}
