/**
 * Merges several groups of pages into one, or adds one group to the group whose pages have the most similar
 * structure.
 */

import type { Group, Slot } from "./page-group.ts";
import { groupSimilarity } from "./page-group-similarity.ts";
import { NEVER, type Need } from "./same-screen-threshold.ts";

/**
 * Maximum number of groups with which a new group is compared before it counts as a separate screen. A site
 * has at most a few hundred templates, so more comparisons find nothing and take time.
 */
const MOST_COMPARED = 300;
/**
 * Adds the pages of a group to the most similar group in `groups`. If none is similar enough, appends the
 * group to `groups`.
 */
export function join(groups: Group[], group: Group, threshold: (other: Group) => Need): void {
  let best: Group | undefined;
  let most = -1;
  for (const other of groups.slice(0, MOST_COMPARED)) {
    const needed = threshold(other);
    if (needed === NEVER) continue;
    const alike = groupSimilarity(other, group, needed);
    if (alike < needed.least || alike <= most) continue;
    best = other;
    most = alike;
  }
  if (!best) {
    groups.push(group);
    return;
  }
  add(best, group);
}

/** Adds the pages of a group to another group. */
export function add(to: Group, { members, path, query, title, functions }: Group): void {
  to.path = commonSlots(to.path, path);
  to.query = commonParameters(to.query, query);
  to.members.push(...members);
  if (to.title !== title) to.title = undefined;
  if (functions) to.functions = new Set([...(to.functions ?? []), ...functions]);
}

/** A group is marked as steady if it contains at least this share (0 to 1) of all given pages. */
const STEADY = 0.8;
/**
 * If one of the groups contains nearly all pages, marks this group as steady. Returns the given groups. Structural
 * features that vary inside of a steady group are content.
 */
export function markSteady(groups: Group[]): Group[] {
  const all = groups.reduce((sum, { members }) => sum + members.length, 0);
  for (const group of groups) if (group.members.length >= STEADY * all) group.steady = true;
  return groups;
}

/**
 * Returns the slots (path segments and query parameters) that two page groups have in common. A slot whose
 * value differs becomes variable. If the numbers of slots differ, returns the slots of the first group.
 */
function commonSlots(a: readonly Slot[], b: readonly Slot[]): readonly Slot[] {
  if (a.length !== b.length) return a;
  return a.map((slot, at) => ({ ...slot, value: slot.value === b[at]?.value ? slot.value : undefined }));
}

/** Returns the query parameters that both groups have. Parameters of only one group are optional. */
function commonParameters(a: readonly Slot[], b: readonly Slot[]): readonly Slot[] {
  if (a.length === b.length) return commonSlots(a, b);
  const names = new Set(b.map(({ name }) => name));
  const others = new Set(a.map(({ name }) => name));
  return commonSlots(
    a.filter(({ name }) => names.has(name)),
    b.filter(({ name }) => others.has(name)),
  );
}
