/**
 * Documents of ordinary length, read in the thread that runs actors: one in a turn of its event loop.
 *
 * Answers of a host come in bunches, and each document takes some milliseconds that nobody can interrupt. Read one
 * after another within a turn they would keep a question to an actor waiting for all of them; this way it waits for
 * one. Neighbours: `apart.ts` reads what takes longer, `reader.ts` decides what goes where.
 */
import { setImmediate } from "node:timers";
import { type PageSource, type ReadPage, readPage } from "./page.ts";

export class ReadingHere {
  readonly #waiting: (() => void)[] = [];

  /** In order of the calls; rejects only when reading throws. */
  read(source: PageSource): Promise<ReadPage> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(readPage(source));
        } catch (error) {
          reject(error);
        }
      });
      if (this.#waiting.length === 1) setImmediate(this.#next);
    });
  }

  readonly #next = (): void => {
    this.#waiting[0]?.();
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };
}
