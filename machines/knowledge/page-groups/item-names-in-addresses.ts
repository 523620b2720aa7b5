/**
 * Determines which path segments of a site's addresses are names of items, such as tables of a database. The
 * names of projects that have the same operations count as items too.
 */
import type { ScreenAddress } from "../addresses/page-address-parts.ts";
import type { Group } from "./page-group.ts";

/**
 * Facts about the addresses of a site, by which names of items are recognised, such as `town` in `/town/log`.
 */
export interface Site {
  readonly homes: Homes;
  /**
   * For each beginning of an address, the segments that follow it. For example, `log` and `tree` follow
   * `/town` in `/town/log` and `/town/tree`.
   */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
}

/** For each address without its parameters, the group of the page at this address. */
export type Homes = Map<string, Group>;

export function wordsBelow(groups: readonly Group[]): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  for (const { address } of groups.flatMap(({ members }) => members)) {
    for (const [at, { masked, value }] of address.path.entries()) {
      if (at === 0 || masked !== value || !WORD.test(value)) continue;
      const start = beginning(address, at);
      const found = words.get(start);
      if (found) found.add(value);
      else words.set(start, new Set([value]));
    }
  }
  return words;
}

/**
 * Minimum share (0 to 1) in two checks of the path segments at one position:
 * - The segments are names of items if this share of the pages at these addresses belong to one screen.
 * - The segments are names of projects if this share of each project's operations also exist in the project
 *   with the most operations.
 */
const MOST = 0.6;
/** Matches a segment that may be the name of an operation, such as `log` in `/town/log`. */
const WORD = /^\p{L}[\p{L}_-]*$/u;
/**
 * Two values of a path segment count as projects if at least this number of operations occur below both. For
 * example, `log`, `tree` and `blame` occur below `/town` and `/mill`.
 */
const SHARED_WORDS = 3;

/** Returns the host and first segments of an address. Numbers, dates and ids in them are masked. */
export function beginning({ host, path }: ScreenAddress, length: number): string {
  return [host, ...path.slice(0, length).map(({ masked }) => masked)].join("/");
}

/**
 * Whether the values at this position are names of items, as in `/shop/tea` and `/shop/rice`. This is the
 * case if most pages whose addresses end at this position belong to one screen.
 */
export function areItemsAt(bucket: readonly Group[], position: number, { homes }: Site): boolean {
  const parents = new Map<Group, number>();
  for (const { members, path } of bucket) {
    const [first] = members;
    if (!first || position >= path.length - 1) return false;
    const parent = homes.get(beginning(first.address, position + 1));
    if (parent) parents.set(parent, (parents.get(parent) ?? 0) + 1);
  }
  const most = Math.max(0, ...parents.values());
  return most > 1 && most >= MOST * bucket.length;
}

/**
 * Whether several values at this position of the addresses are names of projects, such as `town` and `mill`
 * in `/town/log` and `/mill/log`.
 */
export function areProjectsAt(groups: readonly Group[], position: number, words: Site["words"]): boolean {
  const buckets = Map.groupBy(groups, ({ path }) =>
    path.map(({ value }, at) => (at === position ? "" : value)).join("/"),
  );
  return [...buckets.values()].some((bucket) => {
    const byValue = new Map(bucket.map((group) => [group.path[position]?.value, group]));
    return byValue.size > 1 && areProjects([...byValue.values()], position, words);
  });
}

/**
 * Whether the values at this position are names of projects that have the same operations, as in `/town/log`,
 * `/town/tree`, `/mill/log` and `/mill/tree` (cgit, klaus, GitHub).
 */
export function areProjects(bucket: readonly Group[], position: number, words: Site["words"]): boolean {
  const own = bucket.map(({ members: [first], path }) =>
    first && (path.length === position + 1 || WORD.test(path[position + 1]?.value ?? ""))
      ? words.get(beginning(first.address, position + 1))
      : undefined,
  );
  const [most, ...others] = own.map((set) => set ?? new Set<string>()).sort((a, b) => b.size - a.size);
  return others.every((set) => {
    const shared = [...set].filter((word) => most?.has(word)).length;
    return shared >= SHARED_WORDS && shared >= MOST * set.size;
  });
}
