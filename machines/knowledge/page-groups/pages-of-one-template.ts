/**
 * Chooses a template for each form of address, such as `/orders/{n}`. A template is the group of pages to
 * which other groups of this form are added. Then decides which other groups belong to the template.
 */

import { coveredUpTo } from "../screens/page-feature-sketch.ts";
import { foldersOf } from "./folders-that-are-items.ts";
import { beginning } from "./item-names-in-addresses.ts";
import { allHaveForm, someHaveForm } from "./multi-word-and-file-names-in-addresses.ts";
import { commonFeatures, FRAME_WEIGHT } from "./page-feature-weights.ts";
import { type Group, type Member, slotsOf, stateOf } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";
import { representatives } from "./page-group-similarity.ts";
import { MANY_VALUES } from "./same-screen-threshold.ts";
import { functionSegment } from "./site-function-of-page-group.ts";

/**
 * The varying segment `x` of addresses such as `/orders/{x}` counts as the name of an item if at least this
 * share (0 to 1) of the pages at these addresses belong to one screen. If the share is smaller, some values of
 * `x` are functions of the site, such as `/orders/search`.
 */
export const VARIED = 0.6;

/**
 * A group of pages is added to a template only if the template has at least this number of pages for each
 * page of the group.
 */
export const TEMPLATE_RATIO = 4;

/**
 * Whether a position of the address is below a folder of the site, as `{name}` in `/library/{name}` is. Pages
 * in a folder are usually items of one kind, even if they are only somewhat similar. The first position of a
 * path is in no folder, and neither is a name with a namespace: both may be functions of the site.
 */
export function isInFolder(bucket: readonly Group[], position: number): boolean {
  return bucket.every((group) => {
    const isNamespaced = slotsOf(group).some(({ namespace }) => namespace);
    return !isNamespaced && position > 0 && position < group.path.length;
  });
}

/** Whether most pages whose addresses have one form, such as `/orders/{n}`, are in the group. */
export function isTemplate(group: Group, groups: readonly Group[]): boolean {
  if (group.members.length < TEMPLATE_RATIO || group.varied) return false;
  const varies = slotsOf(group).some(({ value }) => value === undefined || /\{(?:n|id|date)\}/.test(value));
  if (!varies) return false;
  if (group.members.length < MANY_VALUES && !namesNumberedItems(group)) return false;
  const all = groups
    .filter((other) => hasAddressOf(group, other))
    .reduce((sum, { members }) => sum + members.length, 0);
  return group.members.length >= VARIED * all;
}

/** Whether each varying position of the addresses contains a number or an id, as in `/board/news-3`. */
function namesNumberedItems({ members, path }: Group): boolean {
  const varying = path.flatMap(({ value }, at) => (value === undefined ? [at] : []));
  return (
    varying.length > 0 &&
    members.every(({ address }) =>
      varying.every((at) => address.path[at]?.masked !== address.path[at]?.value),
    )
  );
}

/**
 * Returns the first position at which the addresses of a template's pages differ: 1 for `/orders/17` and
 * `/orders/18`.
 */
export function variableAt(template: Group): number {
  return slotsOf(template).findIndex(({ value }) => value === undefined);
}

/**
 * Whether a page of `group` and a page of `template` have the same name and are in different folders, such as
 * `/users/Home` and `/help/Home` (MoinMoin, DokuWiki).
 */
export function showsOneItem(template: Group, group: Group): boolean {
  const last = template.path.length - 1;
  if (template.path.length !== group.path.length || slotsOf(template).length !== slotsOf(group).length)
    return false;
  if (last < 1 || template.path[last]?.value !== undefined || group.path[last]?.value === undefined)
    return false;
  const differing = template.path.filter(
    ({ value }, at) => value !== undefined && value !== group.path[at]?.value,
  );
  if (differing.length !== 1) return false;
  const names = namesAt(template).get(last);
  return [...(namesAt(group).get(last) ?? [])].some((name) => names?.has(name));
}

/**
 * For each position in the path: the segments that the addresses of a group have at this position, such as "Home" and
 * "News".
 */
const namesAt = factOfPages(
  () => new Map<number, Set<string>>(),
  (names, { address: { path } }) => {
    for (const [at, { value }] of path.entries()) names.set(at, (names.get(at) ?? new Set()).add(value));
  },
);

/**
 * A page belongs to a template if it has at least this share (0 to 1) of the structural features that distinguish the
 * template. All pages of the template share these features, and the rest of the site lacks them. Long content may add
 * further features to a page.
 */
const SHOWN_SHARE = 0.9;
/**
 * Minimum number of structural features that distinguish a template. If a template has fewer, no page is assigned to
 * it by its structure.
 */
const TELLING_FEATURES = 5;

/**
 * Whether the pages of the group have most of the structural features that distinguish the template from other pages
 * of the site. They may also have other features.
 */
export function shows(group: Group, template: Group): boolean {
  const telling = tellingFeatures(template);
  return representatives(group).every(({ sketch }) => {
    if (!sketch) return false;
    const visible = telling.filter((feature) => feature <= coveredUpTo(sketch));
    const own = new Set(sketch);
    const count = visible.filter((feature) => own.has(feature)).length;
    return visible.length >= TELLING_FEATURES && count >= SHOWN_SHARE * visible.length;
  });
}

/**
 * Maximum number of pages of a template from which structural features are collected. Further pages would add hardly
 * any new feature.
 */
const MOST_KNOWN = 32;

/**
 * Whether pages of the template have nearly all structural features of each page in the group. The reverse is not
 * required: a forum board without topics lacks features of other boards.
 */
