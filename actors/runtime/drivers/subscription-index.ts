/**
 * What anybody on a bus has subscribed to: whoever has far to send asks it whether a topic is heard at all.
 *
 * Neighbours: `bus.port.ts` keeps it for a worker, `interest.nats.ts` for a node.
 */
import { topicMatches } from "./bus.ts";

export class Interest {
  readonly patterns: readonly string[];
  readonly #exact: ReadonlySet<string>;
  readonly #wild: readonly string[];

  constructor(patterns: readonly string[]) {
    this.patterns = patterns;
    this.#wild = patterns.filter((pattern) => /[*>]/.test(pattern));
    this.#exact = new Set(patterns);
  }

  hears(topic: string): boolean {
    return this.#exact.has(topic) || this.#wild.some((pattern) => topicMatches(pattern, topic));
  }
}
