/**
 * Limits the number of concurrent renders. Further renders wait in order of arrival, up to a maximum number.
 */
export class RenderQueue {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Whether no render is running or waiting. */
  get idle(): boolean {
    return this.#taken === 0;
  }

  /**
   * Waits for a turn (the permission to render), and returns the function that ends the turn. Returns
   * `undefined` at once when too many callers wait. Rejects with the signal's reason.
   */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    signal.throwIfAborted();
    if (this.#taken < this.#atOnce) {
      this.#taken++;
    } else {
      if (this.#waiting.length >= this.#mostWaiting) return undefined;
      await this.#myTurn(signal);
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      // When a render ends, its turn (the permission to render) passes directly to the render that has waited
      // longest. So a render that arrives at this moment cannot overtake it.
      if (next) next();
      else this.#taken--;
    };
  }

  #myTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(turn);
    });
  }
}
