/**
 * Receives Chromium's counts of style recalculations and layouts of a page. The page script makes Chromium
 * send these counts by `console.timeStamp`. They arrive before the answer of the call.
 */
import type { Session } from "../../chromium/devtools-connection.ts";
import { VALID_SNAPSHOT } from "../../page-script/snapshot/raw-frame-snapshot.ts";

const COUNTS: ReadonlySet<string> = new Set(["RecalcStyleCount", "LayoutCount"]);

interface ExpectedCounts {
  /** Chromium's counts of style recalculations and layouts; empty until they arrive. */
  counts: string;
  /** Called when the page script has reported that its last snapshot is valid. */
  readonly confirm: () => void;
}

export class RenderCounts {
  /**
   * Start of the texts that are passed to `console.timeStamp`. It is random, because a page may call
   * `console.timeStamp` too.
   */
  readonly #prefix = crypto.randomUUID();
  #last = 0;
  /** The calls that wait for Chromium's counts, by the text that they pass to `console.timeStamp`. */
  readonly #expected = new Map<string, ExpectedCounts>();
  readonly #followed = new WeakSet<Session>();

  /**
   * Runs a call into a page. Returns the call's result, and Chromium's counts of style recalculations and
   * layouts as a text. Callers only check whether this text has changed. It is empty when Chromium has sent
   * no counts.
   *
   * @param call must make the page script send the counts together with the given stamp
   */
  async during<Result>(
    session: Session,
    call: (stamp: string) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly counts: string }> {
    return await this.#expect(session, call);
  }

  /**
   * Checks whether the last snapshot is valid, and returns the counts as `during` does. The page script may
   * report the validity together with the counts. Then the result is `true`, and the answer of the call is
   * not awaited.
   */
  async duringCheck<Result>(
    session: Session,
    call: (stamp: string) => Promise<Result>,
  ): Promise<{ readonly result: Result | true; readonly counts: string }> {
    return await this.#expect<Result | true>(session, (stamp, valid) => Promise.race([valid, call(stamp)]));
  }

  async #expect<Result>(
    session: Session,
    call: (stamp: string, valid: Promise<true>) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly counts: string }> {
    this.#follow(session);
    const stamp = `${this.#prefix}-${++this.#last}`;
    const { promise: valid, resolve } = Promise.withResolvers<true>();
    const expected: ExpectedCounts = { counts: "", confirm: () => resolve(true) };
    this.#expected.set(stamp, expected);
    try {
      const result = await call(stamp, valid);
      return { result, counts: expected.counts };
    } finally {
      this.#expected.delete(stamp);
    }
  }

  #follow(session: Session): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.on("Performance.metrics", ({ title, metrics }) => {
      const isValid = title.endsWith(VALID_SNAPSHOT);
      const expected = this.#expected.get(isValid ? title.slice(0, -VALID_SNAPSHOT.length) : title);
      if (!expected) return;
      const counts = metrics.filter(({ name }) => COUNTS.has(name));
      expected.counts = counts.map(({ name, value }) => `${name} ${value}`).join();
      if (isValid) expected.confirm();
    });
  }
}
