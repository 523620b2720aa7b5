/**
 * Decides what the part of a URL after `#` means in a rendered page: a client-side route, or a place on the
 * same page.
 *
 * Routes are recognised only in rendered pages, because over HTTP every route returns the same document.
 */
import { isRoute, routeOf } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { HtmlDocument } from "../parse/parse-html-document.ts";

/**
 * Removes the fragment of a URL; the rest of the URL stays as it is written. If `routes` is true, a fragment
 * that is a client-side route is not removed.
 */
export function withoutFragment(written: string, routes: boolean): string {
  const hash = written.indexOf("#");
  if (hash < 0 || (routes && isRoute(written.slice(hash).trim()))) return written;
  return written.slice(0, hash);
}

/**
 * Removes the query of a client-side route if all its values are ids of elements on the page. For example,
 * `#/guide?id=set-up` becomes `#/guide` if the page contains `<h2 id="set-up">`. Any other URL is returned
 * unchanged.
 */
export function withoutAnchor(url: string, { ids }: Pick<HtmlDocument, "ids">): string {
  const question = routeOf(url).indexOf("?");
  if (question < 0) return url;
  const at = url.indexOf("#") + question;
  const names = [...new URLSearchParams(url.slice(at + 1)).values()];
  if (names.length === 0 || !names.every((name) => ids.has(name))) return url;
  const page = url.slice(0, at);
  // Returns a URL without the fragment that names a place on the page. A client-side route stays, except for
  // the root route (`#/`), which shows the document itself.
  return routeOf(page) === "" ? page.slice(0, page.indexOf("#")) : page;
}
