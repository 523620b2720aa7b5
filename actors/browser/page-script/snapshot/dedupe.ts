/**
 * In the page: what of all that was found is not told after all, since something else that is told says and does the
 * same, or since it is nothing to anybody.
 *
 * Components are made of boxes in boxes that each hear of clicks: the host, its wrapper, the button in it. Whoever reads
 * the page wants one of them. Where two may do different things, both are told. Sent as its own source. Neighbour:
 * `walker.ts` asks for each element once everything in it was found.
 */

import type { Rect } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { registry } from "../document-state.ts";
import type { Candidate } from "./candidate.ts";
import { describer } from "./describer.ts";
import { recorder } from "./recorder.ts";
import { renderingCache } from "./rendering-cache.ts";
import { visualCues } from "./visual-cues.ts";

/** By what an element was found. */
export interface FoundBy {
  /** By a listener or a tabindex. */
  readonly weak: boolean;
  /** By its cursor, which begins there. */
  readonly byPointer: boolean;
  /** What is in it is chosen each by itself. */
  readonly items: boolean;
}

export interface Dedupe {
  /** Drops it, or what is in it, where both would tell the same. */
  resolve(draft: Candidate, inside: readonly Candidate[], by: FoundBy): void;
  /** A label does what its control does, which is told itself. */
  isRedundantLabel(element: Element): boolean;
  /** A canvas that a script draws beside what it tells those who do not see it. */
  isBackdrop(element: Element, muted: boolean): boolean;
}

const SAYS = /[\p{L}\p{N}]/u;
const LABELLED = "[aria-label],[aria-labelledby],[title]";
const NATIVE = "a,button,summary,label,input,select,textarea";
const FIELDS = "input,select,textarea,[role=textbox],[role=searchbox],[role=combobox],[role=spinbutton]";
const TICKED = "[role=checkbox],[role=switch],[role=radio]";
const BOXES = `input[type=checkbox],input[type=radio],${TICKED}`;
const STATE = "[aria-checked],[aria-selected],[aria-expanded],[aria-pressed],[aria-haspopup],[aria-current]";
/** Of it the page says itself that it is a mere part of what is around it. */
const PRESENTED = "[role=presentation],[role=none],[tabindex='-1']";
/** Shares of an area: of a control that is all of its box, and of parts that leave most of theirs free. */
const FILLS = 0.8;
const HALF = 0.5;
const SPARSE = 0.3;
/** Pixels: of a card, and of a ground that things are placed on. */
const CARD = 100;
const GROUND = [200, 150] as const;
/** So many parts are the parts of a page. */
const CROWD = 500;
/** Parts of a ground that are looked at. */
const PARTS_MOST = 5;

const share = (inner: Rect, outer: Rect): number => {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return width > 0 && height > 0 ? (width * height) / (outer.width * outer.height) : 0;
};
const covered = (draft: Candidate, parts: readonly Candidate[]): number =>
  parts.reduce((sum, { rect }) => sum + share(rect, draft.rect), 0);

/** Whether words are in it that none of the parts has. */
const saysMore = ({ text }: Candidate, parts: readonly Candidate[]): boolean => {
  let rest = text;
  for (const part of parts) if (part.text !== "") rest = rest.replace(part.text, () => " ");
  if (!SAYS.test(rest)) return false;
  // A label stands for its control.
  const labels = parts.flatMap(({ element }) => describer.labelsOf(element));
  const said = labels.map((label) => describer.wordsOf(label).replace(/\s+/g, "")).join(" ");
  return !said.includes(rest.replace(/\s+/g, ""));
};

const called = ({ cached }: Candidate): string => recorder.cachedNameOf(cached);

/** Whether a name that it was given, beside what is written in it, is that of a part. */
const isCalledAlike = (draft: Candidate, parts: readonly Candidate[]): boolean => {
  if (!draft.element.matches(LABELLED)) return true;
  const name = called(draft);
  return parts.some((part) => called(part) === name);
};

/** Of a control its only part is the control, however many boxes are around that. */
const isWrapper = (draft: Candidate, parts: readonly Candidate[]): boolean => {
  if (saysMore(draft, parts) || !isCalledAlike(draft, parts)) return false;
  const sparse = covered(draft, parts) < SPARSE;
  if (!sparse) return true;
  const { width, height } = draft.rect;
  const large = width >= CARD && height >= CARD;
  return parts.length === 1 && !large && (draft.text !== "" || parts.some((part) => called(part) !== ""));
};

const isFree = (part: Candidate, ground: Element): boolean => {
  for (let up: Element | null = part.element; up && up !== ground; up = geometry.renderedParent(up))
    if (/^(absolute|fixed)$/.test(getComputedStyle(up).position)) return true;
  return false;
};

