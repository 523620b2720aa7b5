/**
 * Groups the pages of a site into screens, as a person would count them: pages of one template with the same
 * structure are one screen, whatever their content.
 *
 * Two pages are compared when their addresses differ in one position, as `/orders/17` and `/orders/18` do.
 * The more the addresses suggest one screen, the less similar the structure has to be.
 */

import { differInCollection } from "./collections-of-items.ts";
import {
  areOperationAndNumber,
  areParts,
  differInItemOperation,
  differInOperation,
  repeatInParents,
} from "./fixed-address-endings.ts";
import {
  areItemsAt,
  areProjects,
  beginning,
  type Homes,
  type Site,
  wordsBelow,
} from "./item-names-in-addresses.ts";
import { areOfKinds, beginningsBeforeKinds } from "./kinds-of-items-in-addresses.ts";
import { byDefaultViews } from "./merge-page-with-default-view.ts";
import { areFilesAndFolders, type FolderNeed, itemFolders, withItemFolders } from "./nested-item-folders.ts";
import { haveOneObject, type SharedObjects, sharedObjects } from "./objects-with-several-operations.ts";
import {
  type AddressPosition,
  addressOf,
  type ScreenAddress,
  withinApplication,
} from "./page-address-positions.ts";
import {
  areListsOfAllAndOne,
  areStartPages,
  commonTitle,
  havePathOrParameter,
  isPermanentLink,
  showSameItems,
} from "./page-at-two-addresses.ts";
import { dataFeatures, parseSketch } from "./page-feature-sketch.ts";
import { optionalFeatures, siteWeights } from "./page-feature-weights.ts";
import { add, join } from "./page-group-merge.ts";
import { groupSimilarity } from "./page-group-similarity.ts";
import { type HaveOneTree, pageTrees } from "./page-trees.ts";
import {
  hasAddressOf,
  isInFolder,
  isNearTemplate,
  isOtherOperation,
  isPartOf,
  isTemplate,
  shows,
  showsOneItem,
  TEMPLATE_RATIO,
  VARIED,
  variableAt,
} from "./pages-of-one-template.ts";
import { differInProgram } from "./programs-in-addresses.ts";
import {
  ALIKE,
  differInFunction,
  functionSegment,
  type Group,
  haveFunctionInCommon,
  haveFunctionTitle,
  inWordyFolders,
  isDestination,
  isListed,
  MANY_VALUES,
  type Member,
  NEVER,
  type Need,
  need,
  pairThreshold,
  type ScreenInstance,
  type Slot,
  slotsOf,
  stateOf,
  thresholdAt,
} from "./same-screen-threshold.ts";
import { areSectionsOfManual } from "./sections-of-manuals.ts";
import { markFunctions, projectPositions, textWithout } from "./site-functions-in-addresses.ts";

export type { ScreenInstance } from "./same-screen-threshold.ts";

export interface ScreenGroup {
  /** The pages of the group, sorted by address. */
  readonly instances: readonly ScreenInstance[];
}

/** Up to this number of groups of a site, each group is compared with every other group. */
const MOST_PAIRED = 1_500;

/**
 * Groups the pages (instances) of one website into screens. The result depends only on the set of pages and
 * not on their order.
 */
export function groupScreens(instances: readonly ScreenInstance[]): readonly ScreenGroup[] {
  const read = instances.flatMap((instance) => {
    const address = addressOf(instance.url);
    const sketch = instance.structure === "" ? undefined : parseSketch(instance.structure);
    if (!address) return [];
    const data = dataFeatures(instance.structure);
    return [{ ...instance, address: withinApplication(address), sketch, data }];
  });
  read.sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : a.screen_id < b.screen_id ? -1 : 1));
  const pages = read.map(({ address, sketch }) => ({
    family: familyOf(address),
    place: placeOf(address),
    sketch,
  }));
  const isTitle = screenTitles(read);
  const first = groupedWith(read, siteWeights(pages), isTitle);
  // Pages are grouped a second time. Features that vary inside the screens of the first grouping are content,
  // so they weigh less in the second grouping.
  const samples = first.flatMap(({ members, steady }) =>
    steady ? [members.flatMap(({ sketch }) => (sketch ? [sketch] : []))] : [],
  );
  const optional = optionalFeatures(samples);
  const groups = optional.size === 0 ? first : groupedWith(read, siteWeights(pages, optional), isTitle);
  const grouped = groups.map(({ members: found }) => ({ instances: found.map(plain) }));
  const unreadable = instances.filter(({ url }) => addressOf(url) === undefined);
  return [...grouped, ...unreadable.map((instance) => ({ instances: [instance] }))];
}

