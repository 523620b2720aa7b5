/**
 * Learns from the pages of a site which words in its addresses select functions, such as `log` and `blame` in
 * `/{project}/log` and `/{project}/blame`.
 */

import { isFunctionSegment } from "../addresses/page-address-parts.ts";
import { areProjectsAt, type Site } from "./item-names-in-addresses.ts";
import { type Group, slotsOf } from "./page-group.ts";
import { groupSimilarity } from "./page-group-similarity.ts";
import { ALIKE, need } from "./same-screen-threshold.ts";
import { functionSegment } from "./site-function-of-page-group.ts";

/**
 * Indexes of the path segments that may be the name of a project: 0 in `/{project}/log`, 1 in
 * `/git/{project}/log`.
 */
const PROJECT_POSITIONS = [0, 1, 2];

/**
 * Returns the positions of the path segments that are names of projects, if all projects have the same
 * functions. In `/town/log` and `/mill/log`, `town` and `mill` are projects, and `log` is a function.
 *
 * Also marks the functions in the groups of pages.
 */
export function projectPositions(groups: readonly Group[], words: Site["words"]): ReadonlySet<number> {
  const plain = groups.filter((group) => functionSegment(group) === undefined);
  const found = PROJECT_POSITIONS.filter((position) => {
    const longer = withCommonWord(plain, position);
    const functions = areProjectsAt(longer, position, words) ? functionsAt(longer, position + 1) : undefined;
    if (!functions) return false;
    markFunctions(
      longer.filter(({ path }) => functions.has(path[position + 1]?.value ?? "")),
      position + 1,
    );
    return true;
  });
  return new Set(found);
}

/**
 * Returns the groups whose addresses have a common word directly after the given position. An example is
 * `log` in `/town/log` and `/mill/log`: it follows two different values at position 0.
 */
function withCommonWord(groups: readonly Group[], position: number): readonly Group[] {
  const values = new Map<string, Set<string>>();
  for (const { path } of groups) {
    const [value = "", word] = [path[position]?.value, path[position + 1]?.value];
    if (word !== undefined) values.set(word, (values.get(word) ?? new Set<string>()).add(value));
  }
  return groups.filter(({ path }) => (values.get(path[position + 1]?.value ?? "")?.size ?? 0) > 1);
}

/**
 * Marks the segment at this position as a function of the site, such as `log` in `/town/log`. A variable
 * segment, such as `{n}`, is not marked.
 */
export function markFunctions(groups: readonly Group[], position: number): void {
  for (const group of groups) {
    const value = group.path[position]?.value;
    // A segment such as `+history` is not marked, because its sign `+` already shows that it is a function of
    // the site.
    if (value !== undefined && /^[^{}]+$/.test(value) && !isFunctionSegment(value))
      group.functions = new Set([...(group.functions ?? []), position]);
  }
}

/**
 * Maximum number of groups that are compared with each other to judge one segment of the addresses. The
 * addresses of these groups differ only in this segment.
 */
const MOST_SAMPLED = 24;
/**
 * Maximum number of comparisons of groups for one segment of the addresses of a site. After this number, the results
 * so far decide which values of the segment select functions, such as `log`.
 */
const MOST_JUDGED = 5_000;

/**
 * Returns the values of one address segment that select functions of the site, such as `settings` in
 * `/town/settings`. A value selects a function if its pages differ in structure from the pages of all other
 * values. Returns `undefined` if the pages are so similar that the values must be names of items.
 */
function functionsAt(groups: readonly Group[], position: number): ReadonlySet<string> | undefined {
  const likeness = new Map<string, Map<string, { sum: number; count: number }>>();
  const note = (value: string, other: string, similarity: number) => {
    const others = likeness.get(value) ?? new Map<string, { sum: number; count: number }>();
    const { sum, count } = others.get(other) ?? { sum: 0, count: 0 };
    likeness.set(value, others.set(other, { sum: sum + similarity, count: count + 1 }));
  };
  let judged = 0;
  for (const bucket of Map.groupBy(groups, (group) => textWithout(group, position)).values()) {
    if (judged > MOST_JUDGED) break;
    for (const [at, a] of bucket.slice(0, MOST_SAMPLED).entries()) {
      for (const b of bucket.slice(at + 1, MOST_SAMPLED)) {
        const [value = "", other = ""] = [a.path[position]?.value, b.path[position]?.value];
        const similarity = groupSimilarity(a, b, need("items", true));
        note(value, other, similarity);
        note(other, value, similarity);
        judged += 1;
      }
    }
  }
  const means = [...likeness].map(
    ([value, others]) => [value, [...others.values()].map(({ sum, count }) => sum / count)] as const,
  );
  const all = means.flatMap(([, some]) => some);
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  if (all.length === 0 || mean >= ALIKE.items) return undefined;
  // If pages with different values of the path segment have the same structure, the segment selects no
  // function. It may be the name of a branch in the addresses of a repository.
  return new Set(means.flatMap(([value, some]) => (Math.max(...some) < ALIKE.sections ? [value] : [])));
}

/** Returns the address of a group as text, with `*` in place of the segment or parameter at this position. */
export function textWithout(group: Group, position: number): string {
  return slotsOf(group)
    .map(({ name, value }, at) => (at === position ? "*" : `${name}=${value ?? "*"}`))
    .join("\n");
}
