/**
 * Receives Chromium's counts of style recalculations and layouts of a page. The page script makes Chromium
 * send these counts by `console.timeStamp`. They arrive before the answer of the call.
 */
import type { Session } from "../../chromium/devtools-connection.ts";

const COUNTS: ReadonlySet<string> = new Set(["RecalcStyleCount", "LayoutCount"]);

export class RenderCounts {
  /**
   * Start of the texts that are passed to `console.timeStamp`. It is random, because a page may call
   * `console.timeStamp` too.
   */
  readonly #prefix = crypto.randomUUID();
  #last = 0;
  /**
   * The counts that Chromium has sent. The key is the text of the `console.timeStamp` call that made Chromium
   * send them.
   */
  readonly #expected = new Map<string, string>();
  readonly #followed = new WeakSet<Session>();

  /**
   * Runs a call into a page. Returns the result of the call, and Chromium's counts as a text that callers
   * only compare with an earlier text. The text is empty when Chromium has sent no counts.
   *
   * @param call must make the page script send the counts together with the given stamp
   */
  async during<Result>(
    session: Session,
    call: (stamp: string) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly counts: string }> {
    this.#follow(session);
    const stamp = `${this.#prefix}-${++this.#last}`;
    this.#expected.set(stamp, "");
    try {
      const result = await call(stamp);
      return { result, counts: this.#expected.get(stamp) ?? "" };
    } finally {
      this.#expected.delete(stamp);
    }
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