/** What things are placed on, and drawn on, is an element of its own however much lies on it. */
const isGround = (draft: Candidate, parts: readonly Candidate[]): boolean => {
  const { element, rect, text, maxLength: most } = draft;
  if (parts.length > CROWD) return false;
  if (element instanceof SVGElement && element.localName !== "svg" && saysMore(draft, parts)) return true;
  if (rect.width < GROUND[0] || rect.height < GROUND[1] || !registry.hasClickListener(element)) return false;
  if (saysMore(draft, parts) || covered(draft, parts) >= HALF) return false;
  if (element instanceof SVGElement || getComputedStyle(element).touchAction === "none") return true;
  // Of a longer text it is not known whose it is.
  if (text.length >= most) return false;
  return parts.slice(0, PARTS_MOST).every((part) => isFree(part, element));
};

/** It has no name and no parts, and lies where what is around it lies, or is not to be seen. */
const isMerePart = (part: Candidate, outer: Candidate): boolean => {
  if (!part.weak || part.text !== "" || called(part) !== "") return false;
  if (share(part.rect, outer.rect) >= FILLS) return true;
  const { icon, generatedText: written } = renderingCache.visual(part.cached);
  return icon === "" && written === "" && visualCues.isBare(part.cached);
};

const isTicked = (element: Element): boolean =>
  element instanceof HTMLInputElement ? element.checked : element.getAttribute("aria-checked") === "true";

/** A control around a control that does the same; answers which of them is not told. */
const lesser = (outer: Candidate, inner: Candidate): Candidate | undefined => {
  const [host, core] = [outer.element, inner.element];
  if (host.matches(NATIVE)) return undefined;
  const alike = called(outer) === called(inner);
  if (host.matches(TICKED)) {
    if (!core.matches(BOXES) || isTicked(host) !== isTicked(core)) return undefined;
    if (called(inner) === "" || (alike && core.matches(PRESENTED))) return inner;
    return alike ? outer : undefined;
  }
  if (!alike || outer.text !== inner.text || called(outer) === "") return undefined;
  if (host.matches(FIELDS) || core.matches(FIELDS)) return undefined;
  // A link is dragged by itself, and its address is dropped.
  if (host.matches("[draggable=true]:not([role],[onclick])")) return core.matches("a") ? undefined : outer;
  if (!host.matches(STATE)) return outer;
  return core.matches(PRESENTED) && !core.matches(STATE) ? inner : undefined;
};

/** What stands in it directly, with nothing that is told between. */
const partsOf = (draft: Candidate, inside: readonly Candidate[]): readonly Candidate[] =>
  inside.filter((one) => {
    if (one.dropped) return false;
    let up = one.outer;
    while (up && up !== draft && up.dropped) up = up.outer;
    return up === draft;
  });

const isDropped = (draft: Candidate, parts: readonly Candidate[], by: FoundBy): boolean => {
  const { cached } = draft;
  const [only] = parts;
  if (!only) return draft.text === "" && visualCues.isBlank(cached, draft.rect);
  if (by.byPointer && by.items) return true;
  if (parts.length === 1 && by.byPointer && only.text === draft.text) return true;
  // What only hears of clicks hears of those on what is in it.
  if (by.weak && !renderingCache.hasPointerCursor(cached)) return !isGround(draft, parts);
  return isWrapper(draft, parts);
};

export const dedupe: Dedupe = {
  resolve(draft, inside, by) {
    if (!draft.weak && inside.length === 0) return;
    const parts = partsOf(draft, inside);
    if (!draft.weak) {
      const [only] = parts;
      for (const part of parts) if (isMerePart(part, draft)) part.dropped = true;
      if (!only || inside.length !== 1 || only.dropped) return;
      const one = lesser(draft, only);
      if (one) one.dropped = true;
      return;
    }
    // A shape that is drawn for it says nothing beside its words.
    const filling = draft.text === "" ? [] : parts.filter((part) => isFilling(part, draft));
    const others = parts.filter((part) => !filling.includes(part));
    draft.dropped = isDropped(draft, others, by);
    if (draft.dropped) return;
    for (const part of filling) part.dropped = true;
    // Its words are those of what lies on it.
    if (others.length > 0 && !saysMore(draft, others) && isGround(draft, others)) {
      draft.isBackground = true;
      draft.text = "";
    }
  },

  isRedundantLabel(element) {
    if (!(element instanceof HTMLLabelElement)) return false;
    const { control } = element;
    // Of what is not rendered only these are told, by their label.
    if (control) return control.matches("input,select") || control.checkVisibility();
    return describer.isCaption(element);
  },

  isBackdrop: (element, muted) =>
    (muted || element.matches("[role=presentation],[role=none]")) && !registry.hasClickListener(element),
};

function isFilling(part: Candidate, outer: Candidate): boolean {
  return isMerePart(part, outer) && share(part.rect, outer.rect) >= FILLS;
}
