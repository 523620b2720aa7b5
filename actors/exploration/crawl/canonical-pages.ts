/**
 * Decides whether a page is a duplicate of the canonical page that it names. Sites often name a wrong
 * canonical page. So a page is a duplicate only if its canonical page was read and has nearly the same
 * content.
 */

import { routeOf, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { isNearDuplicate } from "../../../machines/exploration/crawl/simhash.ts";
import type { PageControls } from "../../../machines/records/page-control-records.ts";
import type { PageRecord } from "../../../machines/records/page-records.ts";
import type { FetchedPage } from "../../reading/index.ts";

/**
 * Returns the canonical address that a page declares. Returns `undefined` if it is the page's own address, or
 * is on another origin.
 */
export function canonicalOf({ finalUrl, relations: { canonical } }: FetchedPage): string | undefined {
  if (canonical === undefined || urlKey(canonical) === urlKey(finalUrl)) return undefined;
  return new URL(canonical).origin === new URL(finalUrl).origin ? canonical : undefined;
}

/**
 * Whether two addresses differ only in parts that usually do not change the page: parameters or an index
 * file.
 */
export function isVariant(url: string, of: string): boolean {
  const plain = (address: string) =>
    new URL(address).pathname.replace(/\/(?:index|default)\.\w{2,5}$/i, "/").replace(/(?<=.)\/$/, "");
  return plain(url) === plain(of);
}

/** Names of index files: the files that servers return for the address of their folder. */
const INDEX = /\/((?:index|default|home|welcome)\.(?:x?html?|php|aspx?|jsp|cgi))$/i;

/** Matches a URL parameter without a value, such as `path=`. */
const EMPTY_PARAMETER = /[?&][^=&?#]+=(?:&|$)/;

/** Returns the address without its empty parameters, or `undefined` when it has no empty parameter. */
function withoutEmpty(url: string): string | undefined {
  if (!EMPTY_PARAMETER.test(url) || url.includes("#")) return undefined;
  const question = url.indexOf("?");
  const kept = url
    .slice(question + 1)
    .split("&")
    .filter((parameter) => !parameter.endsWith("="));
  return kept.length > 0 ? `${url.slice(0, question)}?${kept.join("&")}` : url.slice(0, question);
}

/**
 * Finds other addresses of a page: without the index file (`/a/` for `/a/index.html`), or without empty
 * parameters (`/tree` for `/tree?path=`). If two such addresses have equal text, the page is stored only
 * once, under the address that was read first. If both addresses are in one batch, the shorter one is used.
 */
export class IndexFiles {
  /** The names of index files on this site, in order of discovery. */
  readonly #names = new Set<string>();
  /**
   * Queries of this site in which every parameter is empty, such as `?path=`. After one URL of the site had
   * such a query, other URLs are tried with this query too.
   */
  readonly #empties = new Set<string>();

  /**
   * Remembers the index file (`index.html`) or the empty parameter (`?path=`) in a URL, so that it is tried
   * for other URLs too.
   */
  note(url: string): void {
    const name = INDEX.exec(url)?.[1];
    if (name !== undefined && this.#names.size < MOST_NAMES) this.#names.add(name);
    if (this.#empties.size < MOST_NAMES && withoutEmpty(url)?.includes("?") === false)
      this.#empties.add(url.slice(url.indexOf("?")));
  }

  /**
   * Whether the URL ends in an index file or has an empty parameter. If one batch contains both this URL and
   * the shorter URL of the same page, the page is stored under the shorter one.
   */
  static givesWay(url: string): boolean {
    return INDEX.test(url) || withoutEmpty(url) !== undefined;
  }

  /**
   * Returns other addresses that may show the same page: the document of a client-side route, the address without
   * empty parameters, the folder of an index file, or the index files of a folder.
   */
  twinsOf(url: string): readonly string[] {
    // Programs that a page embeds add such routes to each document: `/about/#/portal/signin` of Ghost's Portal,
    // `/about/#/cart` of Snipcart. If the program does not open its window, the route shows only the document.
    if (routeOf(url) !== "") return [url.slice(0, url.indexOf("#"))];
    const plain = withoutEmpty(url);
    if (plain !== undefined) return [plain];
    if (INDEX.test(url)) return [url.replace(INDEX, "/")];
    if (/[?#]/.test(url)) return [];
    const names = url.endsWith("/") ? [...this.#names, ...this.#empties] : [...this.#empties];
    return names.map((name) => url + name);
  }
}

/**
 * Maximum number of a site's index file names, such as `index.html`, that are tried in each folder. If a site
 * has more such names, they are generated names and not index files.
 */
const MOST_NAMES = 4;

/** Whether two pages have the same content, so that one duplicates the other. */
export function isSamePage(
  page: Pick<FetchedPage, "contentHash" | "signature" | "textLength">,
  canonical: Pick<PageRecord, "content_hash" | "signature">,
): boolean {
  // An empty text cannot be compared. The page probably shows its text only after its scripts have run, but
  // it was read without scripts.
  if (page.textLength === 0) return false;
  if (page.contentHash === canonical.content_hash) return true;
  const { signature } = page;
  return (
    signature !== undefined &&
    canonical.signature !== undefined &&
    isNearDuplicate(signature, canonical.signature)
  );
}

/**
 * Whether two pages have the same text, such as a folder and its index file. Differences in the targets of
 * links do not count.
 */
export function isSameText(one: Pick<PageRecord, "content">, other: Pick<PageRecord, "content">): boolean {
  const unlinked = ({ content }: Pick<PageRecord, "content">) =>
    content.replace(/\[((?:[^[\]\\]|\\.)*)\]\([^)\s]*\)/g, "$1");
  return one.content !== "" && unlinked(one) === unlinked(other);
}

/**
 * Whether two pages have buttons and fields of the same names, in the same order. A route of an application may differ
 * from another one only in these.
 *
 * @param controls the controls of each page, as JSON of `PageControls`
 */
export function haveSameControls(...controls: readonly string[]): boolean {
  const [one, ...others] = controls.map((json) => {
    const { buttons, inputs }: PageControls = JSON.parse(json);
    return [...buttons, ...inputs].map(({ role, name }) => `${role}\t${name}`).join("\n");
  });
  return others.every((other) => other === one);
}
