/**
 * Computes the permanent id of a screen. The id is readable and short, and derived only from the key of the
 * page's URL. It must not depend on the content, because transitions are written before their target page is
 * ingested.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import type { UrlKey } from "../../records/record-ids.ts";

const MAX_SLUG = 48;
/**
 * File extensions that state how a page is made and not what it is about. They are not part of a screen's id.
 */
const PAGE_ENDING = /\.(?:x?html?|php\d?|aspx?|jspx?|cgi|md)$/i;

/**
 * A 53-bit string hash (cyrb53 by bryc, public domain) as eight base-36 digits. The chance that any two of
 * 10,000 screens have the same hash is 2 in 100,000. Even then, their ids are equal only if their words are
 * equal too.
 */
export function shortHash(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const value = 4294967296 * (2097151 & high) + (low >>> 0);
  return value.toString(36).padStart(8, "0").slice(-8);
}

/**
 * Converts a text to lower-case ASCII words joined by `_`. Accents are removed. A text without Latin letters
 * becomes empty; then only the hash in the id distinguishes the screen.
 */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, MAX_SLUG)
    .replace(/_+$/, "");
}

/** Computes a screen's id: `https://docs.example.com/library/os.html` becomes `library_os_1k2j3h4g`. */
export function screenIdOf(key: UrlKey): string {
  const url = URL.parse(key);
  const segments = url ? url.pathname.split("/").filter((segment) => segment !== "") : [key];
  const words = segments.slice(-2).map(percentDecoded);
  const last = words.at(-1);
  if (last !== undefined) words[words.length - 1] = last.replace(PAGE_ENDING, "");
  if (url && url.search !== "") words.push(percentDecoded(url.search));
  if (url && url.hash !== "") words.push(percentDecoded(url.hash));
  const readable = slug(words.join(" ")) || (segments.length === 0 ? "home" : "page");
  return `${readable}_${shortHash(key)}`;
}
