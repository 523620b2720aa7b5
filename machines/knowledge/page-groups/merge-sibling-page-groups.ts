/**
 * Merges sibling groups of pages: groups whose addresses differ in one position, such as `/orders/{n}` and
 * `/notes/{n}`. They are merged if the values at this position are names of items, and not of sections or
 * functions of the site.
 */
import { nameDifferentScreens } from "./addresses-of-different-screens.ts";
import { differInOperation, repeatInParents } from "./fixed-address-endings.ts";
import { areFilesAndFolders } from "./folders-that-are-items.ts";
import {
  areItemsAt,
  areProjects,
  beginning,
  type Homes,
  type Site,
  wordsBelow,
} from "./item-names-in-addresses.ts";
import { type Group, isDestination, type Slot, slotsOf, stateOf } from "./page-group.ts";
import { join, markSteady } from "./page-group-merge.ts";
import { isInFolder, VARIED } from "./pages-of-one-template.ts";
import { differInProgram } from "./program-files-with-item-ids.ts";
import {
  ALIKE,
  inWordyFolders,
  MANY_VALUES,
  NEVER,
  type Need,
  need,
  stricter,
  thresholdAt,
} from "./same-screen-threshold.ts";
import { differInFunction, functionSegment, haveFunctionTitle } from "./site-function-of-page-group.ts";
import { markFunctions, projectPositions, textWithout } from "./words-for-functions-in-addresses.ts";
import { areOfKinds } from "./words-for-item-kinds-in-addresses.ts";

/**
 * Values at a position of addresses, such as the second path segment, count as names of sections if at least this
 * share (0 to 1) of the groups with them stay separate screens.
 */
const SECTIONS = 0.8;

interface SiteOfSiblings extends Site {
  /**
   * The beginnings of addresses after which a kind of items follows. In `/jobs/cleanup`, `jobs` is a kind,
   * and the beginning is `/`.
   */
  readonly beforeKinds: ReadonlySet<string>;
  /** The groups whose address is the start of other groups' addresses. */
  readonly parents: ReadonlySet<Group>;
}

/**
 * Merges groups whose addresses differ in one position, such as the second path segment. The position with the most
 * different values is merged first.
 */
export function bySiblings(groups: readonly Group[], beforeKinds: ReadonlySet<string>): Group[] {
  const families = Map.groupBy(groups, (group) => {
    const host = group.members[0]?.address.host ?? "";
    return [host, stateOf(group), group.path.length, ...group.query.map(({ name }) => name)].join("\n");
  });
  const homes: Homes = new Map();
  const words = wordsBelow(groups);
  const site: SiteOfSiblings = { homes, words, beforeKinds, parents: parentsIn(groups) };
  const projects = projectPositions(groups, words);
  // Shorter addresses come first. `/shop/orders` and `/shop/notes` must be grouped before `/shop/orders/1`
  // and `/shop/notes/1` are compared.
  const ordered = [...families.values()].sort((a, b) => (a[0]?.path.length ?? 0) - (b[0]?.path.length ?? 0));
  return ordered.flatMap((family) => {
    let current = family;
    const positions = (family[0]?.path.length ?? 0) + (family[0]?.query.length ?? 0);
    const variety = (position: number) =>
      new Set(current.map((group) => slotsOf(group)[position]?.value ?? "")).size;
    const order = Array.from({ length: positions }, (_, position) => ({
      position,
      values: variety(position),
      ofProjects: projects.has(position),
    })).sort(
      (a, b) => Number(b.ofProjects) - Number(a.ofProjects) || b.values - a.values || b.position - a.position,
    );
    for (const { position } of order) current = mergedAt(current, position, site);
    for (const group of current.filter(({ query }) => query.length === 0))
      for (const { address } of group.members) homes.set(beginning(address, address.path.length), group);
    return current;
  });
}

/**
 * Returns the groups whose address is the start of other groups' addresses: `/blog/tags` is the start of
 * `/blog/tags/news`.
 */
function parentsIn(groups: readonly Group[]): ReadonlySet<Group> {
  const beginnings = new Set<string>();
  const text = (path: readonly Slot[]) => path.map(({ value }) => value ?? "*").join("/");
  for (const { path } of groups) {
    for (let length = 1; length < path.length; length++) beginnings.add(text(path.slice(0, length)));
  }
  return new Set(groups.filter(({ path }) => path.length > 0 && beginnings.has(text(path))));
}

/** Merges groups of pages that have similar structure and whose addresses differ only at `position`. */
function mergedAt(groups: readonly Group[], position: number, site: SiteOfSiblings): Group[] {
  const buckets = Map.groupBy(groups, (group) => textWithout(group, position));
  return [...buckets.values()].flatMap((bucket) => mergedSiblings(bucket, groups, position, site));
}

