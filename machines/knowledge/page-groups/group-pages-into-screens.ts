/**
 * Groups the pages of a site into screens, as a person would count them: pages of one template with the same
 * structure are one screen, whatever their content.
 *
 * Two pages are compared when their addresses differ in one position, as `/orders/17` and `/orders/18` do.
 * The more the addresses suggest one screen, the less similar the structure has to be.
 */

import {
  type AddressPosition,
  addressOf,
  exactAddress,
  type ScreenAddress,
  withinApplication,
} from "../addresses/page-address-parts.ts";
import { dataFeatures, parseSketch } from "../screens/page-feature-sketch.ts";
import { nameDifferentScreens } from "./addresses-of-different-screens.ts";
import { collectionsIn } from "./collections-with-create-forms.ts";
import {
  areParts,
  differInItemOperation,
  differInOperation,
  operationsOnItems,
} from "./fixed-address-endings.ts";
import {
  areFilesAndFolders,
  type FolderNeed,
  itemFolders,
  withItemFolders,
} from "./folders-that-are-items.ts";
import { functionsInParameters, type SelectsFunction } from "./functions-in-query-parameters.ts";
import { withoutLanguageFolders } from "./language-folders.ts";
import { byDefaultViews } from "./merge-page-with-default-view.ts";
import { bySiblings } from "./merge-sibling-page-groups.ts";
import {
  haveOperationInCommon,
  type SharedObjects,
  sharedObjects,
} from "./objects-with-several-operations.ts";
import {
  areListsOfAllAndOne,
  areShortLinks,
  areStartPages,
  commonTitle,
  havePathOrParameter,
  isPermanentLink,
  showSameItems,
} from "./page-at-two-addresses.ts";
import { optionalFeatures, siteWeights } from "./page-feature-weights.ts";
import {
  type Group,
  isDestination,
  isListed,
  type Member,
  type ScreenInstance,
  type Slot,
  stateOf,
} from "./page-group.ts";
import { add, join, markSteady } from "./page-group-merge.ts";
import { groupSimilarity } from "./page-group-similarity.ts";
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
  variableAt,
} from "./pages-of-one-template.ts";
import { differInCollection } from "./pages-that-are-collection-items.ts";
import { differInProgram } from "./program-files-with-item-ids.ts";
import { ALIKE, NEVER, type Need, need, pairThreshold, stricter } from "./same-screen-threshold.ts";
import { sectionsOfMenu } from "./sections-of-application-menu.ts";
import { areSectionsOfManual } from "./sections-of-manuals.ts";
import { differInFunction, functionSegment, haveFunctionInCommon } from "./site-function-of-page-group.ts";
import { type HaveOneTree, pageTrees } from "./trees-of-wiki-pages.ts";
import { areOfKinds, beginningsBeforeKinds } from "./words-for-item-kinds-in-addresses.ts";

export type { ScreenInstance } from "./page-group.ts";

export interface ScreenGroup {
  /** The pages of the group, sorted by address. */
  readonly instances: readonly ScreenInstance[];
}

/**
 * Maximum number of groups of a site that are all compared with each other. On a larger site, this comparison
 * is left out, because its time grows with the square of the number of groups.
 */
const MOST_PAIRED = 1_500;

/**
 * Groups the pages (instances) of one website into screens. The result depends only on the set of pages and
 * not on their order.
 */
