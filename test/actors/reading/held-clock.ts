/** A clock that moves only when everybody sleeps and the test says so. */
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

  /** Lets all that can happen now happen. */
  async settle(): Promise<void> {
    for (let round = 0; round < 5; round++) await Bun.sleep(0);
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await this.settle();
      const next = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = end;
  }
}
