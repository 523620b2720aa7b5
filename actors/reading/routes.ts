/**
 * Addresses that an application keeps behind `#`, as its page is rendered: which links are routes, and which of
 * those lead to a place on the page itself. Over HTTP every route is the same document, so they count only where
 * scripts have run. Used by `links.ts` and `relations.ts`; what a route looks like is `machines/exploration/url.ts`.
 */
import { isRoute, routeOf } from "../../machines/exploration/normalise-url.ts";
import type { HtmlDocument } from "./document.ts";

/** An address as written, without its fragment; a route stays when `routes` are read. */
export function withoutFragment(written: string, routes: boolean): string {
  const hash = written.indexOf("#");
  if (hash < 0 || (routes && isRoute(written.slice(hash).trim()))) return written;
  return written.slice(0, hash);
}

/**
 * The page that a URL of a document stands for: without a route's query where that names an element, as in
 * `#/guide?id=set-up` beside `<h2 id="set-up">`. Any other URL is answered as it is.
 */
export function withoutPlace(url: string, { ids }: Pick<HtmlDocument, "ids">): string {
  const question = routeOf(url).indexOf("?");
  if (question < 0) return url;
  const at = url.indexOf("#") + question;
  const names = [...new URLSearchParams(url.slice(at + 1)).values()];
  if (names.length === 0 || !names.every((name) => ids.has(name))) return url;
  const page = url.slice(0, at);
  // The root of the routes is the document itself.
  return routeOf(page) === "" ? page.slice(0, page.indexOf("#")) : page;
}
