/**
 * Caches a snapshot of every frame of a tab. The page script reports changes of a frame's document, but
 * cannot detect changes of its styles. So a snapshot is also outdated when Chromium's counts of style
 * recalculations and layouts have changed.
 */
import type { RawDelta, RawSnapshot } from "../../page-script/snapshot/raw-frame-snapshot.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";
import { applyDelta } from "./apply-snapshot-delta.ts";
import { RenderCounts } from "./style-and-layout-counts.ts";

/** Maximum number of closed shadow roots, one inside of the other, that one snapshot opens. */
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
   * Chromium's counts of style recalculations and layouts from before the snapshot. The text is empty when
   * the counts are unknown.
   */
  readonly renderCounts: string;
}

/**
 * The first answer of a frame. `found` states whether the frame's last snapshot is still valid. If the
 * frame's page has changed and is small, `found` is the new snapshot instead.
 */
interface Check {
  readonly found: RawDelta | boolean;
  /**
   * Chromium's counts of style recalculations and layouts. They are read after pending styles and layouts
   * were computed, and before the snapshot is taken.
   */
  readonly counts: string;
}

export class FrameSnapshots {
  readonly #frames: Frames;
  readonly #counts = new RenderCounts();
  #cache: ReadonlyMap<string, CachedSnapshot> = new Map();

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /**
   * Returns a snapshot of each frame, by frame id. For an unchanged frame, it is the same object as last
   * time. Rejects with `DocumentGone` when the page has navigated.
   * @param isShown whether the caller will see the snapshots, so that later actions compare elements with
   * them
   */
  async take(isShown: boolean): Promise<ReadonlyMap<string, RawSnapshot>> {
    if (this.#frames.all().length > 1) await this.#frames.registerFrameElements();
    const result = new Map<string, CachedSnapshot>();
    await Promise.all(
      this.#frames.all().map(async (frame) => {
        try {
          result.set(frame.id, await this.#snapshotOf(frame, isShown));
        } catch (error) {
          // A child frame that was removed or is navigating is left out of the result. If the main frame is
          // navigating, the call fails.
          if (!(error instanceof DocumentGone) || frame.parent === undefined) throw error;
        }
      }),
    );
    this.#cache = result;
    return new Map([...result].map(([id, { snapshot }]) => [id, snapshot]));
  }

  /** Returns the cached snapshot of a frame if it is still valid; otherwise takes a new one. */
  async #snapshotOf(frame: Frame, shown: boolean): Promise<CachedSnapshot> {
    const { found, counts } = await this.#check(frame, shown);
    const before = this.#known(frame);
    if (typeof found === "object")
      return (await this.#takeIn(frame, before, { shown, rendered: true, counts }, found)).taken;
    const rendered = counts === "" || counts !== before?.renderCounts;
    if (before && found && !rendered) return before;
    const { taken, countsAfter } = await this.#takeIn(frame, before, { shown, rendered, counts });
    // A delta may contain cached values. They are right only if styles and layout have not changed while the
    // delta was made. If Chromium's counts show such a change, the frame is read again.
    if (rendered || countsAfter === counts) return taken;
    const again = { shown, rendered: true, counts: countsAfter };
    return (await this.#takeIn(frame, taken, again)).taken;
  }

  async #check(frame: Frame, shown: boolean): Promise<Check> {
    const since = this.#known(frame)?.number ?? 0;
    try {
      const { result: found, counts } = await this.#counts.duringCheck(frame.session, (stamp) =>
        this.#frames.call(frame, "snapshots", "checkOrTake", { since, shown, stamp }),
      );
      // Without the answer of the call, it is not known whether the frame shows another document now. So the
      // document is checked here.
      return this.#frames.get(frame.id) === frame ? { found, counts } : { found: false, counts: "" };
    } catch (error) {
      // The document was replaced, so its cached snapshot is not valid. The next call into the frame reports
      // the error.
      if (error instanceof DocumentGone) return { found: false, counts: "" };
      throw error;
    }
  }

  /** Returns the cached snapshot of a frame; `undefined` if the frame now has another document. */
  #known(frame: Frame): CachedSnapshot | undefined {
    const known = this.#cache.get(frame.id);
    return known?.document === Frames.documentKey(frame) ? known : undefined;
  }

  /**
   * Updates the cached snapshot of a frame from the page.
   *
   * @param first a delta that the frame has already returned, if any
   */
  async #takeIn(
    frame: Frame,
    before: CachedSnapshot | undefined,
    {
      shown,
      rendered,
      counts,
    }: { readonly shown: boolean; readonly rendered: boolean; readonly counts: string },
    first?: RawDelta,
  ): Promise<{ readonly taken: CachedSnapshot; readonly countsAfter: string }> {
    const document = Frames.documentKey(frame);
    let known: Pick<CachedSnapshot, "snapshot" | "number"> | undefined = before;
    let countsAfter = counts;
    for (let level = 0; ; level++) {
      let delta = level === 0 ? first : undefined;
      if (!delta) {
        const options = { since: known?.number ?? 0, shown, rendered: rendered || level > 0 };
        ({ result: delta, counts: countsAfter } = await this.#counts.during(frame.session, (stamp) =>
          this.#frames.call(frame, "snapshots", "take", { ...options, stamp }),
        ));
      }
      known = { snapshot: applyDelta(delta, known?.snapshot), number: delta.number };
      const taken = { document, ...known, renderCounts: counts };
      if (known.snapshot.closedHosts === 0 || level === MAX_CLOSED_LEVELS) return { taken, countsAfter };
      if ((await this.#frames.openClosedRoots(frame)) === 0) return { taken, countsAfter };
    }
  }
}
