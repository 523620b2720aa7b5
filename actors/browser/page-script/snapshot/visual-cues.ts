/**
 * In the page: what of an element says something to who looks at it.
 *
 * Icons are often letters in the markup, which no eye reads; some elements that hear of clicks show nothing at all; and
 * what many have in common is told apart by what stands around it. Sent as its own source. Neighbour: `walker.ts` asks.
 */

import type { Rect } from "../actionability/geometry.ts";
import type { CachedElement } from "./cached-element.ts";
import { describer } from "./describer.ts";
import { renderingCache } from "./rendering-cache.ts";

export interface VisualCues {
  /** A text that a font draws as a picture: the word of a ligature, or letters that only that font knows. */
  isIcon(cached: CachedElement, text: string): boolean;
  /** Nothing is drawn of an element without text, which is no more than a strip: no eye finds it. */
  isBlank(cached: CachedElement, rect: Rect): boolean;
  /** Nothing is drawn of it, however large it is. */
  isBare(cached: CachedElement): boolean;
  /**
   * The parts of it are each chosen by themselves: of a list or a table where the pointer begins with it, and of a menu
   * that lies open over the page.
   */
  hasItems(element: Element, begins: boolean): boolean;
  /** It is the only one of its kind beside each other that is marked. */
  isOnlyMarked(marked: Element): boolean;
  /**
   * One of several alike that take the focus in turn, or of which what is around them hears of clicks.
   * @param heard something around it hears of clicks
   * @param lists what was found of lists in this walk
   */
  isItem(element: Element, heard: boolean, lists: Map<Element, Map<string, boolean>>): boolean;
}

const ITEMS = new Set(["li", "tr", "td", "option", "dt", "dd"]);
const LIGATURE = /^[a-z][a-z0-9_]{1,39}$/;
const PRIVATE = /^[\s\ue000-\uf8ff\u{f0000}-\u{10fffd}]+$/u;
const PICTURES = "img,svg,canvas,video,picture,object,input,button";
/** Pixels: what is thinner is a handle or a gap. */
const STRIP = 24;
const DRAWN_MOST = 20;
const NAMED = "[aria-label],[aria-labelledby],[title],[tabindex],[role]";
const CLEAR = /^(transparent|rgba\(.*, 0\))$/;
const UNPAINTED = /^(none|transparent|rgba\(.*, 0\))$/;
/** A line with a value parts what can be made larger. */
const RULES =
  ":is([role=presentation],[role=none],[role=toolbar],[role=separator]:not([tabindex='0'],[aria-valuenow])):not([aria-label],[aria-labelledby],[title])";
const WHOLES =
  "h1,h2,h3,h4,h5,h6,main,section,article,form,dialog,nav,header,footer,aside,fieldset,table,[role=dialog],[role=tabpanel]";
const SAID = "[aria-label],[title]";
/** Characters: what has more to read is no item that is chosen. */
const ITEM_MOST = 120;
const draws = (element: Element): boolean => {
  const { backgroundColor, boxShadow, borderStyle, fill, stroke } = getComputedStyle(element);
  if (element instanceof SVGGeometryElement) return !UNPAINTED.test(fill) || !UNPAINTED.test(stroke);
  if (!CLEAR.test(backgroundColor) || boxShadow !== "none" || borderStyle !== "none") return true;
  return depicts(element);
};

const depicts = (element: Element): boolean => {
  if (element.matches(PICTURES) || element.querySelector(PICTURES)) return true;
  if (getComputedStyle(element).backgroundImage !== "none") return true;
  return ["::before", "::after"].some(
    (part) => !/^(none|normal|"")$/.test(getComputedStyle(element, part).content),
  );
};

const isBare = (cached: CachedElement): boolean => {
  if (cached.bare?.at !== cached.touched) {
    const { element } = cached;
    const inner = element.querySelectorAll("*");
    const is = inner.length <= DRAWN_MOST && ![element, ...inner].some(draws);
    cached.bare = { is, at: cached.touched };
  }
  return cached.bare.is;
};

/** What the page itself says is no more than a line between others, or a box around them. */
const isRule = (element: Element): boolean => {
  if (!element.matches(RULES)) return false;
  return ![element, ...element.querySelectorAll("*")].some(depicts);
};

const popsUp = (element: Element): boolean => /^(absolute|fixed)$/.test(getComputedStyle(element).position);

/** What stands beside it and is alike. */
const besides = ({
  localName,
  classList,
  nextElementSibling: next,
  previousElementSibling: previous,
}: Element) => {
  const [name = ""] = classList;
  return [next, previous].filter(
    (one): one is Element => one?.localName === localName && (one.classList[0] ?? "") === name,
  );
};

export const visualCues: VisualCues = {
  isIcon: (cached, text) => PRIVATE.test(text) || (LIGATURE.test(text) && renderingCache.hasIconFont(cached)),

  isBlank(cached, { width, height }) {
    const { element } = cached;
    if (isRule(element)) return true;
    if (Math.min(width, height) >= STRIP || element.matches(NAMED)) return false;
    return isBare(cached);
  },

  isBare,

  hasItems(element, begins) {
    const items = [...element.children];
    if (items.length < 2) return false;
    if (items.every(({ localName }) => ITEMS.has(localName))) return begins || popsUp(element);
    const [first] = items;
    const [name] = first?.classList ?? [];
    if (!first || name === undefined || first.localName === "span") return false;
    // Beside its items a menu has lines and headings.
    const alike = items.filter((one) => one.localName === first.localName && one.classList.contains(name));
    return alike.length > 1 && alike.length * 3 >= items.length * 2 && popsUp(element);
  },

  isOnlyMarked(marked) {
    let others = 0;
    for (const one of marked.parentElement?.children ?? []) {
      if (one === marked || one.localName !== marked.localName) continue;
      if (describer.isMarkedCurrent(one)) return false;
      others++;
    }
    return others > 0;
  },

  isItem(element, heard, lists) {
    if (element.matches(WHOLES)) return false;
    const text = element.textContent ?? "";
    if (text.length > ITEM_MOST || !(/\S/.test(text) || element.matches(SAID))) return false;
    const { parentElement: parent, localName } = element;
    const [name] = element.classList;
    const sort = `${CSS.escape(localName)}${name === undefined ? ":not([class])" : `.${CSS.escape(name)}`}[tabindex]`;
    const focused = `${sort}:not([tabindex^="-"])`;
    const inList = (list: Element | null, selector: string): boolean => {
      if (heard || !list) return heard;
      const known = lists.get(list) ?? new Map<string, boolean>();
      const takesTurns = known.get(selector) ?? list.querySelector(selector) !== null;
      lists.set(list, known.set(selector, takesTurns));
      return takesTurns;
    };
    if (besides(element).some((one) => one.hasAttribute("tabindex")))
      return inList(parent, `:scope > ${focused}`);
    if (!parent) return false;
    const alike = besides(parent).some((beside) => beside.querySelector(`:scope > ${sort}`) !== null);
    return alike && inList(parent.parentElement, `:scope > * > ${focused}`);
  },
};
