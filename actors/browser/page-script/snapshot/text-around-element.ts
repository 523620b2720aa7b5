/**
 * Collects the text around an element that distinguishes it from similar elements. Texts that change by
 * themselves are left out.
 */

import { collapseSpaces } from "../shadow-dom.ts";

/**
 * Selector of lists that open at a field or button. The text of such a list is on the page only while the
 * list is open.
 */
export const POPUP_LIST = "[role=listbox],[role=menu]";
/**
 * Selector of parts whose text changes by itself, or that appear and disappear. Such a text does not identify
 * an element.
 */
const LIVE_REGION =
  `${POPUP_LIST},script,style,template,output,progress,meter,[aria-live]:not([aria-live=off]),` +
  "[role=timer],[role=status],[role=alert],[role=log],[role=progressbar],[role=meter],[role=tooltip]";
/**
 * Selector of editable text. In a form, editable text is user input and identifies nothing. In a table, it
 * may identify a row.
 */
const EDITABLE = "[contenteditable]:not([contenteditable=false]),[role=textbox]";
/** Selector of containers in which editable text is what the user has typed. */
const FORM = "form,fieldset,dialog,[role=dialog],[role=form]";
/** Matches a remaining time, such as "5 s", or a progress in per cent. */
const COUNTER =
  /\d+(?:[.,]\d+)*\s?(?:%|s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi|секунд\p{L}*|秒)(?![\p{L}\p{N}])/giu;

/**
 * Number of collected characters, white space included, after which it is checked whether the text has become
 * too long. A check after each text node would be slow.
 */
const CHECKED_AFTER = 1_000;

/**
 * Maximum number of live regions and editable parts of a document for which `contains` is called. With more
 * parts, searching in the element is faster.
 */
const MAX_LIVE_PARTS = 20;

/**
 * Returns the live regions and the editable parts of a document or shadow tree. Returns `undefined` if there
 * are more than `MAX_LIVE_PARTS`.
 */
const livePartsOf = (root: Node): readonly Element[] | undefined => {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return undefined;
  const parts = root.querySelectorAll(`${LIVE_REGION},${EDITABLE}`);
  return parts.length > MAX_LIVE_PARTS ? undefined : [...parts];
};

/**
 * Returns a function that reads the text of an element. White space is collapsed. The texts of adjacent
 * elements are separated by a space, even when the markup has no space there. The text is empty if it is
 * longer than `maxLength`. The function may be used for one snapshot only.
 */
export const reader = (): ((element: Element, maxLength: number) => string) => {
  const livePartsByRoot = new Map<Node, readonly Element[] | undefined>();
  const mayHaveLivePart = (element: Element): boolean => {
    const root = element.getRootNode();
    if (!livePartsByRoot.has(root)) livePartsByRoot.set(root, livePartsOf(root));
    const parts = livePartsByRoot.get(root);
    return parts === undefined || parts.some((part) => element.contains(part));
  };
  return (element, maxLength) => {
    const passes = element.matches(FORM) ? `${LIVE_REGION},${EDITABLE}` : LIVE_REGION;
    const live = mayHaveLivePart(element) && element.querySelector(passes) !== null;
    const show = NodeFilter.SHOW_TEXT | (live ? NodeFilter.SHOW_ELEMENT : 0);
    const filter = (node: Node): number => {
      if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
      const passed = node instanceof Element && node.matches(passes);
      return passed ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    };
    const walk = document.createTreeWalker(element, show, live ? filter : null);
    let text = "";
    let checkedAt = CHECKED_AFTER;
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      text += `${node.nodeValue ?? ""} `;
      if (text.length < checkedAt) continue;
      if (collapseSpaces(text).length > maxLength) return "";
      checkedAt = text.length + CHECKED_AFTER;
    }
    const plain = collapseSpaces(text);
    return plain.length > maxLength ? "" : plain;
  };
};

/** Replaces numbers that change by themselves by `#`: remaining times ("5 minutes left") and percentages. */
export const withoutTicking = (words: readonly string[]): readonly string[] =>
  words.join(" ").replace(COUNTER, "#").split(" ");
