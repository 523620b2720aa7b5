/**
 * Names a screen by its page's title without the parts that all titles of the site share: "Orders | Acme"
 * becomes Orders. The shared parts are derived from several titles, so they may be prefixes or suffixes.
 */

/**
 * Separators in titles. Some need space on both sides, because a hyphen inside a word is none. Others need
 * space only after them.
 */
const SEPARATOR = /\s+(?:[|·•»«›‹—–~/\\]|-{1,3}|::?|<|>)\s+|\s*[|»›]\s*|:\s+/u;

/** The non-empty parts of a title, in order. */
export function titleParts(title: string): readonly string[] {
  return tidy(title)
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Collapses white space, and drops permalink marks (¶, #, §, 🔗) at the end. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/(?:\s*(?:¶|§|🔗|⚓|\s#))+$/u, "")
    .trim();
}

/**
 * Returns the title parts that belong to the site. These are parts at the start or end of more than half of
 * its titles (at least two), and also parts that stand outside of such a part. All titles must be of one
 * site.
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

/** Whether a title consists only of parts that belong to the site. */
export function isOnlySite(title: string, common: ReadonlySet<string>): boolean {
  return withoutEnds(titleParts(title), common).length === 0;
}

export interface NamedPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/**
 * The name is never empty. Without a usable title it is the first heading, then the last words of the URL,
 * then the host.
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

/** The title from part `start` to part `end`. The separators between them belong to the name. */
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
    // A text with an invalid escape is kept unchanged.
  }
  const words = text
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[-_+]+/g, " ")
    .trim();
  return words === "" ? parsed.host : words.charAt(0).toUpperCase() + words.slice(1);
}
