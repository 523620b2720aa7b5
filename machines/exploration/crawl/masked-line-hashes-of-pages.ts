/**
 * Hashes the lines of a page, with numbers, dates and URL parameters masked. Generated pages then have equal
 * lines: at `?color=red&page=17`, "Page 17 of red shoes" becomes "Page # of ~ shoes". Links to related pages of the same template are
 * ignored, and images are compared by their addresses.
 */

import { explorationLimits } from "../exploration-limits.ts";
import { isDateWord } from "./month-and-day-names.ts";

/** Maps the hash of each line of a page to its weight: the number of its words, up to a maximum. */
export type PageLines = ReadonlyMap<number, number>;

export interface LinedPage {
  readonly url: string;
  readonly title: string;
  /** The text of a page as Markdown. */
  readonly content: string;
  /** Returns whether a link in `content` leads to a page with the same URL template as this page. */
  readonly isRelative: (href: string) => boolean;
}

const LINE_WEIGHT = 30;
/** A new image on a page counts as much as this number of new words. */
const IMAGE_WEIGHT = 10;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const WORD = /[\p{L}\p{N}]+/gu;
const LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\(<?([^()\s<>]*)>?(?:\s+"[^"]*")?\)/g;

export function pageLines({ url, title, content, isRelative }: LinedPage): PageLines {
  const own = new Set<string>(url.slice(url.indexOf("//")).toLowerCase().match(WORD) ?? []);
  const lines = new Map<number, number>();
  const add = (line: string): void => {
    let bare = line;
    if (line.includes("](")) {
      bare = line.replace(LINK, (written: string, text: string, href: string) => {
        if (written.startsWith("!")) lines.set(hashOf(href.split("?", 1)[0] ?? ""), IMAGE_WEIGHT);
        return isRelative(href) ? " " : ` ${text} `;
      });
    }
    let hash = FNV_OFFSET;
    let weight = 0;
    for (const word of bare.toLowerCase().match(WORD) ?? []) {
      const masked = hasDigit(word) ? "#" : own.has(word) ? "~" : isDateWord(word) ? "@" : word;
      hash = Math.imul(hashOf(masked, hash) ^ 0x20, FNV_PRIME);
      weight += 1;
    }
    if (weight > 0) lines.set(hash >>> 0, Math.min(weight, LINE_WEIGHT));
  };
  add(title);
  const { comparedLength, comparedLines } = explorationLimits;
  for (const line of content.slice(0, comparedLength).split("\n")) {
    if (lines.size >= comparedLines) break;
    add(line);
  }
  return lines;
}

/** Computes the FNV-1a hash of a text over its UTF-16 code units. */
function hashOf(text: string, start = FNV_OFFSET): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

function hasDigit(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}

/** Returns the share of a page's lines that is new, by weight: from 0 to 1; 0 for a page without lines. */
export function noveltyShare(lines: PageLines, known: { has(line: number): boolean }): number {
  let all = 0;
  let news = 0;
  for (const [line, weight] of lines) {
    all += weight;
    if (!known.has(line)) news += weight;
  }
  return all === 0 ? 0 : news / all;
}
