/**
 * Takes snapshots ahead of their request: a model thinks for seconds between two calls, and the page changes meanwhile.
 * A snapshot that is still valid when it is requested costs a few milliseconds. Nothing runs once the session is idle.
 */
import { readAheadLimits } from "../../../../machines/session/limits.ts";

export class ReadAhead {
  readonly #peek: () => Promise<unknown>;
  /** `performance.now()` after which nothing is read ahead. */
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;

  /** @param peek takes a snapshot that no caller sees, after all requests in progress */
  constructor(peek: () => Promise<unknown>) {
    this.#peek = peek;
  }

  /** Called after a request that used the page. */
  extend(): void {
    this.#until = performance.now() + readAheadLimits.within;
    this.#schedule(readAheadLimits.first);
  }

  stop(): void {
    this.#until = 0;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    if (this.#isReading) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), delay);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const startedAt = performance.now();
    const until = this.#until;
    try {
      await this.#peek();
    } catch {
      // A page that hangs, shows a dialog or has navigated is read when a caller requests it.
      if (this.#until === until) this.#until = 0;
    } finally {
      this.#isReading = false;
    }
    const { every, share } = readAheadLimits;
    const delay = Math.max(every, (performance.now() - startedAt) * share);
    if (performance.now() + delay <= this.#until) this.#schedule(delay);
  }
}
