/**
 * What acts tell of the page they were done on: what changed since their caller was told last, in short.
 *
 * What is told of here is meant from now on as it is now, and nothing else; no revision comes of it. Neighbours:
 * `looking.ts` looks, `machines/session/page-change.ts` says what changed, `browser-session.ts` asks after each act.
 */

import type { ActionOutcome } from "../../../../machines/session/action-outcome.ts";
import { nameOf } from "../../../../machines/session/element-line.ts";
import { sessionLimits } from "../../../../machines/session/limits.ts";
import { changeSince, type PageChange } from "../../../../machines/session/page-changes.ts";
import type { HighlightedElement } from "../../../../machines/session/page-snapshot.ts";
import type { Data } from "../actions/page-input.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/frames.ts";
import type { Tab } from "../tabs/tab.ts";
import type { TabSnapshots } from "./tab-snapshots.ts";

/**
 * Somebody was told of these as they were at the last peek, and means them so from now on; and of texts around others
 * (`injected/shown.ts` says what comes of that).
 */
export async function adopt(
  { looking, frames }: Pick<Tab, "looking" | "frames">,
  indices: readonly number[],
  texts: readonly string[] = [],
): Promise<void> {
  const adopted = new Map<Frame, number[]>();
  if (texts.length > 0) for (const frame of looking.seen()) adopted.set(frame, []);
  for (const index of indices) {
    const place = looking.place(index);
    const frame = place && frames.get(place.frameId);
    if (frame && Frames.document(frame) === place.document)
      adopted.set(frame, [...(adopted.get(frame) ?? []), place.id]);
  }
  await Promise.all(
    [...adopted].map(async ([frame, ids]) => {
      try {
        await frames.call(frame, "fingerprints", "accept", ids, texts);
      } catch (error) {
        // Its elements went with it.
        if (!(error instanceof DocumentGone)) throw error;
      }
    }),
  );
}

export class PageChanges {
  readonly #looking: TabSnapshots;
  readonly #frames: Frames;
  /** The look that it goes on from. */
  #look = 0;
  #elements = new Map<number, HighlightedElement>();
  #texts = new Set<string>();

  constructor(looking: TabSnapshots, frames: Frames) {
    this.#looking = looking;
    this.#frames = frames;
  }

  /** `undefined` where nobody was told of this document. */
  async changes(): Promise<PageChange | undefined> {
    const { last, shownLooks } = this.#looking;
    if (!last || !this.#looking.isOfNow(last)) return undefined;
    const { changeLength, changeElements } = sessionLimits;
    if (last.elements.length > changeElements) return { changed: 0, untold: true };
    const now = await this.#looking.peek();
    if (now.document !== last.document) return undefined;
    if (this.#look !== shownLooks) {
      this.#look = shownLooks;
      this.#elements = new Map(last.elements.map((element) => [element.highlight_index, element]));
      this.#texts = new Set(last.texts.map(({ text }) => text));
    }
    const before = { elements: this.#elements, texts: this.#texts };
    const { change, told, noted, removed, said } = changeSince(before, now, changeLength);
    await adopt(
      { looking: this.#looking, frames: this.#frames },
      told.map(({ highlight_index }) => highlight_index),
      [...said, ...told.map(nameOf)],
    );
    for (const element of [...told, ...noted]) this.#elements.set(element.highlight_index, element);
    for (const index of removed) this.#elements.delete(index);
    for (const text of said) this.#texts.add(text);
    return change;
  }
}

/** For an outcome; nothing of a page that stayed as it was, is on its way to another, or waits for an answer. */
export async function changeOf(tab: Tab): Promise<{ readonly page?: PageChange }> {
  if (tab.dialog || tab.loading) return {};
  try {
    const page = await tab.answer(tab.telling.changes());
    return page && (page.changed > 0 || page.said || page.untold) ? { page } : {};
  } catch {
    // The act was done all the same, and a page that cannot be looked at now says so to who looks.
    return {};
  }
}

/** What an act was, with what changed. What styles alone bring into sight under the pointer is no change of the document. */
export async function withSeen(data: Data, tab: Tab): Promise<Data> {
  const change = await changeOf(tab);
  const seen = data.hovered === true && /^\*\[/m.test(change.page?.lines ?? "");
  return { ...data, ...(seen ? { effect: "changed" } : {}), ...change };
}

/** A failure, with what changed where something was done in vain, or the page is another than it was thought to be. */
export async function withChange(outcome: ActionOutcome, tab: Tab): Promise<ActionOutcome> {
  const { code, pressed } = outcome.data;
  if (code !== "element_stale" && code !== "not_applied" && pressed !== true) return outcome;
  return { ...outcome, data: { ...outcome.data, ...(await changeOf(tab)) } };
}
