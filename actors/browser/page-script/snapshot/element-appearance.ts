/**
 * Describes the appearance of an element: whether it shows an icon or text, whether anything is painted, and
 * whether it is one of several similar items.
 */

import type { Rect } from "../actionability/element-geometry.ts";
import { describer } from "./describe-element.ts";
import type { CachedElement } from "./element-cache-entry.ts";
import * as renderingCache from "./style-and-box-cache.ts";
import type { PreparedText } from "./words-and-white-space-of-text.ts";

/** Tags of children that are items of a list, table or menu. */
const ITEM_TAGS = new Set(["li", "tr", "td", "option", "dt", "dd"]);
/** Selector of elements that show a picture or a control even when they contain nothing. */
const PICTURES = "img,svg,canvas,video,picture,object,input,button";
/**
 * Maximum width or height, in pixels, of a thin element. A thin element without content is a handle for
 * dragging or an empty space.
 */
const THIN = 24;
/**
 * Maximum number of descendants that are checked for visible paint, such as a background. An element with
 * more descendants counts as painted, without a check.
 */
const MAX_PAINTED_PARTS = 20;
/**
 * Selector of elements with an attribute that gives them a name or the focus. Such an element is meant to be
 * used.
 */
const NAMED_OR_FOCUSABLE = "[aria-label],[aria-labelledby],[title],[tabindex],[role]";
const TRANSPARENT = /^(transparent|rgba\(.*, 0\))$/;
/** Matches values of the CSS properties `fill` and `stroke` with which nothing is painted. */
const UNPAINTED = /^(none|transparent|rgba\(.*, 0\))$/;
/**
 * Selector of separators, and of boxes whose role has no meaning for a user, such as `presentation`. A
 * separator with a value is a control that changes sizes, so it is excluded.
 */
const SEPARATORS =
  ":is([role=presentation],[role=none],[role=toolbar],[role=separator]:not([tabindex='0'],[aria-valuenow])):not([aria-label],[aria-labelledby],[title])";
/** Selector of elements that never are items of a list, such as headings. */
const SECTIONS =
  "h1,h2,h3,h4,h5,h6,main,section,article,form,dialog,nav,header,footer,aside,fieldset,table,[role=dialog],[role=tabpanel]";
/**
 * Selector of elements that have a name from an attribute. Such an element can be an item of a list even
 * without text.
 */
const NAMED = "[aria-label],[title]";
/** Maximum number of characters of a list item's text. An element with a longer text is no item. */
const MAX_ITEM_TEXT = 120;
/**
 * Maximum number of levels between a row and the part of it that takes the focus. JupyterLab 4.6 has two
 * levels, earlier releases one. A higher limit would only cost time.
 */
const MAX_DEPTH_IN_ROW = 3;
const paints = (element: Element): boolean => {
  const { backgroundColor, boxShadow, borderStyle, fill, stroke } = getComputedStyle(element);
  if (element instanceof SVGGeometryElement) return !UNPAINTED.test(fill) || !UNPAINTED.test(stroke);
  if (!TRANSPARENT.test(backgroundColor) || boxShadow !== "none" || borderStyle !== "none") return true;
  return depicts(element);
};

const depicts = (element: Element): boolean => {
  if (element.matches(PICTURES) || element.querySelector(PICTURES)) return true;
  if (getComputedStyle(element).backgroundImage !== "none") return true;
  return ["::before", "::after"].some(
    (part) => !/^(none|normal|"")$/.test(getComputedStyle(element, part).content),
  );
};

/** Whether nothing is painted for the element. Its size does not matter. */
export const isBare = (cached: CachedElement): boolean => {
  if (cached.bare?.at !== cached.touched) {
    const { element } = cached;
    const inner = element.querySelectorAll("*");
    const is = inner.length <= MAX_PAINTED_PARTS && ![element, ...inner].some(paints);
    cached.bare = { is, at: cached.touched };
  }
  return cached.bare.is;
};

/**
 * Whether an element only separates other elements: its role is a separator or presentational, and it
 * contains no picture.
 */
const isSeparator = (element: Element): boolean => {
  if (!element.matches(SEPARATORS)) return false;
  return ![element, ...element.querySelectorAll("*")].some(depicts);
};

