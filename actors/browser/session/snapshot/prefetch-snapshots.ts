/**
 * Takes snapshots before they are requested: a model thinks for seconds between two calls, and the page
 * changes meanwhile. When the snapshot is still valid, the request takes only a few milliseconds. Nothing
 * runs while the session is idle.
 */
import { readAheadLimits } from "../../../../machines/session/session-limits.ts";

export class ReadAhead {
  readonly #peek: () => Promise<unknown>;
  /** Time until which snapshots are taken in advance, as a `performance.now()` value. */
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;

  /**
   * Creates the helper that takes snapshots in advance.
   *
   * @param peek waits until running requests have ended, and then takes a snapshot; the caller does not get
   * it
   */
  constructor(peek: () => Promise<unknown>) {
    this.#peek = peek;
  }

  /**
   * Takes snapshots in advance for `readAheadLimits.within` milliseconds from now. Must be called after each
   * request that used the page, because the caller may soon read the page again.
   */
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
      // The page does not answer, shows a dialog or has navigated. So no more snapshots are taken in advance
      // until the next request.
      if (this.#until === until) this.#until = 0;
    } finally {
      this.#isReading = false;
    }
    const { every, share } = readAheadLimits;
    const delay = Math.max(every, (performance.now() - startedAt) * share);
    if (performance.now() + delay <= this.#until) this.#schedule(delay);
  }
}
