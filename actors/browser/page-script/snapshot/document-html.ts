/** The document as HTML in its current state, with open and closed shadow roots. */

import { registry } from "../document-state.ts";
import { shadowRootsBelow } from "../dom.ts";

export interface Markup {
  readonly url: string;
  readonly contentType: string;
  /** `undefined` when it is longer than the limit. */
  readonly html: string | undefined;
}

export interface DocumentHtml {
  ofDocument(most: number): Markup;
  /** HTML of one element. */
  ofElement(id: number, most: number): Markup | undefined;
}

const written = (element: Element): string => {
  const own = registry.rootOf(element);
  const shadowRoots = [...(own ? [own, ...shadowRootsBelow(own)] : []), ...shadowRootsBelow(element)];
  if (shadowRoots.length === 0) return element.outerHTML;
  const shell = (element.cloneNode(false) as Element).outerHTML; // The clone of an element is an element.
  const end = shell.lastIndexOf("</");
  return shell.slice(0, end) + element.getHTML({ shadowRoots }) + shell.slice(end);
};
const bounded = (html: string, most: number): Markup => ({
  url: location.href,
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
