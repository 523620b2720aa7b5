/**
 * Detects groups of addresses that show the same pages. One address may have the item in its path, and the
 * other in a parameter. One may be a permanent link, or both may lead to the start page.
 */

import { isFunctionParameter } from "../addresses/page-address-parts.ts";
import { type Group, isDestination, type Member, slotsOf, stateOf } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";
import { memberSimilarity } from "./page-group-similarity.ts";
import { ALIKE, need } from "./same-screen-threshold.ts";
import { functionSegment } from "./site-function-of-page-group.ts";

/**
 * Whether one group has an item in the path, and the other has it in a query parameter. Examples are
 * `/help/{topic}` and `/help?cmd={topic}` (Fossil), or `/index.php/{name}` and `/index.php?title={name}`
 * (MediaWiki).
 */
export function havePathOrParameter(a: Group, b: Group): boolean {
  const [longer, shorter] = a.path.length > b.path.length ? [a, b] : [b, a];
  if (longer.path.length !== shorter.path.length + 1 || shorter.path.length === 0) return false;
  if (longer.query.length > 0 || shorter.query.length !== 1) return false;
  const isVaried = longer.path.at(-1)?.value === undefined && shorter.query[0]?.value === undefined;
  return (
    isVaried && shorter.path.every(({ value }, at) => value !== undefined && value === longer.path[at]?.value)
  );
}

/**
 * Two groups show the same items if at least this number of pages in one group have a counterpart in the
 * other group: a page with the same name and the same last path segment. A smaller number may be a
 * coincidence.
 */
const ENOUGH_ITEMS = 3;
/**
 * Two groups show the same items only if at least this share (0 to 1) of the smaller group's pages have a
 * counterpart in the other group: a page with the same name and the same last path segment.
 */
const ITEM_SHARE = 0.5;

/**
 * Whether two groups of pages show the same items in different lists: `/history/entry/{n}` and
 * `/feed/{n}/entry/{n}` (Miniflux), `/products/{name}` and `/collections/{name}/products/{name}` (Shopify).
 */
export function showSameItems(a: Group, b: Group): boolean {
  if (a.query.length > 0 || b.query.length > 0) return false;
  if (stateOf(a) !== stateOf(b) || functionSegment(a) !== functionSegment(b)) return false;
  const [small, large] = a.members.length < b.members.length ? [a, b] : [b, a];
  if (small.members.length < ENOUGH_ITEMS) return false;
  const [items, others] = [itemsOf(small), itemsOf(large)];
  if (items.size < ENOUGH_ITEMS) return false;
  let count = 0;
  for (const item of items) if (others.has(item)) count += 1;
  return count >= ENOUGH_ITEMS && count >= ITEM_SHARE * items.size;
}

/** For each page of a group: collection and item (the last two path segments), and the page's name. */
const itemsOf = factOfPages(
  () => new Set<string>(),
  (items, { name, address: { path } }) => {
    const [collection, item] = path.slice(-2);
    if (name && item) items.add([collection?.value, item.value, name].join("\n"));
  },
);

/**
 * Whether one group lists the items of all parents, and the other those of one parent: `/issues` and
 * `/projects/{name}/issues` (Redmine, OpenProject). Their addresses end in the same way, and their titles
 * start in the same way: "Issues" and "Issues - Harbor".
 */
export function areListsOfAllAndOne(a: Group, b: Group): boolean {
  const [longer, shorter] = a.path.length > b.path.length ? [a, b] : [b, a];
  if (longer.path.length !== shorter.path.length + PARENT_SEGMENTS || stateOf(a) !== stateOf(b)) return false;
  if (isDestination(shorter) || shorter.path.length === 0) return false;
  const [collection, parent, ...end] = longer.path;
  if (collection?.value === undefined || parent?.value !== undefined) return false;
  if (!end.every(({ value }, at) => value !== undefined && value === shorter.path[at]?.value)) return false;
  const title = commonTitle(longer);
  return title.length > 0 && [a, b].every((group) => nameMost(group, title));
}

/** Whether the names of most pages of a group start with the given parts of a title. */
function nameMost({ members }: Group, title: readonly string[]): boolean {
  const count = members.filter(({ name = "" }) => {
    const own = titleParts(name);
    return title.every((part, at) => part === own[at]);
  }).length;
  return count >= NAMED_SHARE * members.length;
}

