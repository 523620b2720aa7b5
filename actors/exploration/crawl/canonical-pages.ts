/**
 * Decides whether a page is a duplicate of its canonical page.
 * Sites often name a wrong canonical page, so it is only accepted when it was read and has nearly the same
 * content.
 */

import { urlKey } from "../../../machines/exploration/normalise-url.ts";
import { isNearDuplicate } from "../../../machines/exploration/simhash.ts";
import type { PageRecord } from "../../../machines/records.ts";
import type { FetchedPage } from "../../reading/index.ts";

/** The canonical address of a page, if it must be considered. */
export function canonicalOf({ finalUrl, relations: { canonical } }: FetchedPage): string | undefined {
  if (canonical === undefined || urlKey(canonical) === urlKey(finalUrl)) return undefined;
  return new URL(canonical).origin === new URL(finalUrl).origin ? canonical : undefined;
}

/** Whether an address differs only in parts that usually make no other page. */
export function isVariant(url: string, of: string): boolean {
  const plain = (address: string) =>
    new URL(address).pathname.replace(/\/(?:index|default)\.\w{2,5}$/i, "/").replace(/(?<=.)\/$/, "");
  return plain(url) === plain(of);
}

/** File names that servers return for their folder. */
const INDEX = /\/((?:index|default|home|welcome)\.(?:x?html?|php|aspx?|jsp|cgi))$/i;

/** A parameter without a value. */
const EMPTY_PARAMETER = /[?&][^=&?#]+=(?:&|$)/;

/** The address without empty parameters; `undefined` when it has none. */
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
 * Finds addresses that may be duplicates: folders and index files, addresses with empty parameters.
 *
 * An unknown canonical address is read first when it differs only in parameters or an index file; one on
 * another origin is ignored. A folder and its index file are one page when their texts are equal, and so are an
 * address with empty parameters (`/tree?path=`) and the one without them. The first one read stays; if both
 * arrive together, the shorter one.
 */
export class IndexFiles {
  /** Index file names of this site, in order of discovery. */
  readonly #names = new Set<string>();
  /** Empty queries of this site. */
  readonly #empties = new Set<string>();

  /** Records the index file name or the empty query of a URL. */
  note(url: string): void {
    const name = INDEX.exec(url)?.[1];
    if (name !== undefined && this.#names.size < MOST_NAMES) this.#names.add(name);
    if (this.#empties.size < MOST_NAMES && withoutEmpty(url)?.includes("?") === false)
      this.#empties.add(url.slice(url.indexOf("?")));
  }

  /** Whether the page of this address is dropped when its twin arrives in the same batch. */
  static givesWay(url: string): boolean {
    return INDEX.test(url) || withoutEmpty(url) !== undefined;
  }

  /**
   * The addresses that may show the same page: without empty parameters, the folder of an index file, the
   * index files of a folder.
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

/** Sites with more index file names generate them. */
const MOST_NAMES = 4;

/** Whether two pages have the same content. */
export function isSamePage(
  page: Pick<FetchedPage, "contentHash" | "signature" | "textLength">,
  canonical: Pick<PageRecord, "content_hash" | "signature">,
): boolean {
  // Pages without text before their scripts run cannot be compared.
  if (page.textLength === 0) return false;
  if (page.contentHash === canonical.content_hash) return true;
  const { signature } = page;
  return (
    signature !== undefined &&
    canonical.signature !== undefined &&
    isNearDuplicate(signature, canonical.signature)
  );
}

/** Whether the texts of a folder and its index file are equal, ignoring links to themselves. */
export function isSameText(one: Pick<PageRecord, "content">, other: Pick<PageRecord, "content">): boolean {
  const unlinked = ({ content }: Pick<PageRecord, "content">) =>
    content.replace(/\[((?:[^[\]\\]|\\.)*)\]\([^)\s]*\)/g, "$1");
  return one.content !== "" && unlinked(one) === unlinked(other);
}
