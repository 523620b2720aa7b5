/** Runs the requests to a session one after another, and records since when the session is idle. */

export class RequestQueue {
  #last: Promise<unknown> = Promise.resolve();
  /** Number of requests that are queued or running. */
  #asked = 0;
  #usedAt = performance.now();

  /** `performance.now()` when the last request ended; undefined while a request is queued or running. */
  get idleSince(): number | undefined {
    return this.#asked > 0 ? undefined : this.#usedAt;
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#asked++;
    try {
      return await this.after(work);
    } finally {
      this.#asked--;
      this.#usedAt = performance.now();
    }
  }

  /** Runs the work after all earlier requests. It does not count as use of the session. */
  after<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
