/** What is asked of a session, one after another, and since when nothing is. Neighbour: `browser-session.ts` asks. */

export class RequestQueue {
  #last: Promise<unknown> = Promise.resolve();
  /** Things that were asked and are not done. */
  #asked = 0;
  #usedAt = performance.now();

  /** `performance.now()` since when nothing was asked; `undefined` while something is. */
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

  /** After all that was asked before, and nobody's use of the session. */
  after<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
