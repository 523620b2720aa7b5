/**
 * Takes snapshots of a whole tab: all frames, combined into one page. Each element has an index, which stays
 * the same while its DOM node exists. A tab never assigns an index twice, so an outdated index is always
 * recognised.
 */

import { markDuplicateNames } from "../../../../machines/session/page/duplicate-element-names.ts";
import type {
  HighlightedElement,
  PageAnalysis,
  PageText,
  Segment,
} from "../../../../machines/session/page/page-snapshot.ts";
import { lifecycleLimits } from "../../../../machines/session/session-limits.ts";
import type { SavedIndices } from "../../../../machines/session/state/saved-session.ts";
import type { RawSnapshot } from "../../page-script/snapshot/raw-frame-snapshot.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/tab-frames.ts";
import { FrameSnapshots } from "./frame-snapshot-cache.ts";
import { type Offset, type PageElement, pageElementOf } from "./tab-snapshot-element.ts";

/**
 * Where an element is: the frame's id, the document's key, and the number by which the page script finds the
 * element.
 */
export interface ElementLocation {
  readonly frameId: string;
  readonly document: string;
  readonly id: number;
}

/**
 * Number of snapshots that are kept. For each kept snapshot, the changes of the page since then can be
 * reported.
 */
const MAX_KEPT = 8;

/**
 * A snapshot of the tab that was made from the frames' snapshots `raw`, and that the caller has not received
 * yet.
 */
interface Combined {
  readonly raw: ReadonlyMap<string, RawSnapshot>;
  /**
   * The snapshot that the caller had when the new one (`snapshot`) was made. The new one's revision and its
   * marks of new elements refer to this snapshot.
   */
  readonly before: PageAnalysis | undefined;
  readonly snapshot: PageAnalysis;
  /** Whether `before` and `snapshot` are equal; `undefined` until they are compared. */
  isSame: boolean | undefined;
}

interface Collected {
  readonly byIndex: Map<number, PageElement>;
  readonly elements: HighlightedElement[];
  readonly segments: Segment[];
  readonly texts: PageText[];
}

export class TabSnapshots {
  readonly #frames: Frames;
  readonly #frameSnapshots: FrameSnapshots;
  /** The frame snapshots from which the tab's newest snapshot was made, by the id of the frame. */
  #raw: ReadonlyMap<string, RawSnapshot> = new Map();
  readonly #indices = new Map<string, Map<number, number>>();
  /** All elements that any snapshot contained, each in its last known state, by index. */
  #elements = new Map<number, PageElement>();
  readonly #locations = new Map<number, ElementLocation>();
  #nextIndex = 0;
  /** Indices of the elements that the caller has seen since this browser opened the tab. */
  readonly #shown = new Set<number>();
  #snapshots: PageAnalysis[] = [];
  #last: PageAnalysis | undefined;
  #combined: Combined | undefined;
  /** Indices of elements from before a restore of the session, each with a description of its element. */
  #saved: SavedIndices | undefined;
  /** Number of snapshots that the caller has seen. */
  shownCount = 0;

  constructor(frames: Frames) {
    this.#frames = frames;
    this.#frameSnapshots = new FrameSnapshots(frames);
  }

  /** The newest snapshot that the caller has seen. */
  get last(): PageAnalysis | undefined {
    return this.#last;
  }

  /** The newest snapshot, even if the caller has not seen it yet. */
  get newest(): PageAnalysis | undefined {
    return this.#combined?.snapshot ?? this.#last;
  }

