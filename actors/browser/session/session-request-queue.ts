/** Runs the requests to a session one after the other, and records since when the session is idle. */

export class RequestQueue {
  #last: Promise<unknown> = Promise.resolve();
  /** Number of requests that have arrived and have not ended. */
  #pending = 0;
  #lastUsedAt = performance.now();
  readonly #hold: () => () => void;

  /**
   * Creates the queue of a session.
   *
   * @param hold is called when a request arrives. The function that it returns is called when this request
   * has ended.
   */
  constructor(hold: () => () => void) {
    this.#hold = hold;
  }

  /**
   * `performance.now()` at which the last request ended. It is undefined while any request is waiting or
   * running.
   */
  get idleSince(): number | undefined {
    return this.#pending > 0 ? undefined : this.#lastUsedAt;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#pending++;
    const release = this.#hold();
    try {
      return await this.runAfter(work);
    } finally {
      this.#pending--;
      this.#lastUsedAt = performance.now();
      release();
    }
  }

  /**
   * Runs work after all earlier requests. The work does not count as a request, so the session may be idle
   * while it runs.
   */
  runAfter<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
