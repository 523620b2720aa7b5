/**
 * Whether a page is only another address of the page it calls its canonical one.
 *
 * Sites say so of every page when they mean one (all pages canonical to the home page, every page of a listing to
 * its first), so nobody is believed without proof: a page gives way only to a canonical page that was read and
 * says nearly the same (equal content, or a near-duplicate by SimHash). Its links are followed all the same. A
 * canonical address that the job does not know is read first when it differs from the page's own in nothing but
 * parameters or an `index.html`, and not believed otherwise; one on another origin never is.
 *
 * A folder and its `index.html` are one page as well when they say exactly the same, although neither says so:
 * whichever was read first stays, the folder if both come at once. So are an address whose parameters say nothing
 * (`/tree?path=`) and the one without them, which stays if both come at once.
 */

import { urlKey } from "../../../machines/exploration/normalise-url.ts";
import { isNearDuplicate } from "../../../machines/exploration/simhash.ts";
import type { PageRecord } from "../../../machines/records.ts";
import type { FetchedPage } from "../../reading/index.ts";

/** The canonical address of a page, where it is worth a look. */
export function canonicalOf({ finalUrl, relations: { canonical } }: FetchedPage): string | undefined {
  if (canonical === undefined || urlKey(canonical) === urlKey(finalUrl)) return undefined;
  return new URL(canonical).origin === new URL(finalUrl).origin ? canonical : undefined;
}

/** Whether an address differs from another only in what often makes no other page. */
export function isVariant(url: string, of: string): boolean {
  const plain = (address: string) =>
    new URL(address).pathname.replace(/\/(?:index|default)\.\w{2,5}$/i, "/").replace(/(?<=.)\/$/, "");
  return plain(url) === plain(of);
}

/** The name of a file that servers show for its folder. */
const INDEX = /\/((?:index|default|home|welcome)\.(?:x?html?|php|aspx?|jsp|cgi))$/i;

/** A parameter without a value. */
const EMPTY_PARAMETER = /[?&][^=&?#]+=(?:&|$)/;

/** The address without the parameters that have no value, where it has such. */
function withoutEmpty(url: string): string | undefined {
  if (!EMPTY_PARAMETER.test(url) || url.includes("#")) return undefined;
  const question = url.indexOf("?");
  const kept = url
    .slice(question + 1)
    .split("&")
    .filter((parameter) => !parameter.endsWith("="));
  return kept.length > 0 ? `${url.slice(0, question)}?${kept.join("&")}` : url.slice(0, question);
}

/** Folders and their index files, and addresses that say nothing more: which address may be another one of a page's. */
export class IndexFiles {
  /** As this site calls them, in the order seen. */
  readonly #names = new Set<string>();
  /** Queries of this site that say nothing. */
  readonly #empties = new Set<string>();

  /** Remembers what a URL of the site calls its index. */
  note(url: string): void {
    const name = INDEX.exec(url)?.[1];
    if (name !== undefined && this.#names.size < MOST_NAMES) this.#names.add(name);
    if (this.#empties.size < MOST_NAMES && withoutEmpty(url)?.includes("?") === false)
      this.#empties.add(url.slice(url.indexOf("?")));
  }

  /** Whether the address of a page gives way to its twin's when both come at once. */
  static givesWay(url: string): boolean {
    return INDEX.test(url) || withoutEmpty(url) !== undefined;
  }

  /**
   * The address without empty parameters; the folder of an index file; the index files of a folder, and the addresses
   * with empty parameters, that the site might have.
   */
  twinsOf(url: string): readonly string[] {
    const plain = withoutEmpty(url);
    if (plain !== undefined) return [plain];
    if (INDEX.test(url)) return [url.replace(INDEX, "/")];
    if (/[?#]/.test(url)) return [];
    const names = url.endsWith("/") ? [...this.#names, ...this.#empties] : [...this.#empties];
    return names.map((name) => url + name);
  }
}

/** More than these are made up. */
const MOST_NAMES = 4;

/** Whether two pages say the same. */
export function isSamePage(
  page: Pick<FetchedPage, "contentHash" | "signature" | "textLength">,
  canonical: Pick<PageRecord, "content_hash" | "signature">,
): boolean {
  // Two pages that say nothing before their scripts have run have nothing in common.
  if (page.textLength === 0) return false;
  if (page.contentHash === canonical.content_hash) return true;
  const { signature } = page;
  return (
    signature !== undefined &&
    canonical.signature !== undefined &&
    isNearDuplicate(signature, canonical.signature)
  );
}

/** Whether a folder and its index file say exactly the same; what they link to themselves is written as mere text. */
export function isSameText(one: Pick<PageRecord, "content">, other: Pick<PageRecord, "content">): boolean {
  const unlinked = ({ content }: Pick<PageRecord, "content">) =>
    content.replace(/\[((?:[^[\]\\]|\\.)*)\]\([^)\s]*\)/g, "$1");
  return one.content !== "" && unlinked(one) === unlinked(other);
}