  /** Whether the snapshot is of the document that the tab shows now. */
  isCurrent({ document }: PageAnalysis): boolean {
    return document === Frames.documentKey(this.#frames.main);
  }

  /**
   * Whether the caller has received this element index. All indices from before a restore of the session
   * count too.
   */
  wasShown(index: number): boolean {
    return this.#shown.has(index) || index < (this.#saved?.next ?? 0);
  }

  /** Whether the caller has received at least one element index of this tab. */
  get hasShown(): boolean {
    return this.#last !== undefined || this.#shown.size > 0 || this.#saved !== undefined;
  }

  /** Records that the caller has seen the elements with these indices. */
  markShown(indices: Iterable<number>): void {
    for (const index of indices) this.#shown.add(index);
  }

  locationOf(index: number): ElementLocation | undefined {
    return this.#locations.get(index);
  }

  /**
   * Returns the index of an element that an action reports to the caller, and records that the caller knows
   * the element. Returns `undefined` when the frame shows another document now.
   */
  indexFor(frame: Frame, document: string, id: number): number | undefined {
    if (Frames.documentKey(frame) !== document) return undefined;
    const index = this.#indexOf(frame, id);
    this.markShown([index]);
    return index;
  }

  /**
   * Returns the last known state of the element with the given index, even if its document no longer exists.
   */
  lastKnown(index: number): HighlightedElement | undefined {
    return this.lastKnownWith(index).find(({ highlight_index }) => highlight_index === index);
  }

  /** Returns the elements of the newest snapshot that has the element with the given index. */
  lastKnownWith(index: number): readonly HighlightedElement[] {
    const isIn = ({ elements }: Pick<PageAnalysis, "elements">): boolean =>
      elements.some(({ highlight_index }) => highlight_index === index);
    return this.#snapshots.findLast(isIn)?.elements ?? this.#saved?.elements ?? [];
  }

  /**
   * Returns the data with which a restored session continues to number elements: the next free index, and
   * descriptions of the elements with earlier indices.
   */
  savedIndices(): SavedIndices {
    const elements = this.#last?.elements ?? this.#saved?.elements ?? [];
    return {
      next: this.#nextIndex,
      revision: this.#last?.revision ?? this.#saved?.revision ?? 0,
      elements: elements.slice(0, lifecycleLimits.describedElements).map(withoutValue),
    };
  }

  /** Sets the indices that the tab had before its session was restored. New elements get higher indices. */
  resume(saved: SavedIndices): void {
    this.#saved = saved;
    this.#nextIndex = saved.next;
  }

  /** Returns those frames of the last snapshot that still exist. */
  snapshotFrames(): readonly Frame[] {
    return [...this.#raw.keys()].flatMap((id) => this.#frames.get(id) ?? []);
  }

  /** Returns the selector of a frame's element in its parent frame, according to the last snapshot. */
  selectorOf(frameId: string): string | undefined {
    for (const { frames } of this.#raw.values()) {
      const found = frames.find((frame) => frame.frameId === frameId);
      if (found) return found.selector;
    }
    return undefined;
  }

  ofRevision(revision: number): PageAnalysis | undefined {
    return this.#snapshots.find((snapshot) => snapshot.revision === revision);
  }

  /**
   * Takes a snapshot that the caller will see. From now on, actions compare elements with this snapshot. The
   * next snapshot marks elements as new that this snapshot did not contain.
   */
  async take(): Promise<PageAnalysis> {
    const raw = await this.#frameSnapshots.take(true);
    this.#dropGoneDocuments();
    this.shownCount++;
    const before = this.#last;
    if (before && hasSameSnapshots(raw, this.#raw)) return before;
    const combined = this.#combinedOf(raw);
    const { snapshot } = combined;
    this.#combined = undefined;
    this.#raw = raw;
    if (before && isUnchanged(combined)) return before;
    this.markShown(snapshot.elements.map(({ highlight_index }) => highlight_index));
    this.#last = snapshot;
    this.#snapshots = [...this.#snapshots.slice(1 - MAX_KEPT), snapshot];
    return snapshot;
  }

  /**
   * Takes a snapshot that the caller does not see. Actions still compare elements with what the caller has
   * seen.
   */
  async peek(): Promise<PageAnalysis> {
    const raw = await this.#frameSnapshots.take(false);
    this.#dropGoneDocuments();
    return this.#last && hasSameSnapshots(raw, this.#raw) ? this.#last : this.#combinedOf(raw).snapshot;
  }

  /**
   * Takes a snapshot in advance, without marking elements as seen. If the page does not change in the
   * meantime, the next `take` returns the same snapshot.
   */
  async takeAhead(): Promise<PageAnalysis> {
    const raw = await this.#frameSnapshots.take(false);
    this.#dropGoneDocuments();
    const last = this.#last;
    if (last && hasSameSnapshots(raw, this.#raw)) return last;
    const combined = this.#combinedOf(raw);
    return last && isUnchanged(combined) ? last : combined.snapshot;
  }

  /**
   * Combines the snapshots of all frames. If these snapshots were combined in advance, returns the earlier
   * result.
   */
  #combinedOf(raw: ReadonlyMap<string, RawSnapshot>): Combined {
    const known = this.#combined;
    if (known && known.before === this.#last && hasSameSnapshots(raw, known.raw)) return known;
    const combined = { raw, before: this.#last, snapshot: this.#combine(raw), isSame: undefined };
    this.#combined = combined;
    return combined;
  }

  #combine(raw: ReadonlyMap<string, RawSnapshot>): PageAnalysis {
    const main = this.#frames.main;
    const mainSnapshot = raw.get(main.id);
    if (!mainSnapshot) throw new DocumentGone("The page went while it was looked at.");
    const gathered: Collected = { byIndex: new Map(), elements: [], segments: [], texts: [] };
    const offset = { x: 0, y: 0, scale: 1 };
    this.#collect(main, mainSnapshot, {
      raw,
      offset,
      path: [],
      parentSegment: null,
      depth: 0,
      into: gathered,
      scroll: mainSnapshot.scroll,
    });
    this.#elements = gathered.byIndex;
    const { scroll } = mainSnapshot;
    const before = this.#last;
    const document = Frames.documentKey(main);
    const found = markDuplicateNames(gathered.elements);
    const elements = before?.document === document ? markNew(found, before.elements) : found;
    return {
      revision: (before?.revision ?? this.#saved?.revision ?? 0) + 1,
      document,
      url: mainSnapshot.url,
      title: mainSnapshot.title,
      ready_state: mainSnapshot.ready_state,
      scroll: {
        ...scroll,
        pixels_above: scroll.y,
        pixels_below: Math.max(0, scroll.height - scroll.viewport_height - scroll.y),
      },
      segments: before && isEqual(before.segments, gathered.segments) ? before.segments : gathered.segments,
      elements,
      texts: gathered.texts,
    };
  }

  /**
   * Removes the elements of documents that no longer exist. Their indices are not assigned again, so an
   * action with such an index fails.
   */
  #dropGoneDocuments(): void {
    const alive = new Set(this.#frames.all().map((frame) => Frames.documentKey(frame)));
    for (const document of this.#indices.keys()) if (!alive.has(document)) this.#indices.delete(document);
    for (const [index, { document }] of this.#locations)
      if (!alive.has(document)) this.#locations.delete(index);
  }

  #indexOf(frame: Frame, id: number): number {
    const document = Frames.documentKey(frame);
    let indices = this.#indices.get(document);
    if (!indices) {
      indices = new Map();
      this.#indices.set(document, indices);
    }
    const known = indices.get(id);
    if (known !== undefined) return known;
    const index = this.#nextIndex++;
    indices.set(id, index);
    this.#locations.set(index, { frameId: frame.id, document, id });
    return index;
  }

  #collect(
    frame: Frame,
    snapshot: RawSnapshot,
    within: {
      readonly raw: ReadonlyMap<string, RawSnapshot>;
      readonly offset: Offset;
      readonly path: readonly string[];
      /**
       * Index of the segment (a region such as main or navigation) in which the frame lies in its parent
       * document, or `null`.
       */
      readonly parentSegment: number | null;
      readonly depth: number;
      readonly into: Collected;
      readonly scroll: RawSnapshot["scroll"];
    },
  ): void {
    const { into, path, parentSegment, depth, offset, raw, scroll } = within;
    const first = into.segments.length;
    for (const { type, selector, text, depth: level } of snapshot.segments) {
      into.segments.push({
        type,
        selector,
        ...(text === "" ? {} : { textContent: text }),
        depth: level + depth,
        index: into.segments.length,
        frame: [...path],
      });
    }
    const segmentOf = (segment: number): number | null => (segment < 0 ? parentSegment : first + segment);
    const inner = Map.groupBy(snapshot.frames, ({ at }) => at);
    const texts = Map.groupBy(snapshot.texts, ({ at }) => at);
    for (let at = 0; at <= snapshot.elements.length; at++) {
      for (const text of texts.get(at) ?? []) into.texts.push({ ...text, at: into.elements.length });
      for (const { frameId, selector, box, scale, segment } of inner.get(at) ?? []) {
        const child = this.#frames.get(frameId);
        const seen = raw.get(frameId);
        if (!child || !seen) continue;
        const at = segmentOf(segment);
        this.#collect(child, seen, {
          ...within,
          offset: {
            x: offset.x + box[0] * offset.scale,
            y: offset.y + box[1] * offset.scale,
            scale: offset.scale * scale,
          },
          path: [...path, selector],
          parentSegment: at,
          depth: at === null ? depth : (into.segments[at]?.depth ?? 0) + 1,
        });
      }
      const element = snapshot.elements[at];
      if (!element) continue;
      const index = this.#indexOf(frame, element.id);
      const place = {
        path,
        offset,
        frameScroll: snapshot.scroll,
        pageScroll: scroll,
        segment: segmentOf(element.segment),
      };
      const pageElement = pageElementOf(element, index, place, this.#elements.get(index));
      into.byIndex.set(index, pageElement);
      into.elements.push(pageElement.element);
    }
  }
}

/** Returns the elements `found`. Elements that are missing in `before` are marked as new. */
function markNew(
  found: readonly HighlightedElement[],
  before: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const isThere = ({ highlight_index }: HighlightedElement, at: number): boolean =>
    before[at]?.highlight_index === highlight_index;
  // Usually the new snapshot has the same elements in the same order as the one before. Then no element is
  // new.
  if (found.every(isThere)) return found;
  const known = new Set(before.map(({ highlight_index }) => highlight_index));
  return found.map((element) => (known.has(element.highlight_index) ? element : { ...element, new: true }));
}

const isEqual = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/**
 * Returns an element without its value, its options and the mark of a new element. The remaining fields
 * suffice to recognise the element later.
 */
function withoutValue({
  value: _,
  value_label: ____,
  options: __,
  new: ___,
  ...element
}: HighlightedElement): HighlightedElement {
  return element;
}

/** Whether no frame has changed. An unchanged frame has the same snapshot object in `raw` and in `before`. */
function hasSameSnapshots(
  raw: ReadonlyMap<string, RawSnapshot>,
  before: ReadonlyMap<string, RawSnapshot>,
): boolean {
  return raw.size === before.size && [...raw].every(([id, snapshot]) => before.get(id) === snapshot);
}

/** Whether the page is unchanged since the caller saw it. The first call stores the result in `combined`. */
function isUnchanged(combined: Combined): boolean {
  const { before, snapshot } = combined;
  combined.isSame ??= before !== undefined && isSamePage(before, snapshot);
  return combined.isSame;
}

/**
 * Whether two snapshots are equal, apart from their revision (the snapshot's number) and the marks of new
 * elements.
 */
function isSamePage(left: PageAnalysis, right: PageAnalysis): boolean {
  const { elements, revision: _, ...rest } = left;
  const { elements: others, revision: __, ...otherRest } = right;
  const plain = ({ new: _, ...element }: HighlightedElement): unknown => element;
  return (
    elements.length === others.length &&
    elements.every((element, at) => {
      const now = others[at];
      return element === now || (now !== undefined && isEqual(plain(element), plain(now)));
    }) &&
    isEqual(rest, otherRest)
  );
}