/**
 * Maximum share (0 to 1) of the site's pages with the same title, if the title names a screen. A more
 * frequent title is the name of the site.
 */
const SITE_TITLE_SHARE = 0.5;

/**
 * Returns a function that decides whether a page's name may be the title of a screen. A name that most pages
 * have is the name of the site, and not of a screen.
 */
function screenTitles(pages: readonly Omit<Member, "weights">[]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const { name } of pages) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (name) => (counts.get(name) ?? 0) <= SITE_TITLE_SHARE * pages.length;
}

function groupedWith(
  read: readonly Omit<Member, "weights">[],
  weight: (feature: number) => number,
  isTitle: (name: string) => boolean,
): Group[] {
  let groups = byMaskedAddress(
    read.map((instance): Member => ({ ...instance, weights: instance.sketch?.map(weight) ?? [] })),
    isTitle,
  );
  const beforeKinds = beginningsBeforeKinds(groups);
  groups = bySiblings(groups, beforeKinds);
  groups = byPairs(groups, beforeKinds);
  return byDefaultViews(byNames(groups, beforeKinds), isTitle);
}

function plain({ address: _, sketch: __, weights: ___, data: ____, ...instance }: Member): ScreenInstance {
  return instance;
}

/**
 * Returns the kind of an address. Addresses of one kind have the same number of segments, the same folder and
 * the same parameters.
 */
function familyOf({ host, path, query }: ScreenAddress): string {
  const folder = path.length > 1 ? (path[0]?.masked ?? "") : "";
  return [host, path.length, folder, ...query.map(({ name }) => name)].join("\n");
}

/**
 * Returns the kind of an address: its host, its number of path segments, and its first segment. If this is
 * the only segment, it counts only if parameters follow it, as in `/query?status=open`. There, a parameter
 * often selects the item.
 */
function placeOf({ host, path, query }: ScreenAddress): string {
  const isShort = path.length < 2 && query.length > 0;
  return [host, path.length, isShort || path.length > 1 ? (path[0]?.masked ?? "") : ""].join("\n");
}

/**
 * Groups pages (instances) with equal masked addresses: their addresses differ only in numbers, dates and
 * ids.
 */
function byMaskedAddress(members: readonly Member[], isTitle: (name: string) => boolean): Group[] {
  const buckets = new Map<string, Group[]>();
  for (const member of members) {
    const { host, path, query } = member.address;
    const key = [host, member.state ?? "", ...path.map(slotText), "?", ...query.map(slotText)].join("\n");
    const title = member.name && isTitle(member.name) ? member.name : undefined;
    const single: Group = {
      members: [member],
      title,
      path: path.flatMap(slotsIn),
      query: query.flatMap(slotsIn),
    };
    const found = buckets.get(key);
    if (found) join(found, single, () => ({ ...need("masked", true), parts: true }));
    else buckets.set(key, [single]);
  }
  return [...buckets.values()].flatMap(marked);
}

/** A group is marked as steady if it contains at least this share (0 to 1) of all given pages. */
const STEADY = 0.8;
/**
 * Marks the group that contains nearly all pages of `groups` as steady, and returns `groups`. Features that
 * vary inside a steady group are content.
 */
function marked(groups: Group[]): Group[] {
  const all = groups.reduce((sum, { members }) => sum + members.length, 0);
  for (const group of groups) if (group.members.length >= STEADY * all) group.steady = true;
  return groups;
}

function slotText({ name, masked }: AddressPosition): string {
  return `${name}=${masked}`;
}

/** Matches a name with a namespace, as wikis have: `Category:People`, `buildings:old_mill`. */
const NAMESPACED = /^(\p{L}[\p{L}\p{N}_.-]*(?::|%3A))(.+)$/iu;

/**
 * Splits one segment or parameter of an address into slots, which are compared separately. A name with a
 * namespace, such as `Category:People`, has two slots. Any other value is one slot.
 */
