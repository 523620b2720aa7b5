/**
 * Formats texts for language models: short lists on one line, fields as compact JSON, long lists with the
 * number of omitted lines.
 */

/** Writes a line of the form `name: value`. A text has no quotes; any other value is written as JSON. */
export function fieldLine(name: string, value: unknown): string {
  return `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** Whether a value is neither null nor empty. */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/**
 * Returns one line for each property of a result that is not empty. Properties in `known` are left out, because
 * they are already shown.
 */
export function otherLines(
  fields: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    known.has(name) || !isGiven(value) ? [] : [fieldLine(name, value)],
  );
}

/**
 * Returns a line for each of the first items. If items are left out, a last line has their number and `rest`,
 * which explains how to get them.
 */
export function firstLines<Item>(
  items: readonly Item[],
  most: number,
  line: (item: Item, at: number) => string,
  rest: string,
): readonly string[] {
  const lines = items.slice(0, most).map(line);
  return items.length > most ? [...lines, `… and ${items.length - most} more: ${rest}`] : lines;
}

/**
 * Removes closing tags from lines that describe elements. The tags add no information and take a third of the
 * tokens.
 */
export function withoutClosingTags(lines: string): string {
  return lines.replace(/<\/[\w-]+>$/gm, "");
}

/** Returns the text on one line, shortened to a maximum length. */
export function oneLine(text: string, most: number): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}

/** Removes the origin (scheme, host and port) from `url`, if `base` has the same origin. */
export function withoutOrigin(url: string, base: string): string {
  const origin = URL.parse(base)?.origin;
  if (origin === undefined || origin === "null" || !url.startsWith(`${origin}/`)) return url;
  return url.slice(origin.length);
}

/** Writes numbers as ranges: `3, 7-9` for 3, 7, 8 and 9. */
export function ranges(indices: readonly number[]): string {
  const sorted = [...indices].sort((one, other) => one - other);
  const runs: [first: number, last: number][] = [];
  for (const index of sorted) {
    const run = runs.at(-1);
    if (run && index === run[1] + 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
