/**
 * Indexes the subscriptions of a bus, so that an event without subscribers is not sent to other threads or
 * nodes.
 */
import { topicMatches } from "./message-bus.ts";

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