function slotsIn({ name, masked }: AddressPosition): readonly Slot[] {
  const [, namespace, rest] = NAMESPACED.exec(masked) ?? [];
  if (namespace === undefined) return [{ name, value: masked }];
  return [
    { name, value: namespace, namespace: true },
    { name, value: rest },
  ];
}

/**
 * Merges groups whose addresses differ in one position. The position with the most different values is merged
 * first.
 */
function bySiblings(groups: readonly Group[], beforeKinds: SiteWithKinds["beforeKinds"]): Group[] {
  const parents = parentsIn(groups);
  const families = new Map<string, Group[]>();
  for (const group of groups) {
    const host = group.members[0]?.address.host ?? "";
    const names = group.query.map(({ name }) => name);
    const key = [host, stateOf(group), group.path.length, ...names].join("\n");
    const family = families.get(key);
    if (family) family.push(group);
    else families.set(key, [group]);
  }
  const homes: Homes = new Map();
  const words = wordsBelow(groups);
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
    for (const { position } of order)
      current = mergedAt(current, position, parents, { homes, words, beforeKinds });
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

interface SiteWithKinds extends Site {
  /** The beginnings of addresses after which a kind of items follows, such as `jobs`. */
  readonly beforeKinds: ReadonlySet<string>;
}

/** Merges groups of pages that have similar structure and whose addresses differ only at `position`. */
function mergedAt(
  groups: readonly Group[],
  position: number,
  parents: ReadonlySet<Group>,
  site: SiteWithKinds,
): Group[] {
  const buckets = new Map<string, Group[]>();
  for (const group of groups) {
    const key = textWithout(group, position);
    const bucket = buckets.get(key);
    if (bucket) bucket.push(group);
    else buckets.set(key, [group]);
  }
  return [...buckets.values()].flatMap((bucket) => {
    const [first, second] = bucket;
    if (first && second && areOfKinds(first, second, site.beforeKinds)) return bucket;
    const projects = areProjects(bucket, position, site.words);
    const areItems = projects || areItemsAt(bucket, position, site);
    const usualNeed = thresholdAt(bucket, position, areItems);
    const isOfParts = !projects && repeatInParents(bucket, position);
    const threshold = isOfParts ? stricter(usualNeed, need("sections")) : usualNeed;
    if (threshold === NEVER) {
      const wordy = inWordyFolders(bucket, position);
      if (wordy.length < 2 || wordy.length === bucket.length) return bucket;
      return [
        ...bucket.filter((group) => !wordy.includes(group)),
        ...mergedAt(wordy, position, parents, site),
      ];
    }
    const sections = bucket.filter((group) => parents.has(group)).length < bucket.length / 2;
    const mergedBy = (usual: Need) => {
      const merged: Group[] = [];
      for (const group of bucket) {
        const needed = sections && parents.has(group) ? { ...usual, ...need("sections") } : usual;
        join(merged, { ...group, members: [...group.members] }, (other) => {
          const isOther =
            (!projects &&
              (isDestination(group) || isDestination(other)) &&
              !areProjects([group, other], position, site.words)) ||
            differInFunction(group, other) ||
            differInProgram(group, other) ||
            functionSegment(group) !== functionSegment(other);
          if (isOther || areOperationAndNumber(group, other)) return NEVER;
          if (haveFunctionTitle(group, other)) return need("query");
          return areFilesAndFolders(group, other) || differInOperation(group, other)
            ? stricter(needed, need("sections"))
            : needed;
        });
      }
      return merged;
    };
    const merged = mergedBy(threshold);
    const values = new Set(bucket.map((group) => slotsOf(group)[position]?.value)).size;
    const all = bucket.reduce((sum, { members }) => sum + members.length, 0);
    const isUniform = (groups: readonly Group[]) =>
      Math.max(...groups.map(({ members }) => members.length)) >= VARIED * all;
    if (values < MANY_VALUES || threshold.least >= ALIKE.varied || isUniform(merged)) return marked(merged);
    if (!isOfParts && isInFolder(bucket, position) && isUniform(mergedBy(need("template"))))
      return marked(merged);
    // At this position, the addresses have names of folders with pages of many kinds. Such folders are
    // functions of the site and stay separate screens, even if two of them have similar pages.
    const isFolder = bucket.every(({ path }) => position < path.length - 1);
    if (isFolder) {
      const startOf = ({ path }: Group) =>
        path
          .slice(0, position + 1)
          .map(({ value }) => value)
          .join("/");
      const starts = new Set(bucket.map(startOf));
      markFunctions(
        groups.filter((group) => starts.has(startOf(group))),
        position,
      );
      return bucket;
    }
    if (merged.length === bucket.length) return merged;
    const strict = mergedBy(need("varied"));
    for (const group of strict) group.varied = true;
    return strict;
  });
}

/**
 * Maximum number of rounds that compare all pairs of groups. On the measured sites, no group changed after
 * two rounds.
 */
const MOST_ROUNDS = 4;

/** Merges groups of one host whose addresses differ in length, in parameters, or in several positions. */
function byPairs(groups: readonly Group[], beforeKinds: SiteWithKinds["beforeKinds"]): Group[] {
  if (groups.length > MOST_PAIRED) return [...groups];
  let merged: Group[] = withItemFolders(groups);
  let count = Number.POSITIVE_INFINITY;
  let hasWaiting = false;
  // A group to which pages were added may have become similar to an earlier group. So all pairs are compared
  // again, until nothing changes and no comparison was left for the next round.
  for (let round = 0; (merged.length < count || hasWaiting) && round < MOST_ROUNDS; round++) {
    count = merged.length;
    hasWaiting = false;
    const relations = {
      objects: sharedObjects(merged),
      haveOneTree: pageTrees(merged),
      folderNeed: itemFolders(merged),
    };
    // Large groups come first, so that groups of a single page are added to large groups.
    const ordered = merged.sort((a, b) => b.members.length - a.members.length);
    merged = [];
    for (const group of ordered) {
      // In the first round, a list page of an operation, such as `/town/log`, is only compared with other
      // list pages. Otherwise a list page could be merged with a page of one object before the list pages are
      // in one group.
      join(merged, group, (other) => {
        const waits = round === 0 && isList(other) !== isList(group);
        hasWaiting ||= waits;
        return waits || areOfKinds(group, other, beforeKinds) ? NEVER : pairNeed(other, group, relations);
      });
    }
  }
  return byEqualNames(byTemplates(merged));
}

/**
 * Facts about groups of pages that follow from all addresses of a site. The addresses of the two compared
 * groups are not enough to compute these facts.
 */
interface Relations {
  readonly objects: SharedObjects;
  readonly haveOneTree: HaveOneTree;
  readonly folderNeed: FolderNeed;
}

function pairNeed(a: Group, b: Group, { objects, haveOneTree, folderNeed }: Relations): Need {
  const usual = differInCollection(a, b) ? NEVER : pairThreshold(a, b);
  if (differInFunction(a, b) || differInProgram(a, b) || areOperationAndNumber(a, b)) return NEVER;
  if (differInOperation(a, b)) return stricter(usual, need("sections"));
  if (usual.least > ALIKE.masked && areListsOfAllAndOne(a, b)) return need("masked");
  if (usual.least > ALIKE.sections && havePathOrParameter(a, b)) return need("sections");
  if (usual.least > ALIKE.query && areStartPages(a, b)) return need("query");
  if (usual.least > ALIKE.nested && showSameItems(a, b)) return need("nested");
  if (areFilesAndFolders(a, b)) return stricter(usual, need("sections"));
  const ofFolders = folderNeed(a, b);
  if (ofFolders && usual.least > ofFolders.least) return ofFolders;
  const isOneFunction =
    (haveFunctionInCommon(a, b) && !differInItemOperation(a, b) && !areParts(a, b)) ||
    haveOneObject(a, b, objects);
  if (usual.least > ALIKE.objects && isOneFunction) {
    // A list page, such as all topics, shows no single object. Its structure may differ from that of an
    // object's page, so the two are compared with the minimum `nested`.
    return isList(a) === isList(b) ? need("objects", true) : need("nested", true);
  }
  if (usual.least > ALIKE.tree && haveOneTree(a, b)) return need("tree");
  if (usual === NEVER && areSectionsOfManual(a, b)) return need("sections");
  return usual;
}

function stricter(usual: Need, other: Need): Need {
  return usual.least < other.least ? { ...usual, ...other } : usual;
}

/**
 * Whether the addresses of the group end in a word that selects a function of the site, such as `log` in
 * `/town/log`. No name of a single object may follow this word.
 */
function isList({ path, functions }: Group): boolean {
  return functions?.has(path.length - 1) ?? false;
}

/**
 * Adds each small group to the template that has addresses of the same form. A template is a large group with
 * this form. The required similarity is low, because long texts make the pages of one template differ.
 */
function byTemplates(groups: readonly Group[]): Group[] {
  const templates = groups.filter((group) => isTemplate(group, groups));
  const others = groups.filter((group) => {
    if (templates.includes(group)) return false;
    const fitting = templates.filter(
      (template) =>
        hasAddressOf(template, group) && template.members.length >= TEMPLATE_RATIO * group.members.length,
    );
    const count = fitting.length;
    const shown =
      fitting.find(
        (template) =>
          isInFolder([template], variableAt(template)) &&
          !isSectionOfMenu(group, template) &&
          (shows(group, template) || isPartOf(group, template)),
      ) ??
      templates.find(
        (template) =>
          isNearTemplate(group, template) && !isSectionOfMenu(group, template) && shows(group, template),
      );
    if (shown) {
      add(shown, group);
      return false;
    }
    join(fitting, group, (template) => {
      if (isDestination(group) || differInProgram(group, template) || areOperationAndNumber(group, template))
        return NEVER;
      const isOther = differInOperation(group, template) || isOtherOperation(group, template);
      if (isOther) return need("sections");
      return need(isSectionOfMenu(group, template) ? "items" : "template");
    });
    // `join` has added the group to a similar template, or else to the end of `fitting`. If `fitting` is
    // longer now, no template was similar, and the group is kept.
    return fitting.length > count;
  });
  return [...templates, ...others];
}

/**
 * Whether a menu leads to the group, and the template has pages of several folders. Such a menu lists the
 * sections of an administration (Request Tracker: `/Admin/Tools/Theme.html` beside `/Admin/Global/` and
 * `/Admin/Assets/`), while the menu of a manual lists the pages of one folder.
 */
function isSectionOfMenu(group: Group, template: Group): boolean {
  const varying = template.path.filter(({ value }) => value === undefined).length;
  return isListed(group) && varying > 1;
}

/**
 * Adds the pages of a group to a template, if their structure is similar to the pages of the template. In
 * addition, a page of the template must have the same name in another folder.
 */
function byEqualNames(groups: readonly Group[]): Group[] {
  const templates = groups.filter((group) => isTemplate(group, groups));
  return groups.filter((group) => {
    if (templates.includes(group)) return true;
    const fitting = templates.filter(
      (template) =>
        showsOneItem(template, group) &&
        stateOf(template) === stateOf(group) &&
        functionSegment(template) === functionSegment(group) &&
        !differInFunction(template, group) &&
        groupSimilarity(template, group, need("sections")) >= ALIKE.sections,
    );
    const first = fitting[0] ?? templates.find((template) => isPermanentLink(group, template));
    if (first) first.members.push(...group.members);
    return !first;
  });
}

/**
 * Maximum number of groups that are merged because their pages have the same name. If more groups have this
 * name, it is a title that the site gives to all its pages.
 */
const MOST_EQUALLY_NAMED = 6;

/**
 * Merges groups of pages that have the same name. Usually they show the same page at two addresses, such as
 * `/wiki` and `/wiki?id=start`.
 */
function byNames(groups: readonly Group[], beforeKinds: SiteWithKinds["beforeKinds"]): Group[] {
  const named = new Map<string, Group[]>();
  for (const group of groups) {
    if (functionSegment(group) !== undefined) continue;
    const title = commonTitle(group);
    if (title.length === 0) continue;
    const key = [group.members[0]?.address.host, stateOf(group), ...title].join("\n");
    named.set(key, [...(named.get(key) ?? []), group]);
  }
  const joined = new Set<Group>();
  for (const equallyNamed of named.values()) {
    if (equallyNamed.length < 2 || equallyNamed.length > MOST_EQUALLY_NAMED) continue;
    const merged: Group[] = [];
    for (const group of equallyNamed) {
      join(merged, group, (other) => (areOfKinds(group, other, beforeKinds) ? NEVER : need("twins")));
      if (merged.at(-1) !== group) joined.add(group);
    }
  }
  return groups.filter((group) => !joined.has(group));
}
