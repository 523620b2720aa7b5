/**
 * Tracks what has changed on a page since the caller last saw it. When a change is reported, the elements in
 * the report keep their indices, and their current state counts as seen by the caller. A report is no
 * snapshot, so it has no revision number.
 */

import { nameOf } from "../../../../machines/session/element-line.ts";
import { changeSince, type PageChange } from "../../../../machines/session/page-change-summary.ts";
import type { HighlightedElement } from "../../../../machines/session/page-snapshot.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";
import type { TabSnapshots } from "./tab-snapshots.ts";

/**
 * Marks elements as seen by the caller, in their state in the newest snapshot. The caller need not have
 * received this snapshot.
 * @param texts texts outside of elements that the caller has seen
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
        // The error is ignored: when the document was replaced, the elements no longer exist and need no
        // mark.
        if (!(error instanceof DocumentGone)) throw error;
      }
    }),
  );
}

export class PageChangeTracker {
  readonly #snapshots: TabSnapshots;
  readonly #frames: Frames;
  /**
   * The `shownCount` of the snapshots for which `#elements` and `#texts` were set. When `shownCount` has
   * increased, both are replaced by the content of the newest snapshot that the caller has seen.
   */
  #shownCount = 0;
  #elements = new Map<number, HighlightedElement>();
  #texts = new Set<string>();

  constructor(snapshots: TabSnapshots, frames: Frames) {
    this.#snapshots = snapshots;
    this.#frames = frames;
  }

  /**
   * Returns the changes since the caller last saw the page, or `undefined` when the caller never saw this
   * document.
   */
  async sinceShown(): Promise<PageChange | undefined> {
    const { last, shownCount } = this.#snapshots;
    if (!last || !this.#snapshots.isCurrent(last)) return undefined;
    const { changeLength, changeElements } = sessionLimits;
    if (last.elements.length > changeElements) return { changed: 0, untold: true };
    const current = await this.#snapshots.peek();
    if (current.document !== last.document) return undefined;
    if (this.#shownCount !== shownCount) {
      this.#shownCount = shownCount;
      this.#elements = new Map(last.elements.map((element) => [element.highlight_index, element]));
      this.#texts = new Set(last.texts.map(({ text }) => text));
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
