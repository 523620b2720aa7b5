/**
 * A clock for tests. Time advances only in `advance`, and only while every running task waits for the clock.
 */
import type { Clock } from "../../../actors/reading/index.ts";

export class HeldClock implements Clock {
  #now = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + milliseconds, wake: resolve };
      this.#sleepers.push(sleeper);
      const abort = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  /** Waits until every task either has ended or waits for the clock. */
  async settle(): Promise<void> {
    for (let round = 0; round < 5; round++) await Bun.sleep(0);
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await this.settle();
      const next = Math.min(...this.#sleepers.map(({ at }) => at));
      if (!(next <= end)) break;
      const woken = this.#sleepers.filter(({ at }) => at === next);
      this.#sleepers = this.#sleepers.filter(({ at }) => at !== next);
      this.#now = Math.max(this.#now, next);
      for (const { wake } of woken) wake();
    }
    this.#now = end;
  }
}
