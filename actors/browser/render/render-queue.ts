/**
 * So many renders at once, the others in order of arrival, and no more of them waiting than is sensible.
 *
 * Neighbour: `browser.ts` takes a turn for each render.
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

  /** Nothing is under way and nobody waits. */
  get idle(): boolean {
    return this.#taken === 0;
  }

  /**
   * Waits for a turn and answers how to give it back, or `undefined` at once when too many wait. Rejects with the
   * signal's reason.
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
      // A turn passes from one to the next: nobody can slip in between.
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
