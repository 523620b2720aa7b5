/**
 * A list of pages that a site publishes for machines: a sitemap (sitemaps.org 0.9: XML, an index of further ones, or
 * plain text, gzipped or not) or a feed (RSS, RDF, Atom).
 *
 * Pure: `listing-fetch.ts` brings the bytes. What is listed are discoveries, never links between pages.
 */
import { Parser } from "htmlparser2";
import { normaliseUrl } from "../../machines/exploration/normalise-url.ts";
import { readingLimits } from "../../machines/reading/limits.ts";

export interface Listing {
  /** Normalised, in the order of the list, none twice. */
  readonly pages: readonly string[];
  /** Further sitemaps that an index names. */
  readonly sitemaps: readonly string[];
}

/** The element whose text is an address, by the element around it. */
const ADDRESS_IN: Readonly<Record<string, { readonly tag: string; readonly list: keyof Listing }>> = {
  url: { tag: "loc", list: "pages" },
  sitemap: { tag: "loc", list: "sitemaps" },
  item: { tag: "link", list: "pages" },
};

/** Reads a list, however broken; what is no list has nothing in it. `url` is where it was found. */
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
  /** The element whose children are looked at, with its namespace's prefix, and the address that is being read. */
  let around = "";
  let prefix = "";
  let reading: (typeof ADDRESS_IN)[string] | undefined;
  let written = "";
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = local(name);
        if (tag === "entry" || tag in ADDRESS_IN) {
          around = tag;
          prefix = name.slice(0, -tag.length);
        }
        const rel = attributes.rel ?? "alternate";
        if (around === "entry" && tag === "link" && rel === "alternate") add("pages", attributes.href ?? "");
        // Images and videos of a sitemap have a `loc` of their own, in another namespace.
        const address = name === prefix + tag ? ADDRESS_IN[around] : undefined;
        if (address?.tag === tag) {
          reading = address;
          written = "";
        }
      },
      ontext(piece) {
        if (reading && written.length <= readingLimits.urlLength) written += piece;
      },
      onclosetag(name) {
        const tag = local(name);
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

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}