export function isPartOf(group: Group, template: Group): boolean {
  const known = new Set(sampleOf(template, MOST_KNOWN).flatMap(({ sketch = [] }) => sketch));
  return representatives(group).every(({ sketch = [], weights }) => {
    const own = sketch.filter((_, at) => (weights[at] ?? 0) > FRAME_WEIGHT);
    const shared = own.filter((feature) => known.has(feature)).length;
    return own.length >= TELLING_FEATURES && shared >= SHOWN_SHARE * own.length;
  });
}

/**
 * Returns a sample of the template's pages. It takes every n-th page, so that the sample has between `most`
 * and twice `most` pages. For a small template, it returns all pages.
 */
function sampleOf({ members }: Group, most: number): readonly Member[] {
  const step = Math.max(1, Math.floor(members.length / most));
  return Array.from({ length: Math.ceil(members.length / step) }, (_, at) => members[at * step]).filter(
    (member) => member !== undefined,
  );
}

/**
 * Number of pages of a template from which the structural features that distinguish the template are derived. With
 * this number, the share of pages with a feature has an error of about 0.03.
 */
const MOST_COUNTED = 256;

/**
 * Returns the features that distinguish the template: its pages have them, and the site's frame, such as the
 * menu, does not.
 */
function tellingFeatures(template: Group): readonly number[] {
  const members = sampleOf(template, MOST_COUNTED);
  const weights = new Map<number, number>();
  for (const { sketch = [], weights: own } of members)
    for (const [at, feature] of sketch.entries()) weights.set(feature, own[at] ?? 0);
  const sketches = members.flatMap(({ sketch }) => (sketch ? [sketch] : []));
  return commonFeatures(sketches).filter((feature) => (weights.get(feature) ?? 0) > FRAME_WEIGHT);
}

/**
 * Whether the group is a single page whose address is similar to those of a template. An example is a page in
 * the same folder: `/help/Macros/Calendar` and `/help/Macros/Icons`. Another is the same function at another
 * depth: `/+show/{id}/help/Home` and `/+show/{id}/Home`.
 */
export function isNearTemplate(
  { members: [page, another], path, query, functions }: Group,
  template: Group,
): boolean {
  if (!page || another || query.length > 0 || functions || page.state !== undefined) return false;
  const segment = functionSegment({ path });
  if (segment !== functionSegment(template)) return false;
  if (segment !== undefined) return true;
  return (
    path.length > 2 && foldersOf(template).parents.has(beginning(page.address, page.address.path.length - 1))
  );
}

/** Whether the addresses of the group have the form of the template's addresses, such as `/orders/{n}`. */
export function hasAddressOf(template: Group, group: Group): boolean {
  const slots = slotsOf(group);
  return (
    template.members[0]?.address.host === group.members[0]?.address.host &&
    stateOf(template) === stateOf(group) &&
    template.path.length === group.path.length &&
    slotsOf(template).length === slots.length &&
    slotsOf(template).every(
      ({ name, value, namespace }, at) =>
        !namespace && name === slots[at]?.name && (value === undefined || value === slots[at]?.value),
    ) &&
    hasNamesOf(template, group) &&
    !hasNumberForWord(template, group)
  );
}

/**
 * Whether the group's addresses have a number or id at a position where all addresses of the template have
 * words: `/talks/tags/1` beside `/talks/{code}/accept` and `/talks/{code}/reject` (pretalx).
 */
function hasNumberForWord(template: Group, group: Group): boolean {
  const numbered = numberedPositions(template);
  return template.path.some(
    ({ value }, at) =>
      at > 0 && value === undefined && !numbered.has(at) && NUMBER.test(group.path[at]?.value ?? ""),
  );
}

/** The positions in the path at which an address of the group has a number, a date or an id. */
const numberedPositions = factOfPages(
  () => new Set<number>(),
  (numbered, { address: { path } }) => {
    for (const [at, { value, masked }] of path.entries()) if (value !== masked) numbered.add(at);
  },
);

/** Matches a path segment that consists only of a masked number, date or id. */
const NUMBER = /^\{(?:n|id|date)\}$/;

/**
 * The last words of a template's addresses, such as `accept`, count as operations on items only if they
 * repeat. On average, each word must be in the addresses of at least this number of pages. Names of items
 * seldom repeat.
 */
const PAGES_OF_OPERATION = 2;

/**
 * Whether the group shows an operation on items that the template does not have, so that it does not belong
 * to the template. For example, the template has `/talks/{code}/accept` and `/talks/{code}/reject` (pretalx),
 * and the group has `/talks/{code}/reviews`.
 */
export function isOtherOperation(group: Group, template: Group): boolean {
  const last = template.path.length - 1;
  const own = group.path[last]?.value;
  if (last < 1 || template.path[last]?.value !== undefined || own === undefined) return false;
  if (template.path[last - 1]?.value !== undefined || group.path.length !== template.path.length)
    return false;
  const words = namesAt(template).get(last) ?? new Set();
  const numbered = numberedPositions(template);
  if (!numbered.has(last - 1) || numbered.has(last) || words.has(own)) return false;
  return PAGES_OF_OPERATION * words.size <= template.members.length;
}

/**
 * Whether the names in the addresses of a group have the same form as those of a template. A name without
 * extension differs from file names (Nikola, sigal). A single word differs from names of several words:
 * `/docs/category/{name}` and `/docs/tutorial-basics/{name}` (Docusaurus).
 */
function hasNamesOf(template: Group, group: Group): boolean {
  const last = template.path.length - 1;
  return template.path.every(({ value }, at) => {
    if (value !== undefined) return true;
    const form = at === last ? "files" : "wordy";
    return !allHaveForm(template, at, form, template.path.length) || someHaveForm(group, at, form);
  });
}
