/**
 * Parses documents of ordinary length in the process's main thread, one in each turn of the event loop.
 *
 * Responses of a host arrive in bursts, and each parse blocks the thread for some milliseconds. With one
 * parse per turn of the loop, a message to an actor waits for at most one document.
 */
import { setImmediate } from "node:timers";
import { type PageSource, type ReadPage, readPage } from "../content/extract-page-from-html.ts";

export class InlineParser {
  readonly #waiting: (() => void)[] = [];

  /**
   * Parses documents one after the other, in the order of the calls. Rejects with the error that the parser
   * throws.
   */
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