/**
 * If the titles of at least this share (0 to 1) of a group's pages start with the same parts, these parts name the whole
 * group. The other pages may show saved searches, whose titles are the names of the searches.
 */
const NAMED_SHARE = 0.8;

/**
 * Number of path segments that identify a parent: the name of its collection and its own name, as in
 * `/projects/harbor`.
 */
const PARENT_SEGMENTS = 2;

/** Words that stand for the start page at the end of an address, as in Fossil, DokuWiki and sites with PHP. */
const START_PAGE = /^(?:home|index|start|main|default|welcome)(?:\.\w{3,5})?$/i;
/**
 * Names that web servers use for the start page: `index` (Apache, nginx) and `default` (IIS). Addresses with
 * other names, such as `home` and `welcome`, may be two different pages.
 */
const SERVED_START_PAGE = /^(?:index|default)(?:\.\w{3,5})?$/i;

/**
 * Whether the pages of both groups are the start page of the site, at two addresses. Their titles must be
 * equal, and their addresses must end in two different words for a start page. One of these words must be a
 * default of web servers, such as `index`.
 */
export function areStartPages(a: Group, b: Group): boolean {
  if (a.title === undefined || a.title !== b.title || a.path.length !== b.path.length) return false;
  const [last, other] = [a.path.at(-1)?.value, b.path.at(-1)?.value];
  if (
    a.query.length > 0 ||
    b.query.length > 0 ||
    !START_PAGE.test(last ?? "") ||
    !START_PAGE.test(other ?? "")
  )
    return false;
  if (!SERVED_START_PAGE.test(last ?? "") && !SERVED_START_PAGE.test(other ?? "")) return false;
  return a.path.slice(0, -1).every(({ value }, at) => value === b.path[at]?.value);
}

/**
 * Whether the group is a single page that was opened by a permanent link, which contains an id, as
 * `/@itemid/{id}` in MoinMoin. The other group (`template`) must contain a page with the same name and a
 * similar structure.
 */
export function isPermanentLink(group: Group, template: Group): boolean {
  const [page, another] = group.members;
  if (!page?.name || another || functionSegment(group) !== functionSegment(template)) return false;
  if (!slotsOf(group).some(({ value }) => value !== undefined && /^\{id\}$/.test(value))) return false;
  const equallyNamed = pagesByName(template).get(page.name) ?? [];
  return equallyNamed.some((member) => memberSimilarity(member, page, need("nested")) >= ALIKE.nested);
}

const pagesByName = factOfPages(
  () => new Map<string, Member[]>(),
  (pages, page) => {
    const { name = "" } = page;
    const found = pages.get(name);
    if (found) found.push(page);
    else pages.set(name, [page]);
  },
);

/** Matches a parameter with a number. `p=26` may select a page of a list or an item, so the structure decides. */
const NUMBER_IN_QUERY = /[?&][\w-]+=\d/;

/**
 * Whether one group consists of start pages with the id of an item as a parameter, and the addresses of the
 * other group end in names. Examples of such ids are `/?p=26` for a draft of WordPress, and `/?id=26` for an
 * article of Textpattern without an address of its own.
 */
export function areShortLinks(a: Group, b: Group): boolean {
  const [item, named] = a.path.length === 0 ? [a, b] : [b, a];
  if (item.path.length > 0 || !item.members.every(({ url }) => NUMBER_IN_QUERY.test(url))) return false;
  if (item.query.some(({ name }) => isFunctionParameter(name))) return false;
  if (named.members.length < ENOUGH_ITEMS || named.query.length > 0 || stateOf(a) !== stateOf(b))
    return false;
  return named.path.length > 0 && named.path.at(-1)?.value === undefined;
}

/** Matches the separator of the parts of a title: `List of issues - Show all`. */
const TITLE_SEPARATOR = /\s+[-–—|:·»]\s+/;

/**
 * Returns the title parts with which the titles of all pages in a group start, such as `list of issues`. The
 * list is empty if the titles already differ in the first part.
 */
export function commonTitle({ members }: Group): readonly string[] {
  const [first = [], ...others] = members.map(({ name = "" }) => titleParts(name));
  const differing = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return first.slice(0, differing < 0 ? first.length : differing);
}

/**
 * Returns the parts of a page's name, which separators such as " | " divide, in lower case. The list is empty
 * for a page without a name.
 */
function titleParts(name: string): readonly string[] {
  return name === "" ? [] : name.toLowerCase().split(TITLE_SEPARATOR);
}
