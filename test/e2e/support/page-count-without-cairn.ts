/**
 * Counts the pages and links of a site up to a depth without using code of Cairn: breadth first over HTTP,
 * with its own HTML scanner and its own comparison of URLs. Tests compare the pages and links that Cairn has
 * stored with this count.
 */
import { scanMarkup } from "./independent-html-scanner.ts";

export interface SiteCount {
  /** The depth of each HTML page (0 for the start page), by the key of the page (its normalised address). */
  readonly pages: ReadonlyMap<string, number>;
  /** Keys (normalised addresses) of the URLs that the site has answered with an error. */
  readonly failed: ReadonlySet<string>;
  /** Keys (normalised addresses) of the URLs whose content is not HTML. */
  readonly notPages: ReadonlySet<string>;
  /** Title of each page, by the page's key. */
  readonly titles: ReadonlyMap<string, string>;
  /**
   * Links between pages of the site, without duplicates, each as `from to`. `from` and `to` are the keys
   * (normalised addresses) of the pages.
   */
  readonly internal: ReadonlySet<string>;
  /** Links to pages of other sites, each as `from to` with the keys (normalised addresses) of the pages. */
  readonly external: ReadonlySet<string>;
  /** For each page, the keys (normalised addresses) of the pages that it links to, in document order. */
  readonly graph: ReadonlyMap<string, ReadonlySet<string>>;
}

const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid)$/;
const AT_ONCE = 8;

export async function countReachable(start: string, maxDepth: number): Promise<SiteCount> {
  const pages = new Map<string, number>();
  const failed = new Set<string>();
  const notPages = new Set<string>();
  const titles = new Map<string, string>();
  const internal = new Set<string>();
  const external = new Set<string>();
  const graph = new Map<string, Set<string>>();
  const origin = new URL(start).origin;
  const seen = new Set([keyOf(start)]);
  let level = [start];

  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: string[] = [];
    for (let from = 0; from < level.length; from += AT_ONCE) {
      const answers = await Promise.all(level.slice(from, from + AT_ONCE).map(read));
      for (const { url, status, html } of answers) {
        const key = keyOf(url);
        if (status >= 400) failed.add(key);
        else if (html === undefined) notPages.add(key);
        if (status >= 400 || html === undefined) continue;
        pages.set(key, depth);
        const markup = scanMarkup(html);
        titles.set(key, markup.title);
        const out = new Set<string>();
        graph.set(key, out);
        const base = markup.base === undefined ? url : new URL(markup.base, url).href;
        for (const href of markup.hrefs) {
          const target = webTarget(href, base);
          if (!target) continue;
          const to = keyOf(target);
          if (new URL(target).origin !== origin) {
            external.add(`${key} ${to}`);
            continue;
          }
          internal.add(`${key} ${to}`);
          out.add(to);
          if (!seen.has(to)) {
            seen.add(to);
            next.push(target);
          }
        }
      }
    }
    level = next;
  }
  return { pages, failed, notPages, titles, internal, external, graph };
}

/**
 * Returns the key of an address: the URL without fragment, tracking parameters, trailing slash and
 * unnecessary percent-encoding.
 */
export function keyOf(url: string): string {
  const parsed = new URL(url.replace(/%[0-9a-f]{2}/gi, plainIfUnreserved));
  parsed.hash = "";
  const kept = parsed.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !TRACKING.test(part.split("=")[0] ?? ""));
  parsed.search = kept.length > 0 ? `?${kept.join("&")}` : "";
  if (parsed.pathname.length > 1) parsed.pathname = parsed.pathname.replace(/\/+$/, "");
  return parsed.href.replace(/^(https?:\/\/[^/?]+)\/(?=$|\?)/, "$1");
}

/**
 * Returns the number of clicks from one page to another, 0 for the page itself; `undefined` when there is no
 * path.
 */
export function clicksBetween(count: SiteCount, from: string, to: string): number | undefined {
  const reached = new Map([[from, 0]]);
  for (const [page, clicks] of reached) {
    if (page === to) return clicks;
    for (const target of count.graph.get(page) ?? []) {
      if (!reached.has(target)) reached.set(target, clicks + 1);
    }
  }
  return undefined;
}

function plainIfUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
}

async function read(url: string): Promise<{ url: string; status: number; html: string | undefined }> {
  const response = await fetch(url, { redirect: "manual" });
  const isHtml = (response.headers.get("content-type") ?? "").startsWith("text/html");
  const text = await response.text();
  return { url, status: response.status, html: isHtml && response.status < 300 ? text : undefined };
}

function webTarget(href: string, base: string): string | undefined {
  const parsed = URL.canParse(href.trim(), base) ? new URL(href.trim(), base) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}
