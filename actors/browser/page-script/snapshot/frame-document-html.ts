/** Returns the current document as HTML, with its open and closed shadow roots. */

import { readingLimits } from "../../../../machines/reading/page-reading-limits.ts";
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";
import { registry } from "../page-script-document-state.ts";
import { VISIBLE } from "../shadow-dom.ts";

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
 * document, so that the page's scripts do not notice them. Shadow roots are added as templates, without marks inside.
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
  addShadowRoots(element, copy);
  return copy.outerHTML;
};
/**
 * Copies the shadow roots of an element, and of the elements in it, into a copy of the element. They are added as
 * declarative templates.
 */
const addShadowRoots = (from: Element | ShadowRoot, to: Element | DocumentFragment): void => {
  // The list of copies must not contain the templates that are added below. So it is made before the first
  // template is added.
  const copies = [...to.querySelectorAll("*")];
  const pairs = [...from.querySelectorAll("*")].map((original, at) => [original, copies[at]] as const);
  if (from instanceof Element && to instanceof Element) pairs.push([from, to]);
  for (const [original, copy] of pairs) {
    const root = registry.rootOf(original);
    if (!root || !copy) continue;
    const template = copy.ownerDocument.createElement("template");
    template.setAttribute("shadowrootmode", root.mode);
    for (const node of root.childNodes)
      template.content.append(template.ownerDocument.importNode(node, true));
    addShadowRoots(root, template.content);
    copy.prepend(template);
  }
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
    return bounded(element ? head + markedHtml(element) : "", most);
  },
  ofElement(id, most) {
    const element = registry.element(Math.abs(id));
    if (!element?.isConnected) return undefined;
    return bounded(`<!DOCTYPE html><html><body>${markedHtml(element)}</body></html>`, most);
  },
};
