/**
 * Drops candidates that duplicate another one: components nest several elements with click listeners, and the
 * caller needs one.
 * Where two elements may do different things, both are kept.
 */

import type { Rect } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { registry } from "../document-state.ts";
import type { Candidate } from "./candidate.ts";
import { describer } from "./describer.ts";
import { recorder } from "./recorder.ts";
import { renderingCache } from "./rendering-cache.ts";
import { visualCues } from "./visual-cues.ts";

/** Why an element became a candidate. */
export interface FoundBy {
  /** It has a listener or a tabindex. */
  readonly weak: boolean;
  /** The pointer cursor begins there. */
  readonly byPointer: boolean;
  /** Its children are separate items. */
  readonly items: boolean;
}

export interface Dedupe {
  /**
   * Drops the candidate, or candidates inside it, where both would report the same. Call once everything
   * inside it was found.
   */
  resolve(draft: Candidate, inside: readonly Candidate[], by: FoundBy): void;
  /** A label whose control is reported itself. */
  isRedundantLabel(element: Element): boolean;
  /** A canvas beside its accessible equivalent. */
  isBackdrop(element: Element, muted: boolean): boolean;
}

const SAYS = /[\p{L}\p{N}]/u;
const LABELLED = "[aria-label],[aria-labelledby],[title]";
const NATIVE = "a,button,summary,label,input,select,textarea";
const FIELDS = "input,select,textarea,[role=textbox],[role=searchbox],[role=combobox],[role=spinbutton]";
const TICKED = "[role=checkbox],[role=switch],[role=radio]";
const BOXES = `input[type=checkbox],input[type=radio],${TICKED}`;
const STATE = "[aria-checked],[aria-selected],[aria-expanded],[aria-pressed],[aria-haspopup],[aria-current]";
/** The page itself declares it a part of the element around it. */
const PRESENTED = "[role=presentation],[role=none],[tabindex='-1']";
/** Shares of an area: a part that fills its container, half of it, and parts that leave most of it free. */
const FILLS = 0.8;
const HALF = 0.5;
const SPARSE = 0.3;
/** Pixels: minimum size of a card, and of a background with elements on it. */
const CARD = 100;
const GROUND = [200, 150] as const;
/** With more parts than this the candidate is the whole page. */
const CROWD = 500;
/** Number of parts that are checked for their position. */
const PARTS_MOST = 5;

const share = (inner: Rect, outer: Rect): number => {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return width > 0 && height > 0 ? (width * height) / (outer.width * outer.height) : 0;
};
const covered = (draft: Candidate, parts: readonly Candidate[]): number =>
  parts.reduce((sum, { rect }) => sum + share(rect, draft.rect), 0);

/** Whether it contains words that none of the parts has. */
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

/** Whether its given name, if any, is also the name of a part. */
const isCalledAlike = (draft: Candidate, parts: readonly Candidate[]): boolean => {
  if (!draft.element.matches(LABELLED)) return true;
  const name = called(draft);
  return parts.some((part) => called(part) === name);
};

/** Whether the candidate only wraps its parts. */
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

/** A surface on which elements are placed, such as a map or a board, is interactive by itself. */
const isGround = (draft: Candidate, parts: readonly Candidate[]): boolean => {
  const { element, rect, text, maxLength: most } = draft;
  if (parts.length > CROWD) return false;
  if (element instanceof SVGElement && element.localName !== "svg" && saysMore(draft, parts)) return true;
  if (rect.width < GROUND[0] || rect.height < GROUND[1] || !registry.hasClickListener(element)) return false;
  if (saysMore(draft, parts) || covered(draft, parts) >= HALF) return false;
  if (element instanceof SVGElement || getComputedStyle(element).touchAction === "none") return true;
  // A truncated text cannot be attributed.
  if (text.length >= most) return false;
  return parts.slice(0, PARTS_MOST).every((part) => isFree(part, element));
};

/** It has neither name nor content, and either fills its container or is not visible. */
const isMerePart = (part: Candidate, outer: Candidate): boolean => {
  if (!part.weak || part.text !== "" || called(part) !== "") return false;
  if (share(part.rect, outer.rect) >= FILLS) return true;
  const { icon, generatedText: written } = renderingCache.visual(part.cached);
  return icon === "" && written === "" && visualCues.isBare(part.cached);
};

const isTicked = (element: Element): boolean =>
  element instanceof HTMLInputElement ? element.checked : element.getAttribute("aria-checked") === "true";

/** Of nested controls that do the same, returns the one to drop. */
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
  // A native link is draggable by default, and dragging it drops its address.
  if (host.matches("[draggable=true]:not([role],[onclick])")) return core.matches("a") ? undefined : outer;
  if (!host.matches(STATE)) return outer;
  return core.matches(PRESENTED) && !core.matches(STATE) ? inner : undefined;
};

/** Candidates directly inside, without a kept candidate between. */
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
  // A wrapper that only has a click listener also receives clicks that bubble from its children, so it is
  // redundant.
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
    // A shape that fills the candidate adds nothing to its text.
    const filling = draft.text === "" ? [] : parts.filter((part) => isFilling(part, draft));
    const others = parts.filter((part) => !filling.includes(part));
    draft.dropped = isDropped(draft, others, by);
    if (draft.dropped) return;
    for (const part of filling) part.dropped = true;
    // Its text is that of the elements on it.
    if (others.length > 0 && !saysMore(draft, others) && isGround(draft, others)) {
      draft.isBackground = true;
      draft.text = "";
    }
  },

  isRedundantLabel(element) {
    if (!(element instanceof HTMLLabelElement)) return false;
    const { control } = element;
    // A field that is not rendered is reported by its label; other controls are not.
    if (control) return control.matches("input,select") || control.checkVisibility();
    return describer.isCaption(element);
  },

  isBackdrop: (element, muted) =>
    (muted || element.matches("[role=presentation],[role=none]")) && !registry.hasClickListener(element),
};

function isFilling(part: Candidate, outer: Candidate): boolean {
  return isMerePart(part, outer) && share(part.rect, outer.rect) >= FILLS;
}
