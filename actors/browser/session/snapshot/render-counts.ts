/**
 * Receives Chromium's counts of style recalculations and layouts in a page. The page script makes Chromium
 * send them with `console.timeStamp`; they arrive before the answer of the call in which the script runs.
 */
import type { Session } from "../../chromium/devtools-connection.ts";

const COUNTS: ReadonlySet<string> = new Set(["RecalcStyleCount", "LayoutCount"]);

export class RenderCounts {
  /** Stamps are random, because a page may call `console.timeStamp` too. */
  readonly #prefix = crypto.randomUUID();
  #last = 0;
  readonly #expected = new Map<string, string>();
  readonly #followed = new WeakSet<Session>();

  /** Returns a new stamp, with which the page script makes Chromium send the counts to this session. */
  expect(session: Session): string {
    this.#follow(session);
    const stamp = `${this.#prefix}-${++this.#last}`;
    this.#expected.set(stamp, "");
    return stamp;
  }

  /**
   * Returns the counts of a stamp as one text, which is only compared. The text is empty when Chromium has not
   * sent them.
   */
  take(stamp: string): string {
    const counts = this.#expected.get(stamp) ?? "";
    this.#expected.delete(stamp);
    return counts;
  }

  #follow(session: Session): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.on("Performance.metrics", ({ title, metrics }) => {
      if (!this.#expected.has(title)) return;
      const counts = metrics.filter(({ name }) => COUNTS.has(name));
      this.#expected.set(title, counts.map(({ name, value }) => `${name} ${value}`).join());
    });
  }
}
