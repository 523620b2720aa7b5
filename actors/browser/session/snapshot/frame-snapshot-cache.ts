/**
 * Caches a snapshot of every frame of a tab. The page script reports changes of a frame's document, but
 * cannot detect changes of its styles. So a snapshot is also outdated when Chromium's counts of style
 * recalculations and layouts have changed.
 */
import { ProtocolError, type Session } from "../../chromium/devtools-connection.ts";
import type { RawDelta, RawSnapshot } from "../../page-script/snapshot/raw-frame-snapshot.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";
import { applyDelta } from "./apply-snapshot-delta.ts";

/** Maximum depth of closed shadow roots inside of each other that one snapshot opens. */
const MAX_CLOSED_LEVELS = 8;

interface CachedSnapshot {
  readonly document: string;
  readonly snapshot: RawSnapshot;
  /**
   * The page script's number of this snapshot. The next request contains it, so that the answer contains only
   * the differences from this snapshot.
   */
  readonly number: number;
  /**
   * Chromium's counts of style recalculations and layouts before the snapshot was taken. The text is empty
   * when the counts are unknown, as for a small page, whose snapshots are correct without counts.
   */
  readonly renderCounts: string;
}

/**
 * What a frame returns first: a snapshot if its page is small, otherwise whether its last snapshot is still
 * valid.
 */
type Check = RawDelta | boolean;

const isSnapshot = (check: Check | undefined): check is RawDelta => typeof check === "object";

/**
 * Chromium's counts of style recalculations and layouts, by the DevTools session of the frame's process. The
 * counts are joined to one text, which is only compared. The text is empty when the counts are unknown.
 */
type RenderCounts = ReadonlyMap<Session, string>;

export class FrameSnapshots {
  readonly #frames: Frames;
  #cache: ReadonlyMap<string, CachedSnapshot> = new Map();

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /**
   * Returns a snapshot of each frame, by frame id. When nothing has changed in a frame, the snapshot is the
   * same object as last time. Rejects with `DocumentGone` when the page has navigated.
   * @param isShown whether the caller will see the snapshots; if so, actions compare elements with these
   * snapshots from now on
   */
  async take(isShown: boolean): Promise<ReadonlyMap<string, RawSnapshot>> {
    await this.#frames.registerFrameElements();
    const frames = this.#frames.all();
    // `#check` makes the browser compute pending styles and layouts. The counts are requested after this call,
    // so that they include these computations.
    const [only, ...others] = frames;
    const early = only && others.length === 0 ? await this.#checkWithCounts(only, isShown) : undefined;
    const checks = early
      ? [early.check]
      : await Promise.all(frames.map((frame) => this.#check(frame, isShown)));
    const checked = frames.filter((_, at) => !isSnapshot(checks[at]));
    const counts = early?.counts ?? (await this.#renderCounts(checked));
    const result = new Map<string, CachedSnapshot>();
    const hasRenderedSince = (
      { session }: Frame,
      before: CachedSnapshot | undefined,
      counts: RenderCounts,
    ): boolean => {
      const now = counts.get(session) ?? "";
      return now === "" || now !== before?.renderCounts;
    };
    const refresh = async (
      frame: Frame,
      before: CachedSnapshot | undefined,
      rendered: boolean,
      counts: RenderCounts,
      taken?: RawDelta,
    ): Promise<void> => {
      try {
        const document = Frames.documentKey(frame);
        const known = before?.document === document ? before : undefined;
        const found = await this.#takeIn(frame, known, { shown: isShown, rendered }, taken);
        result.set(frame.id, { document, ...found, renderCounts: counts.get(frame.session) ?? "" });
      } catch (error) {
        // A child frame that was removed or is navigating has no snapshot in the result. When the main frame
        // is navigating, the call fails.
        if (!(error instanceof DocumentGone) || frame.parent === undefined) throw error;
      }
    };
    const unrendered: Frame[] = [];
    await Promise.all(
      frames.map(async (frame, at) => {
        const before = this.#known(frame);
        const check = checks[at];
        const rendered = hasRenderedSince(frame, before, counts);
        if (isSnapshot(check)) await refresh(frame, before, true, counts, check);
        else if (before && check && !rendered) result.set(frame.id, before);
        else {
          if (!rendered) unrendered.push(frame);
          await refresh(frame, before, rendered, counts);
        }
      }),
    );
    // A delta may contain values from the page script's cache. They are correct only if styles and layout did
    // not change while the delta was taken, so Chromium's counts are compared once more. A frame whose counts
    // have changed is read again.
    const countsAfter = unrendered.length === 0 ? counts : await this.#renderCounts(unrendered);
    await Promise.all(
      unrendered.map(async (frame) => {
        const before = result.get(frame.id);
        if (before && hasRenderedSince(frame, before, countsAfter))
          await refresh(frame, before, true, countsAfter);
      }),
    );
    this.#cache = result;
    return new Map([...result].map(([id, { snapshot }]) => [id, snapshot]));
  }

  /**
   * Like `#check`, and requests Chromium's counts of style recalculations in the same round trip, unless the
   * page was small at the last snapshot. Chromium may answer the request for the counts before the check has
   * run. Such counts are too old and are not used.
   */
  async #checkWithCounts(
    frame: Frame,
    shown: boolean,
  ): Promise<{ readonly check: Check; readonly counts: RenderCounts | undefined }> {
    if (this.#known(frame)?.renderCounts === "")
      return { check: await this.#check(frame, shown), counts: undefined };
    let counts: Promise<string | undefined> = Promise.resolve(undefined);
    const check = await this.#check(frame, shown, (answer) => {
      let isAnswered = false;
      answer.then(
        () => {
          isAnswered = true;
        },
        // The error is ignored here, because the promise of the call itself is awaited and rejects with it.
        () => {},
      );
      counts = frame.session.send("Performance.getMetrics").then(
        ({ metrics }) => (isAnswered ? countsIn(metrics) : undefined),
        // The error is ignored: the frame's process has ended. The counts are then requested again, and the
        // second request reports the error.
        () => undefined,
      );
    });
    const early = isSnapshot(check) ? undefined : await counts;
    return { check, counts: early === undefined ? undefined : new Map([[frame.session, early]]) };
  }

  async #check(
    frame: Frame,
    shown: boolean,
    next: (answer: Promise<unknown>) => void = () => {},
  ): Promise<Check> {
    const since = this.#known(frame)?.number ?? 0;
    try {
      return await this.#frames.callThenSend(frame, next, "snapshots", "takeOrCheck", { since, shown });
    } catch (error) {
      // The document was replaced, so its cached snapshot is not valid. The next call into the frame reports
      // the error.
      if (error instanceof DocumentGone) return false;
      throw error;
    }
  }

  /** Returns the cached snapshot of a frame, if the frame still has the same document. */
  #known(frame: Frame): CachedSnapshot | undefined {
    const known = this.#cache.get(frame.id);
    return known?.document === Frames.documentKey(frame) ? known : undefined;
  }