export function groupScreens(instances: readonly ScreenInstance[]): readonly ScreenGroup[] {
  const parsed = instances.flatMap((instance) => {
    const address = addressOf(instance.url);
    return address ? [{ instance, address: withinApplication(address) }] : [];
  });
  const inOneLanguage = withoutLanguageFolders(parsed.map(({ address }) => address));
  const addressed = parsed.map(({ instance, address }) => ({ instance, address: inOneLanguage(address) }));
  const addresses = addressed.map(({ address }) => address);
  const isOperation = operationsOnItems(addresses);
  const placeInCollection = collectionsIn(addresses);
  const parsedPages = addressed.map(({ instance, address }) => {
    const sketch = instance.structure === "" ? undefined : parseSketch(instance.structure);
    const data = dataFeatures(instance.structure);
    return {
      ...instance,
      address,
      isOperation: isOperation(address),
      inCollection: placeInCollection(address),
      sketch,
      data,
    };
  });
  const sections = sectionsOfMenu(parsedPages);
  const read = parsedPages.map((page) => ({ ...page, section: sections.get(page.screen_id) }));
  read.sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : a.screen_id < b.screen_id ? -1 : 1));
  const pages = read.map(({ address, sketch }) => ({
    family: familyOf(address),
    place: placeOf(address),
    sketch,
  }));
  const isTitle = screenTitles(read);
  const first = groupedWith(read, siteWeights(pages), isTitle);
  // Pages are grouped a second time. Structural features that vary inside the screens of the first grouping are
  // content, so they weigh less in the second grouping.
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
  const members = read.map(
    (instance): Member => ({ ...instance, weights: instance.sketch?.map(weight) ?? [] }),
  );
  let groups = byMaskedAddress(members, isTitle, functionsInParameters(members));
  const beforeKinds = beginningsBeforeKinds(groups);
  groups = bySiblings(groups, beforeKinds);
  groups = byPairs(groups, beforeKinds);
  return byDefaultViews(byNames(groups, beforeKinds), isTitle);
}

