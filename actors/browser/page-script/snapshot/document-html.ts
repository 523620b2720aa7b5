/**
 * In the page: its document as HTML, as it is now, shadow roots included, closed ones too. Nothing in it is changed.
 *
 * Sent as its own source. Neighbour: `../written.ts` puts the documents of all frames together.
 */

import { registry } from "../document-state.ts";
import { shadowRootsBelow } from "../dom.ts";

export interface Markup {
  readonly url: string;
  readonly contentType: string;
  /** `undefined` when it has more characters than asked for. */
  readonly html: string | undefined;
}

export interface DocumentHtml {
  ofDocument(most: number): Markup;
  /** Only an element and what is in it. */
  ofElement(id: number, most: number): Markup | undefined;
}

const written = (element: Element): string => {
  const own = registry.rootOf(element);
  const shadowRoots = [...(own ? [own, ...shadowRootsBelow(own)] : []), ...shadowRootsBelow(element)];
  if (shadowRoots.length === 0) return element.outerHTML;
  const shell = (element.cloneNode(false) as Element).outerHTML; // A clone of an element is one.
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