/**
 * Merges siblings: groups whose addresses differ only at `position`.
 *
 * @param family all groups whose addresses have as many parts as those of the siblings
 */
function mergedSiblings(
  siblings: Group[],
  family: readonly Group[],
  position: number,
  site: SiteOfSiblings,
): Group[] {
  const [first, second] = siblings;
  if (first && second && areOfKinds(first, second, site.beforeKinds)) return siblings;
  const projects = areProjects(siblings, position, site.words);
  const usual = thresholdAt(siblings, position, projects || areItemsAt(siblings, position, site));
  const isOfParts = !projects && repeatInParents(siblings, position);
  const threshold = isOfParts ? stricter(usual, need("sections")) : usual;
  if (threshold === NEVER) return mergedInWordyFolders(siblings, position, site);
  const values = new Set(siblings.map((group) => slotsOf(group)[position]?.value)).size;
  const all = siblings.reduce((sum, { members }) => sum + members.length, 0);
  const isUniform = (groups: readonly Group[]) =>
    Math.max(...groups.map(({ members }) => members.length)) >= VARIED * all;
  const joinedBy = (needed: Need, areScriptsItems: boolean) =>
    joinedSiblings(siblings, position, { projects, areScriptsItems }, needed, site);
  // If the pages of nearly all server scripts in a folder are similar, the names of the scripts, such as
  // `tea.php` and `rice.php`, are names of items.
  const areScriptsItems = values >= MANY_VALUES && isUniform(joinedBy(threshold, true));
  const mergedBy = (needed: Need) => joinedBy(needed, areScriptsItems);
  const merged = mergedBy(threshold);
  if (values < MANY_VALUES || threshold.least >= ALIKE.varied || isUniform(merged)) return markSteady(merged);
  if (!isOfParts && isInFolder(siblings, position) && isUniform(mergedBy(need("template"))))
    return markSteady(merged);
  // The path continues after the compared segment, so its values are names of folders with pages of different
  // structure. Such folders are functions of the site. Their pages stay separate screens, even if pages of
  // two folders are similar.
  if (siblings.every(({ path }) => position < path.length - 1)) {
    markFolders(siblings, family, position);
    return siblings;
  }
  if (merged.length === siblings.length) return merged;
  const varied = mergedBy(need("varied"));
  // If nearly all pages are different screens, the values are sections, such as those of settings.
  const strict = varied.length >= SECTIONS * siblings.length ? mergedBy(need("sections")) : varied;
  for (const group of strict) group.varied = true;
  return strict;
}

/**
 * Merges siblings only inside of folders whose names have several words, such as `tutorial-basics`, if there are at
 * least two such folders, and other folders too. Otherwise all siblings stay separate.
 */
function mergedInWordyFolders(siblings: Group[], position: number, site: SiteOfSiblings): Group[] {
  const wordy = inWordyFolders(siblings, position);
  if (wordy.length < 2 || wordy.length === siblings.length) return siblings;
  return [...siblings.filter((group) => !wordy.includes(group)), ...mergedAt(wordy, position, site)];
}

/**
 * Joins those sibling groups whose pages are similar enough in structure to be one screen. The given groups are not
 * changed.
 */
function joinedSiblings(
  siblings: readonly Group[],
  position: number,
  { projects, areScriptsItems }: { readonly projects: boolean; readonly areScriptsItems: boolean },
  usual: Need,
  { parents, words }: SiteOfSiblings,
): Group[] {
  const haveSections = siblings.filter((group) => parents.has(group)).length < siblings.length / 2;
  const merged: Group[] = [];
  for (const group of siblings) {
    const needed = haveSections && parents.has(group) ? { ...usual, ...need("sections") } : usual;
    join(merged, { ...group, members: [...group.members] }, (other) => {
      const isOther =
        (!projects &&
          (isDestination(group) || isDestination(other)) &&
          !areProjects([group, other], position, words)) ||
        differInFunction(group, other) ||
        differInProgram(group, other) ||
        functionSegment(group) !== functionSegment(other);
      if (isOther || nameDifferentScreens(group, other, areScriptsItems)) return NEVER;
      if (haveFunctionTitle(group, other)) return need("query");
      return areFilesAndFolders(group, other) || differInOperation(group, other)
        ? stricter(needed, need("sections"))
        : needed;
    });
  }
  return merged;
}

/**
 * The siblings are groups whose addresses differ only in the folder at `position`. Marks this folder as a
 * function of the site in all groups below these folders.
 */
function markFolders(siblings: readonly Group[], family: readonly Group[], position: number): void {
  const startOf = ({ path }: Group) =>
    path
      .slice(0, position + 1)
      .map(({ value }) => value)
      .join("/");
  const starts = new Set(siblings.map(startOf));
  markFunctions(
    family.filter((group) => starts.has(startOf(group))),
    position,
  );
}
