/**
 * Client-side routes behind `#` in rendered pages: which links are routes, and which of them point to a place
 * on the same page.
 *
 * Over HTTP every route is the same document, so routes count only where scripts have run.
 */
import { isRoute, routeOf } from "../../../machines/exploration/normalise-url.ts";
import type { HtmlDocument } from "../parse/html-document.ts";

/** A URL as written, without its fragment; a route is kept if `routes` is true. */
export function withoutFragment(written: string, routes: boolean): string {
  const hash = written.indexOf("#");
  if (hash < 0 || (routes && isRoute(written.slice(hash).trim()))) return written;
  return written.slice(0, hash);
}

/**
 * The page that a URL stands for: drops a route's query if it names an element of the page, as in
 * `#/guide?id=set-up` for `<h2 id="set-up">`. Any other URL is returned unchanged.
 */
export function withoutAnchor(url: string, { ids }: Pick<HtmlDocument, "ids">): string {
  const question = routeOf(url).indexOf("?");
  if (question < 0) return url;
  const at = url.indexOf("#") + question;
  const names = [...new URLSearchParams(url.slice(at + 1)).values()];
  if (names.length === 0 || !names.every((name) => ids.has(name))) return url;
  const page = url.slice(0, at);
  // The root route is the document itself.
  return routeOf(page) === "" ? page.slice(0, page.indexOf("#")) : page;
}