  async #renderCounts(frames: readonly Frame[]): Promise<RenderCounts> {
    const sessions = [...new Set(frames.map(({ session }) => session))];
    const counts = await Promise.all(
      sessions.map(async (session): Promise<readonly [Session, string]> => {
        try {
          const { metrics } = await session.send("Performance.getMetrics");
          return [session, countsIn(metrics)];
        } catch (error) {
          // The frame's process has ended. Its counts are unknown, so the cached snapshot counts as invalid.
          if (error instanceof ProtocolError) return [session, ""];
          throw error;
        }
      }),
    );
    return new Map(counts);
  }

  async #takeIn(
    frame: Frame,
    before: CachedSnapshot | undefined,
    options: { readonly shown: boolean; readonly rendered: boolean },
    taken?: RawDelta,
  ): Promise<Pick<CachedSnapshot, "snapshot" | "number">> {
    let known: Pick<CachedSnapshot, "snapshot" | "number"> | undefined = before;
    for (let level = 0; ; level++) {
      const request = {
        since: known?.number ?? 0,
        shown: options.shown,
        rendered: options.rendered || level > 0,
      };
      const isFirst = level === 0;
      const delta = (isFirst && taken) || (await this.#frames.call(frame, "snapshots", "take", request));
      known = { snapshot: applyDelta(delta, known?.snapshot), number: delta.number };
      if (known.snapshot.closedHosts === 0 || level === MAX_CLOSED_LEVELS) return known;
      if ((await this.#frames.openClosedRoots(frame)) === 0) return known;
    }
  }
}

function countsIn(metrics: readonly { readonly name: string; readonly value: number }[]): string {
  return metrics
    .filter(({ name }) => name === "RecalcStyleCount" || name === "LayoutCount")
    .map(({ name, value }) => `${name} ${value}`)
    .join();
}
