/** Returns the current document as HTML, with its open and closed shadow roots. */

import { readingLimits } from "../../../../machines/reading/page-reading-limits.ts";
import { withoutPasswords } from "../../../../machines/session/passwords-in-addresses.ts";
import { registry } from "../page-script-document-state.ts";
import { shadowRootsBelow, VISIBLE } from "../shadow-dom.ts";

export interface Markup {
  readonly url: string;
  readonly contentType: string;
  /** The HTML. It is `undefined` when it has more than `most` characters. */
  readonly html: string | undefined;
}

export interface DocumentHtml {
  ofDocument(most: number): Markup;
  /** Returns the HTML of one element. */
  ofElement(id: number, most: number): Markup | undefined;
}

/**
 * Returns an element as HTML in which invisible elements, and required fields with a value, are marked. The marks are set in a copy in another
 * document, so that the page's scripts do not notice them.
 */
const markedHtml = (element: Element): string => {
  const copy = document.implementation.createHTMLDocument("").importNode(element, true);
  const inner = copy.querySelectorAll("*");
  let shows = false;
  const hidden: Element[] = [];
  for (const [at, original] of [...element.querySelectorAll("*")].entries()) {
    const marked = inner[at];
    if (!marked || !document.body?.contains(original) || NEVER_SHOWN.test(original.localName)) continue;
    if (isFilled(original)) marked.setAttribute(readingLimits.filledMark, "");
    const isShown = original.checkVisibility(VISIBLE) || getComputedStyle(original).display === "contents";
    if (!isShown && !hasVisible(original)) hidden.push(marked);
    else if (isShown)
      shows ||= [...original.childNodes].some((node) => node instanceof Text && /\S/.test(node.data));
  }
  // A page without visible text is often still loading, and its elements are hidden only until it has loaded.
  // So no element of such a page is marked as hidden.
  if (shows) for (const marked of hidden) marked.setAttribute(readingLimits.hiddenMark, "");
  return copy.outerHTML;
};
/** Whether an element is a required field with a value, or a checked radio button. Only the presence of a value is read. */
const isFilled = (element: Element): boolean => {
  const isField =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement;
  if (!isField) return false;
  const counts =
    element.required || element.type === "radio" || element.getAttribute("aria-required") === "true";
  const isTick = element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type);
  return counts && (isTick ? element.checked : element.value !== "");
};
const NEVER_SHOWN = /^(script|style|template|noscript|option|br|source|track|wbr)$/;
/** Whether an element contains a visible element. An element that is invisible itself may contain one. */
const hasVisible = (element: Element): boolean =>
  getComputedStyle(element).display !== "none" &&
  [...element.querySelectorAll("*")].some((inner) => inner.checkVisibility(VISIBLE));

const written = (element: Element): string => {
  const own = registry.rootOf(element);
  const shadowRoots = [...(own ? [own, ...shadowRootsBelow(own)] : []), ...shadowRootsBelow(element)];
  if (shadowRoots.length === 0) return markedHtml(element);
  // The clone of an element is an element, so the cast is safe.
  const shell = (element.cloneNode(false) as Element).outerHTML;
  const end = shell.lastIndexOf("</");
  return shell.slice(0, end) + element.getHTML({ shadowRoots }) + shell.slice(end);
};
const bounded = (html: string, most: number): Markup => ({
  url: withoutPasswords(location.href),
  contentType: document.contentType,
  html: html.length > most ? undefined : html,
});

export const documentHtml: DocumentHtml = {
  ofDocument(most) {
    if (document.contentType === "text/plain") return bounded(document.body?.textContent ?? "", most);
    const { documentElement: element, doctype } = document;
    const head = doctype ? `<!DOCTYPE ${doctype.name}>` : "";
    return bounded(element ? head + written(element) : "", most);
  },
  ofElement(id, most) {
    const element = registry.element(Math.abs(id));
    if (!element?.isConnected) return undefined;
    return bounded(`<!DOCTYPE html><html><body>${written(element)}</body></html>`, most);
  },
};
