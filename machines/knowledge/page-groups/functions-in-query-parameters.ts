/**
 * Learns from the menu of a site which query parameters select a function of a program, such as
 * `tipo_tabella` in `/tables.php?tipo_tabella=clients` (HotelDruid) and `c` in `/index.php?c=users` (LimeSurvey
 * and other programs with one script). Their names may be in any language.
 */
import { agree, type Group, isVariable, type Member } from "./page-group.ts";
import { memberSimilarity } from "./page-group-similarity.ts";
import { ALIKE, need } from "./same-screen-threshold.ts";

/**
 * A parameter selects a function only if the menu leads to at least this number of its values on one path.
 * Values with digits do not count. A parameter with fewer values may switch a setting, such as `view=list`.
 */
const WORDS_IN_MENU = 3;
/**
 * A parameter selects a function, such as `users` in `?c=users`, only if the pages with its different values have at
 * least this number of different structures. The tabs of one table have two: with and without entries.
 */
const STRUCTURES = 3;
/**
 * Maximum number of values of a parameter whose pages are compared. Each page is compared with all others.
 */
const MOST_COMPARED = 12;
/**
 * Matches a value that may name a function of the program, such as `users` in `?c=users`. A value with digits is usually
 * an id, a date or a version.
 */
const WORD = /^\p{L}[\p{L}_-]*$/u;

/** Whether a parameter in the address of the page selects a function of the program, as `c` does in `?c=users`. */
export type SelectsFunction = (page: Member, parameter: string) => boolean;

/**
 * Returns a function that decides whether a parameter selects a function. It does if the menu leads to
 * several of its values, and the pages with these values mostly differ in structure. The tabs of one table,
 * which a menu may also list, do not.
 */
export function functionsInParameters(pages: readonly Member[]): SelectsFunction {
  const found = new Map<string, Map<string, Member>>();
  for (const page of pages) {
    if (!page.site_wide || page.state !== undefined) continue;
    for (const { name, masked } of page.address.query) {
      if (!WORD.test(masked)) continue;
      const key = parameterKey(page, name);
      const words: Map<string, Member> = found.get(key) ?? new Map();
      found.set(key, words);
      if (!words.has(masked)) words.set(masked, page);
    }
  }
  const selecting = new Set(
    [...found].flatMap(([key, words]) => (mostlyDiffer([...words.values()]) ? [key] : [])),
  );
  return (page, parameter) => selecting.has(parameterKey(page, parameter));
}

function parameterKey({ address: { host, path } }: Member, name: string): string {
  return [host, ...path.map(({ masked }) => masked), name].join("\n");
}

/**
 * Whether the given pages have at least `STRUCTURES` different structures. In addition, their mean similarity
 * must be below that of two items of one screen.
 */
function mostlyDiffer(all: readonly Member[]): boolean {
  if (all.length < WORDS_IN_MENU) return false;
  const pages = all.slice(0, MOST_COMPARED);
  const similarity = (a: Member, b: Member): number => memberSimilarity(a, b, need("sections"));
  const structures: Member[] = [];
  for (const page of pages)
    if (structures.every((other) => similarity(page, other) < ALIKE.items)) structures.push(page);
  if (structures.length < STRUCTURES) return false;
  const pairs = pages.flatMap((page, at) => pages.slice(at + 1).map((other) => [page, other] as const));
  const sum = pairs.reduce((total, [a, b]) => total + similarity(a, b), 0);
  return sum / pairs.length < ALIKE.items;
}

/**
 * Whether the addresses of two groups have different words in a parameter that selects a function, such as
 * `?tipo_tabella=clients` and `?tipo_tabella=rooms`.
 */
export function differInSelectedFunction(
  { path: a, query }: Group,
  { path: b, query: other }: Group,
): boolean {
  if (a.length !== b.length || a.some((slot, at) => !agree(slot, b[at]))) return false;
  return query.some(({ name, value, selects }) => {
    if (!selects || isVariable(value)) return false;
    const there = other.find((slot) => slot.name === name)?.value;
    return there !== undefined && !isVariable(there) && there !== value;
  });
}
