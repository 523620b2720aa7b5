/**
 * Takes snapshots of a whole tab: all frames, combined into one page with stable indices. An index belongs to
 * one node while the node lives and is never given again in the life of the tab, so an old index can only be
 * rejected.
 */

import { markDuplicateNames } from "../../../../machines/session/duplicate-names.ts";
import { lifecycleLimits } from "../../../../machines/session/limits.ts";
import type {
  HighlightedElement,
  PageAnalysis,
  PageText,
  Segment,
} from "../../../../machines/session/page-snapshot.ts";
import type { SavedIndices } from "../../../../machines/session/saved-session.ts";
import type { RawFrame, RawSnapshot } from "../../page-script/snapshot/raw-snapshot.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/frames.ts";
import { FrameSnapshots } from "./frame-snapshots.ts";
import { type Offset, type PageElement, pageElementOf } from "./page-element.ts";

/** Where an element is, for actions on it. */
export interface Place {
  readonly frameId: string;
  readonly document: string;
  readonly id: number;
}

/** Number of snapshots kept, from which changes can be reported. */
const KEPT = 8;

interface Gathered {
  readonly told: Map<number, PageElement>;
  readonly elements: HighlightedElement[];
  readonly segments: Segment[];
  readonly texts: PageText[];
}

export class TabSnapshots {
  readonly #frames: Frames;
  readonly #sights: FrameSnapshots;
  /** The frame snapshots of which the newest snapshot was made. */
  #raw: ReadonlyMap<string, RawSnapshot> = new Map();
  readonly #indices = new Map<string, Map<number, number>>();
  /** Elements as they were last in a snapshot, by index. */
  #told = new Map<number, PageElement>();
  readonly #places = new Map<number, Place>();
  #next = 0;
  #kept: PageAnalysis[] = [];
  #last: PageAnalysis | undefined;
  /** The meaning of indices that were given in an earlier browser. */
  #former: SavedIndices | undefined;
  /** Number of snapshots that a caller was shown. */
  shownLooks = 0;

  constructor(frames: Frames) {
    this.#frames = frames;
    this.#sights = new FrameSnapshots(frames);
  }

  /** The newest snapshot that a caller was shown. */
  get last(): PageAnalysis | undefined {
    return this.#last;
  }

