/**
 * Tracks what has changed on a page since the caller last saw it.
 *
 * Elements in a report of changes keep their indices, and afterwards count as seen by the caller. A report is
 * no snapshot, so it has no revision number.
 */

import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { changeSince, type PageChange } from "../../../../machines/session/page/page-change-summary.ts";
import type { HighlightedElement, PageAnalysis } from "../../../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";
import type { TabSnapshots } from "./tab-snapshots.ts";

/**
 * Marks elements as known to the caller, in their state of the newest snapshot. Later reports then contain
 * only changes after this state.
 *
 * @param texts texts that the caller has also seen, and that belong to no element
 */
export async function acceptElements(
  { snapshots, frames }: { readonly snapshots: TabSnapshots; readonly frames: Frames },
  indices: readonly number[],
  texts: readonly string[] = [],
): Promise<void> {
  snapshots.markShown(indices);
  const accepted = new Map<Frame, number[]>();
  if (texts.length > 0) for (const frame of snapshots.snapshotFrames()) accepted.set(frame, []);
  for (const index of indices) {
    const place = snapshots.locationOf(index);
    const frame = place && frames.get(place.frameId);
    if (frame && Frames.documentKey(frame) === place.document)
      accepted.set(frame, [...(accepted.get(frame) ?? []), place.id]);
  }
  await Promise.all(
    [...accepted].map(async ([frame, ids]) => {
      try {
        await frames.call(frame, "fingerprints", "accept", ids, texts);
      } catch (error) {
        // The error is ignored: the document was replaced, so the elements no longer exist.
        if (!(error instanceof DocumentGone)) throw error;
      }
    }),
  );
}

export class PageChangeTracker {
  readonly #snapshots: TabSnapshots;
  readonly #frames: Frames;
  /**
   * The snapshot before the first action on the document. It is taken only if the caller has no snapshot of
   * the document.
   */
  #unseen: PageAnalysis | undefined;
  /**
   * The snapshot to which `#elements` and `#texts` belong, and the value of `shownCount` at that time. If
   * either has changed, both fields are read again from the newest snapshot.
   */
  #compared: { readonly with: PageAnalysis; readonly shownCount: number } | undefined;
  #elements = new Map<number, HighlightedElement>();
  #texts = new Set<string>();

  constructor(snapshots: TabSnapshots, frames: Frames) {
    this.#snapshots = snapshots;
    this.#frames = frames;
  }

  /**
   * Records the state of the page, if no snapshot of its document exists. Later changes are reported relative
   * to this state. Call it before an action.
   */
  async recordUnseen(): Promise<void> {
    if (this.#base()) return;
    const { newest } = this.#snapshots;
    this.#unseen = newest && this.#snapshots.isCurrent(newest) ? newest : await this.#snapshots.peek();
  }

  /**
   * Returns the snapshot with which the page is compared: the caller's last snapshot, or else Cairn's own.
   * Returns `undefined` if there is no snapshot of the present document.
   */
  #base(): PageAnalysis | undefined {
    return [this.#snapshots.last, this.#unseen].find((page) => page && this.#snapshots.isCurrent(page));
  }

  /**
   * Reads the page for `sinceShown`, which reports what has changed since the caller's last snapshot. Returns
   * `undefined` if there is no earlier snapshot of the present document, or if it has too many elements.
   */
  async read(): Promise<PageAnalysis | undefined> {
    const base = this.#base();
    return base && base.elements.length <= sessionLimits.changeElements
      ? await this.#snapshots.peek()
      : undefined;
  }

  /**
   * Returns the changes since the caller's last snapshot of the page. If the caller has no snapshot of the
   * present document, returns the changes since the first action on this document.
   *
   * @param page the page as it is now, if it has been read already
   */
  async sinceShown(page?: PageAnalysis): Promise<PageChange | undefined> {
    const base = this.#base();
    if (!base) return undefined;
    const { changeLength, changeElements } = sessionLimits;
    if (base.elements.length > changeElements) return { changed: 0, untold: true };
    const current = page ?? (await this.#snapshots.peek());
    if (current.document !== base.document) return undefined;
    const { shownCount } = this.#snapshots;
    if (this.#compared?.with !== base || this.#compared.shownCount !== shownCount) {
      this.#compared = { with: base, shownCount };
      this.#elements = new Map(base.elements.map((element) => [element.highlight_index, element]));
      this.#texts = new Set(base.texts.map(({ text }) => text));
    }
    const before = { elements: this.#elements, texts: this.#texts };
    const { change, elements: shown, noted, removed, said } = changeSince(before, current, changeLength);
    await acceptElements(
      { snapshots: this.#snapshots, frames: this.#frames },
      shown.map(({ highlight_index }) => highlight_index),
      [...said, ...shown.map(nameOf)],
    );
    for (const element of [...shown, ...noted]) this.#elements.set(element.highlight_index, element);
    for (const index of removed) this.#elements.delete(index);
    for (const text of said) this.#texts.add(text);
    return change;
  }
}