const isPositioned = (element: Element): boolean =>
  /^(absolute|fixed)$/.test(getComputedStyle(element).position);

/** Returns the siblings next to the element that have its tag and its class. */
const similarSiblings = ({
  localName,
  classList,
  nextElementSibling: next,
  previousElementSibling: previous,
}: Element) => {
  const [name = ""] = classList;
  return [next, previous].filter(
    (element): element is Element =>
      element?.localName === localName && (element.classList[0] ?? "") === name,
  );
};

/** Whether a font draws the text as an icon: it is a ligature name, or consists of private use characters. */
export function isIcon(cached: CachedElement, { icon }: PreparedText): boolean {
  return icon === "always" || (icon === "byFont" && renderingCache.hasIconFont(cached));
}

/** Whether an element has no text and shows nothing, and is thin or a separator. */
export function isBlank(cached: CachedElement, { width, height }: Rect): boolean {
  const { element } = cached;
  if (isSeparator(element)) return true;
  if (Math.min(width, height) >= THIN || element.matches(NAMED_OR_FOCUSABLE)) return false;
  return isBare(cached);
}

/**
 * Whether each child of an element is a separate interactive item, such as an entry of an open menu or a row
 * with a pointer cursor.
 *
 * @param begins whether the element has a pointer cursor and its parent does not
 */
export function hasItems(element: Element, begins: boolean): boolean {
  const items = [...element.children];
  if (items.length < 2) return false;
  if (items.every(({ localName }) => ITEM_TAGS.has(localName))) return begins || isPositioned(element);
  const [first] = items;
  const [name] = first?.classList ?? [];
  if (!first || name === undefined || first.localName === "span") return false;
  // Only the entries of a menu are compared, because a menu may also contain separators and headings.
  const alike = items.filter(
    (element) => element.localName === first.localName && element.classList.contains(name),
  );
  return alike.length > 1 && alike.length * 3 >= items.length * 2 && isPositioned(element);
}

/** Whether the element has siblings with the same tag, and none of them is marked as the current one. */
export function isOnlyMarked(marked: Element): boolean {
  let others = 0;
  for (const element of marked.parentElement?.children ?? []) {
    if (element === marked || element.localName !== marked.localName) continue;
    if (describer.isMarkedCurrent(element)) return false;
    others++;
  }
  return others > 0;
}

/**
 * Whether the element is one of several similar items with a `tabindex` that a user can operate. This is so
 * if an ancestor has a click listener, or if the Tab key reaches one of the items (roving `tabindex`).
 *
 * @param inClickListener whether an ancestor has a click listener
 *
 * @param lists results for lists that this traversal of the document has visited already
 */
export function isItem(
  element: Element,
  inClickListener: boolean,
  lists: Map<ParentNode, Map<string, boolean>>,
): boolean {
  if (element.matches(SECTIONS)) return false;
  const text = element.textContent ?? "";
  if (text.length > MAX_ITEM_TEXT || !(/\S/.test(text) || element.matches(NAMED))) return false;
  const { localName } = element;
  const [name] = element.classList;
  const sort = `${CSS.escape(localName)}${name === undefined ? ":not([class])" : `.${CSS.escape(name)}`}[tabindex]`;
  const focused = `${sort}:not([tabindex^="-"])`;
  const inList = (list: ParentNode, selector: string): boolean => {
    if (inClickListener) return true;
    const known = lists.get(list) ?? new Map<string, boolean>();
    const takesTurns = known.get(selector) ?? list.querySelector(selector) !== null;
    lists.set(list, known.set(selector, takesTurns));
    return takesTurns;
  };
  let path = ":scope";
  let row: Element = element;
  for (let depth = 0; depth <= MAX_DEPTH_IN_ROW; depth++) {
    const list = row.parentElement ?? row.parentNode;
    if (!(list instanceof Element || list instanceof ShadowRoot)) return false;
    const isAlike = similarSiblings(row).some((sibling) =>
      depth === 0 ? sibling.hasAttribute("tabindex") : sibling.querySelector(`${path} > ${sort}`) !== null,
    );
    if (depth > 0) path += " > *";
    if (isAlike) return inList(list, `${path} > ${focused}`);
    if (list instanceof ShadowRoot) return false;
    row = list;
  }
  return false;
}