  /** Whether the snapshot is of the current document. */
  isOfNow({ document }: PageAnalysis): boolean {
    return document === Frames.document(this.#frames.main);
  }

  /** Whether the index was ever given. */
  given(index: number): boolean {
    return index < this.#next;
  }

  place(index: number): Place | undefined {
    return this.#places.get(index);
  }

  /**
   * An index for an element that is reported outside of a snapshot; `undefined` if the frame has another
   * document by now.
   */
  point(frame: Frame, document: string, id: number): number | undefined {
    return Frames.document(frame) === document ? this.#indexOf(frame, id) : undefined;
  }

  /** The element of an index in its last known state, also after its document is gone. */
  shown(index: number): HighlightedElement | undefined {
    for (const { elements } of this.#kept.toReversed()) {
      const found = elements.find(({ highlight_index }) => highlight_index === index);
      if (found) return found;
    }
    return this.#former?.elements.find(({ highlight_index }) => highlight_index === index);
  }

  /** What to save of the indices: none is given again in another browser, and old ones can be described. */
  indices(): SavedIndices {
    const elements = this.#last?.elements ?? this.#former?.elements ?? [];
    return {
      next: this.#next,
      revision: this.#last?.revision ?? this.#former?.revision ?? 0,
      elements: elements.slice(0, lifecycleLimits.describedElements).map(plain),
    };
  }

  /** Continues the indices of an earlier tab. */
  resume(former: SavedIndices): void {
    this.#former = former;
    this.#next = former.next;
  }

  /** The frames of the last snapshot. */
  seen(): readonly Frame[] {
    return [...this.#raw.keys()].flatMap((id) => this.#frames.get(id) ?? []);
  }

  /** The selector of a frame's element in its parent, as of the last snapshot. */
  selectorOf(frameId: string): string | undefined {
    for (const { frames } of this.#raw.values()) {
      const found = frames.find((one) => one.frameId === frameId);
      if (found) return found.selector;
    }
    return undefined;
  }

  analysis(revision: number): PageAnalysis | undefined {
    return this.#kept.find((one) => one.revision === revision);
  }

  /** Takes a snapshot for a caller: indices refer to its elements, and the next snapshot marks what is new since. */
  async look(): Promise<PageAnalysis> {
    const raw = await this.#sights.look(true);
    this.#forget();
    this.shownLooks++;
    const before = this.#last;
    if (before && isOf(raw, this.#raw)) return before;
    const made = this.#make(raw);
    this.#raw = raw;
    if (before && same(before, made)) return before;
    this.#last = made;
    this.#kept = [...this.#kept.slice(1 - KEPT), made];
    return made;
  }

  /** Takes a snapshot that no caller sees: actions still compare elements with what the caller was shown. */
  async peek(): Promise<PageAnalysis> {
    const raw = await this.#sights.look(false);
    this.#forget();
    return this.#last && isOf(raw, this.#raw) ? this.#last : this.#make(raw);
  }

  #make(raw: ReadonlyMap<string, RawSnapshot>): PageAnalysis {
    const main = this.#frames.main;
    const look = raw.get(main.id);
    if (!look) throw new DocumentGone("The page went while it was looked at.");
    const gathered: Gathered = { told: new Map(), elements: [], segments: [], texts: [] };
    const offset = { x: 0, y: 0, scale: 1 };
    this.#gather(main, look, {
      raw,
      offset,
      path: [],
      above: null,
      depth: 0,
      into: gathered,
      scroll: look.scroll,
    });
    this.#told = gathered.told;
    const { scroll } = look;
    const before = this.#last;
    const document = Frames.document(main);
    const found = markDuplicateNames(gathered.elements);
    const elements = before?.document === document ? marked(found, before.elements) : found;
    return {
      revision: (before?.revision ?? this.#former?.revision ?? 0) + 1,
      document,
      url: look.url,
      title: look.title,
      ready_state: look.ready_state,
      scroll: {
        ...scroll,
        pixels_above: scroll.y,
        pixels_below: Math.max(0, scroll.height - scroll.viewport_height - scroll.y),
      },
      segments: before && alike(before.segments, gathered.segments) ? before.segments : gathered.segments,
      elements,
      texts: gathered.texts,
    };
  }

  /** Drops the places of documents that are gone. Their indices count as given and refer to nothing. */
  #forget(): void {
    const alive = new Set(this.#frames.all().map((frame) => Frames.document(frame)));
    for (const document of this.#indices.keys()) if (!alive.has(document)) this.#indices.delete(document);
    for (const [index, { document }] of this.#places) if (!alive.has(document)) this.#places.delete(index);
  }

  #indexOf(frame: Frame, id: number): number {
    const document = Frames.document(frame);
    let indices = this.#indices.get(document);
    if (!indices) {
      indices = new Map();
      this.#indices.set(document, indices);
    }
    const known = indices.get(id);
    if (known !== undefined) return known;
    const index = this.#next++;
    indices.set(id, index);
    this.#places.set(index, { frameId: frame.id, document, id });
    return index;
  }

  #gather(
    frame: Frame,
    look: RawSnapshot,
    within: {
      readonly raw: ReadonlyMap<string, RawSnapshot>;
      readonly offset: Offset;
      readonly path: readonly string[];
      /** The segment that contains the frame. */
      readonly above: number | null;
      readonly depth: number;
      readonly into: Gathered;
      readonly scroll: RawSnapshot["scroll"];
    },
  ): void {
    const { into, path, above, depth, offset, raw, scroll } = within;
    const first = into.segments.length;
    for (const { type, selector, text, depth: own } of look.segments) {
      into.segments.push({
        type,
        selector,
        ...(text === "" ? {} : { textContent: text }),
        depth: own + depth,
        index: into.segments.length,
        frame: [...path],
      });
    }
    const segmentOf = (segment: number): number | null => (segment < 0 ? above : first + segment);
    const inner = new Map<number, RawFrame[]>();
    for (const one of look.frames) inner.set(one.at, [...(inner.get(one.at) ?? []), one]);
    const texts = new Map<number, RawSnapshot["texts"][number][]>();
    for (const one of look.texts) texts.set(one.at, [...(texts.get(one.at) ?? []), one]);
    for (let at = 0; at <= look.elements.length; at++) {
      for (const { text, level } of texts.get(at) ?? [])
        into.texts.push({ at: into.elements.length, text, level });
      for (const { frameId, selector, box, scale, segment } of inner.get(at) ?? []) {
        const child = this.#frames.get(frameId);
        const seen = raw.get(frameId);
        if (!child || !seen) continue;
        const at = segmentOf(segment);
        this.#gather(child, seen, {
          ...within,
          offset: {
            x: offset.x + box[0] * offset.scale,
            y: offset.y + box[1] * offset.scale,
            scale: offset.scale * scale,
          },
          path: [...path, selector],
          above: at,
          depth: at === null ? depth : (into.segments[at]?.depth ?? 0) + 1,
        });
      }
      const element = look.elements[at];
      if (!element) continue;
      const index = this.#indexOf(frame, element.id);
      const place = { path, offset, own: look.scroll, scroll, segment: segmentOf(element.segment) };
      const told = pageElementOf(element, index, place, this.#told.get(index));
      into.told.set(index, told);
      into.elements.push(told.element);
    }
  }
}

/** Marks the elements that the earlier snapshot did not have. */
function marked(
  found: readonly HighlightedElement[],
  before: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const isThere = ({ highlight_index }: HighlightedElement, at: number): boolean =>
    before[at]?.highlight_index === highlight_index;
  // Fast path: usually both snapshots have the same elements.
  if (found.every(isThere)) return found;
  const known = new Set(before.map(({ highlight_index }) => highlight_index));
  return found.map((element) => (known.has(element.highlight_index) ? element : { ...element, new: true }));
}

const alike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** An element without its value and options: enough to describe it later. */
function plain({ value: _, options: __, new: ___, ...element }: HighlightedElement): HighlightedElement {
  return element;
}

/** Whether both maps hold the same snapshot objects. */
function isOf(raw: ReadonlyMap<string, RawSnapshot>, before: ReadonlyMap<string, RawSnapshot>): boolean {
  return raw.size === before.size && [...raw].every(([id, look]) => before.get(id) === look);
}

/** Whether two snapshots are equal, apart from the revision and the marks of new elements. */
function same(one: PageAnalysis, other: PageAnalysis): boolean {
  const { elements, revision: _, ...rest } = one;
  const { elements: others, revision: __, ...otherRest } = other;
  const plain = ({ new: _, ...element }: HighlightedElement): unknown => element;
  return (
    elements.length === others.length &&
    elements.every((element, at) => {
      const now = others[at];
      return element === now || (now !== undefined && alike(plain(element), plain(now)));
    }) &&
    alike(rest, otherRest)
  );
}