function plain({
  address: _,
  isOperation: __,
  inCollection: ___,
  section: _______,
  sketch: ____,
  weights: _____,
  data: ______,
  ...instance
}: Member): ScreenInstance {
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
 * Returns a text that is equal for two addresses of one kind: with the same host, number of path segments,
 * and first segment. In `/about`, the first segment does not count, because it names the page. In
 * `/query?status=open`, it counts, because the parameter often selects the item.
 */
function placeOf({ host, path, query }: ScreenAddress): string {
  const isShort = path.length < 2 && query.length > 0;
  return [host, path.length, isShort || path.length > 1 ? (path[0]?.masked ?? "") : ""].join("\n");
}

/**
 * Groups pages (instances) with equal masked addresses: their addresses differ only in numbers, dates and
 * ids.
 */
function byMaskedAddress(
  members: readonly Member[],
  isTitle: (name: string) => boolean,
  selectsFunction: SelectsFunction,
): Group[] {
  const singleOf = (member: Member): Group => {
    const { path, query } = member.address;
    return {
      members: [member],
      title: member.name && isTitle(member.name) ? member.name : undefined,
      path: path.flatMap(slotsIn),
      query: query.flatMap((parameter) =>
        selectsFunction(member, parameter.name)
          ? [{ name: parameter.name, value: parameter.masked, selects: true }]
          : slotsIn(parameter),
      ),
    };
  };
  const buckets = new Map<string, Group[]>();
  for (const [first, ...others] of Map.groupBy(members, exactPage).values()) {
    if (!first) continue;
    // Pages at one address are one group, even if they look different: a page may show hardly anything while
    // it is loading, or other parts if its list has another order.
    const group = singleOf(first);
    for (const other of others) add(group, singleOf(other));
    const { host, path, query } = first.address;
    const key = [host, first.state ?? "", ...path.map(slotText), "?", ...query.map(slotText)].join("\n");
    const found = buckets.get(key);
    if (found) join(found, group, () => ({ ...need("masked", true), parts: true }));
    else buckets.set(key, [group]);
  }
  return [...buckets.values()].flatMap(markSteady);
}

function exactPage({ url, state = "", address }: Member): string {
  return `${state}\n${exactAddress(url, address)}`;
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
 * Maximum number of rounds that compare all pairs of groups. On the measured sites, no group changed after
 * two rounds.
 */
const MOST_ROUNDS = 4;

/** Merges groups of one host whose addresses differ in length, in parameters, or in several positions. */
function byPairs(groups: readonly Group[], beforeKinds: ReadonlySet<string>): Group[] {
  if (groups.length > MOST_PAIRED) return [...groups];
  let merged: Group[] = withItemFolders(groups);
  let count = Number.POSITIVE_INFINITY;
  let hasWaiting = false;
  // After pages were added to a group, it may have become similar to an earlier group. So all pairs of groups
  // are compared again, until a round merges nothing and leaves no comparison for the next round.
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
      // In the first round, a page such as `/town/log` is only compared with other pages whose address ends
      // in an operation. Otherwise it could be merged with the page of one object (`/town/log/README`) before
      // all such pages are in one group.
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
 * Facts that `pairNeed` uses to compare two groups of pages. They are computed from all addresses of the site,
 * because the addresses of the two groups do not show them.
 */
interface Relations {
  readonly objects: SharedObjects;
  readonly haveOneTree: HaveOneTree;
  readonly folderNeed: FolderNeed;
}

function pairNeed(a: Group, b: Group, { objects, haveOneTree, folderNeed }: Relations): Need {
  const usual = differInCollection(a, b) ? NEVER : pairThreshold(a, b);
  if (differInFunction(a, b) || differInProgram(a, b) || nameDifferentScreens(a, b)) return NEVER;
  if (differInOperation(a, b)) return stricter(usual, need("sections"));
  if (usual.least > ALIKE.masked && areListsOfAllAndOne(a, b)) return need("masked");
  if (usual.least > ALIKE.sections && havePathOrParameter(a, b)) return need("sections");
  if (usual.least > ALIKE.query && areStartPages(a, b)) return need("query");
  if (usual.least > ALIKE.nested && showSameItems(a, b)) return need("nested");
  if (usual.least > ALIKE.query && areShortLinks(a, b)) return need("query");
  if (areFilesAndFolders(a, b)) return stricter(usual, need("sections"));
  const ofFolders = folderNeed(a, b);
  if (ofFolders && usual.least > ofFolders.least) return ofFolders;
  const isOneFunction =
    (haveFunctionInCommon(a, b) && !differInItemOperation(a, b) && !areParts(a, b)) ||
    haveOperationInCommon(a, b, objects);
  if (usual.least > ALIKE.objects && isOneFunction) {
    // `/town/log` lists all objects, and `/town/log/README` shows one. Such pages may differ more than two
    // pages of objects, so they are compared with the minimum `nested`.
    return isList(a) === isList(b) ? need("objects", true) : need("nested", true);
  }
  if (usual.least > ALIKE.tree && haveOneTree(a, b)) return need("tree");
  if (usual === NEVER && areSectionsOfManual(a, b)) return need("sections");
  return usual;
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
    const possible = templates.filter((template) => !nameDifferentScreens(group, template));
    const fitting = possible.filter(
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
      possible.find(
        (template) =>
          isNearTemplate(group, template) && !isSectionOfMenu(group, template) && shows(group, template),
      );
    if (shown) {
      add(shown, group);
      return false;
    }
    join(fitting, group, (template) => {
      if (isDestination(group) || differInProgram(group, template)) return NEVER;
      const isOther = differInOperation(group, template) || isOtherOperation(group, template);
      if (isOther) return need("sections");
      return need(isSectionOfMenu(group, template) ? "items" : "template");
    });
    // If `join` found a similar template, it has added the group to it. Otherwise it has appended the group
    // to `fitting`, which is longer now, and the group stays separate.
    return fitting.length > count;
  });
  return [...templates, ...others];
}

/**
 * Whether a menu leads to the group, and the template has pages of several folders. The menu of an
 * administration leads to sections in several folders, such as `/Admin/Tools/Theme.html`, `/Admin/Global/`
 * and `/Admin/Assets/` of Request Tracker. The menu of a manual leads to the pages of one folder.
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
        !nameDifferentScreens(template, group) &&
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
function byNames(groups: readonly Group[], beforeKinds: ReadonlySet<string>): Group[] {
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
      join(merged, group, (other) =>
        areOfKinds(group, other, beforeKinds) || nameDifferentScreens(group, other) ? NEVER : need("twins"),
      );
      if (merged.at(-1) !== group) joined.add(group);
    }
  }
  return groups.filter((group) => !joined.has(group));
}
