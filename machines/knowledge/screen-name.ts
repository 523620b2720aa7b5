/**
 * Names a screen by the title of its page, without the parts that the titles of the site share: "Orders |
 * Acme" becomes "Orders". The shared parts are derived by comparing several titles, and may stand at either
 * end.
 */

/**
 * Matches separators in titles, such as " | " and ": ". A hyphen separates only with space on both sides,
 * because words may contain hyphens. A colon separates with space after it.
 */
const SEPARATOR = /\s+(?:[|·•»«›‹—–~/\\]|-{1,3}|::?|<|>)\s+|\s*[|»›]\s*|:\s+/u;

/** Returns the non-empty parts of a page's title, in order. */
export function titleParts(title: string): readonly string[] {
  return tidy(title)
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Collapses white space in a title, and drops permalink marks (¶, #, §, 🔗) at its end. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/(?:\s*(?:¶|§|🔗|⚓|\s#))+$/u, "")
    .trim();
}

/**
 * Returns the parts of titles that belong to the whole site, such as "Acme" in "Orders | Acme". More than half
 * of the titles, and at least two, start or end with such a part. Parts between it and the nearest end of a
 * title also belong to the site. All given titles must be of one site.
 */
export function siteParts(titles: Iterable<string>): ReadonlySet<string> {
  const common = new Set<string>();
  let open = [...titles].map(titleParts).filter((parts) => parts.length > 0);
  const enough = Math.max(1, open.length / 2);
  for (;;) {
    const counts = new Map<string, number>();
    for (const parts of open) {
      for (const end of new Set([parts[0], parts.at(-1)])) {
        if (end !== undefined) counts.set(end, (counts.get(end) ?? 0) + 1);
      }
    }
    const found = [...counts].filter(([, count]) => count > enough);
    if (found.length === 0) return common;
    for (const [part] of found) common.add(part);
    open = open.map((parts) => withoutEnds(parts, common)).filter((parts) => parts.length > 0);
  }
}

function withoutEnds(parts: readonly string[], common: ReadonlySet<string>): readonly string[] {
  let start = 0;
  let end = parts.length;
  while (start < end && common.has(parts[start] ?? "")) start += 1;
  while (end > start && common.has(parts[end - 1] ?? "")) end -= 1;
  return parts.slice(start, end);
}

/** Whether a title consists only of parts that the site's titles share, and therefore names no screen. */
export function isOnlySite(title: string, common: ReadonlySet<string>): boolean {
  return withoutEnds(titleParts(title), common).length === 0;
}

export interface NamedPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/**
 * Returns the name of a screen, which is never empty. Without a usable title, the name is the first heading,
 * otherwise the last words of the URL, otherwise the host.
 */
export function screenName(page: NamedPage, common: ReadonlySet<string>): string {
  const title = tidy(page.title);
  const parts = titleParts(title);
  let start = 0;
  let end = parts.length;
  while (start < end && common.has(parts[start] ?? "")) start += 1;
  while (end > start && common.has(parts[end - 1] ?? "")) end -= 1;
  if (start < end) return kept(title, parts, start, end);
  const heading = page.headings.map(tidy).find((text) => text !== "" && !common.has(text));
  return heading ?? (title === "" ? nameOfUrl(page.url) : title);
}

/** Returns the title from part `start` to part `end`, including the separators between these parts. */
function kept(title: string, parts: readonly string[], start: number, end: number): string {
  let from = 0;
  let position = 0;
  let to = title.length;
  for (const [index, part] of parts.entries()) {
    const at = title.indexOf(part, position);
    if (index === start) from = at;
    position = at + part.length;
    if (index === end - 1) to = position;
  }
  return title.slice(from, to);
}

function nameOfUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const last = parsed.pathname.split("/").findLast((segment) => segment !== "");
  if (last === undefined) return parsed.host;
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // A text with an invalid percent-escape is returned unchanged.
  }
  const words = text
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[-_+]+/g, " ")
    .trim();
  return words === "" ? parsed.host : words.charAt(0).toUpperCase() + words.slice(1);
}
