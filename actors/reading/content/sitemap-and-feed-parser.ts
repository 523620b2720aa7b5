/**
 * Parses what a site publishes for crawlers: a sitemap (sitemaps.org 0.9: XML, a sitemap index, or plain
 * text) or a feed (RSS, RDF, Atom).
 *
 * Its URLs are only added to the crawl. They are not links between pages.
 */
import { Parser } from "htmlparser2";
import { normaliseUrl } from "../../../machines/exploration/crawl/normalise-url.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";

export interface Listing {
  /** Normalised URLs in the order of the sitemap or feed, without duplicates. */
  readonly pages: readonly string[];
  /** URLs of the sitemaps to which a sitemap index refers. */
  readonly sitemaps: readonly string[];
}

/**
 * Maps the name of a parent element to two facts: the tag of its child whose text is a URL (`tag`), and the
 * part of the result to which this URL is added (`list`).
 */
const URL_ELEMENTS: Readonly<Record<string, { readonly tag: string; readonly list: keyof Listing }>> = {
  url: { tag: "loc", list: "pages" },
  sitemap: { tag: "loc", list: "sitemaps" },
  item: { tag: "link", list: "pages" },
};

/**
 * Parses a listing (a sitemap or a feed) and never throws. Text in another format gives an empty listing.
 *
 * @param url the address of the listing
 */
export function readListing(text: string, url: string): Listing {
  const found = { pages: new Set<string>(), sitemaps: new Set<string>() };
  const most = readingLimits.listedPages;
  const add = (list: keyof Listing, written: string): void => {
    const address = normaliseUrl(written.trim(), url);
    if (address !== undefined && found[list].size < most) found[list].add(address);
  };
  if (/^[\s\ufeff]*</.test(text)) readXml(text, add);
  else for (const line of text.split(/\r\n|\r|\n/)) if (/^\s*https?:\/\//i.test(line)) add("pages", line);
  return { pages: [...found.pages], sitemaps: [...found.sitemaps] };
}

function readXml(text: string, add: (list: keyof Listing, written: string) => void): void {
  /**
   * The state of the parser. `around`: the tag of the current entry. `prefix`: the namespace prefix of this
   * tag. `reading`: the element whose text is being read as the entry's address, such as `loc`.
   */
  let around = "";
  let prefix = "";
  let reading: (typeof URL_ELEMENTS)[string] | undefined;
  let written = "";
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = localName(name);
        if (tag === "entry" || tag in URL_ELEMENTS) {
          around = tag;
          prefix = name.slice(0, -tag.length);
        }
        const rel = attributes.rel ?? "alternate";
        if (around === "entry" && tag === "link" && rel === "alternate") add("pages", attributes.href ?? "");
        // Images and videos in a sitemap also have a `loc` element, in another namespace. These elements are
        // ignored.
        const address = name === prefix + tag ? URL_ELEMENTS[around] : undefined;
        if (address?.tag === tag) {
          reading = address;
          written = "";
        }
      },
      ontext(piece) {
        if (reading && written.length <= readingLimits.urlLength) written += piece;
      },
      onclosetag(name) {
        const tag = localName(name);
        if (reading?.tag === tag) {
          add(reading.list, written);
          reading = undefined;
        }
        if (tag === around) around = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}
