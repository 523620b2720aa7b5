/**
 * Computes the minimum similarity in structure at which two pages count as one screen. The minimum is low if
 * the addresses differ in numbers or in names of items. It is high if they differ in names of sections.
 */

import { isFunctionParameter } from "../addresses/page-address-parts.ts";
import { allHaveForm, isWordy, wordsIn } from "./multi-word-and-file-names-in-addresses.ts";
import {
  agree,
  type Group,
  isDestination,
  isListed,
  isVariable,
  type Member,
  type Slot,
  slotsOf,
  stateOf,
} from "./page-group.ts";
import { factOfPages, pathLengths } from "./page-group-fact-cache.ts";
import { ARCHIVE_WORD } from "./pages-that-are-collection-items.ts";
import { endsInFunction, functionSegment, functionsOf } from "./site-function-of-page-group.ts";

/**
 * Minimum similarity of structure (0 to 1) at which two groups of pages are one screen. It depends on how the
 * addresses of the groups differ. On six measured sites, pages of one template had a similarity of 0.75 to 1,
 * and pages of two templates 0.05 to 0.75. Different forms of one administration interface reached 0.9.
 */
export const ALIKE = {
  /**
   * Minimum similarity (0 to 1) at which two groups are one screen, if their addresses differ only in
   * numbers, dates and ids. It also applies to two lists with equal titles: the list of all items, and the
   * list of one parent's items. It is low, because the second list has an additional menu and additional
   * columns.
   */
  masked: 0.3,
  /**
   * Minimum similarity (0 to 1) at which two groups of pages are one screen, if their addresses differ at one
   * position, and the values there are names of items, as in `/shop/tea` and `/shop/rice`.
   */
  items: 0.75,
  /**
   * Minimum similarity at which two groups of pages are one screen, if the values at one position of their
   * addresses differ. The values are names with a number or id, such as `news-3`. The minimum is low, because
   * pages of such items may differ: some boards of a forum contain further boards, and others do not.
   */
  slugs: 0.5,
  /**
   * Minimum similarity at which two groups of pages are one screen, although something suggests two screens: for
   * example, their addresses differ in a segment that may name sections of the site. It must exceed 0.9, because two
   * different forms of an administration interface reached 0.9.
   */
  sections: 0.92,
  /**
   * Minimum similarity at which two groups of pages are one screen, if one segment of their addresses selects
   * different functions, such as `log` and `blame`.
   */
  varied: 0.85,
  /**
   * Minimum similarity (0 to 1) at which a small and a large group of pages are one screen, if their
   * addresses have the same form. The large group contains most pages of this form.
   */
  template: 0.4,
  /**
   * Minimum similarity of structure at which two groups of pages are one screen, if the address of one has query
   * parameters that the other lacks.
   */
  query: 0.5,
  /**
   * Minimum similarity (0 to 1) at which two groups of pages are one screen, if their addresses start with
   * the same segment and differ in length. It also applies to one item in several lists: `/history/entry/{n}`
   * and `/feed/{n}/entry/{n}`.
   */
  nested: 0.75,
  /**
   * Minimum similarity at which two archives of posts, such as `/author/ada` and `/author/kai`, are one screen. It
   * is low, because an archive without posts has a message and a search field instead (WordPress, Ghost).
   */
  archives: 0.5,
  /**
   * Minimum similarity (0 to 1) at which two groups of pages are one screen, if their addresses have the same
   * function, or name the same operation on objects of one kind: `/blame/README` and `/blame/Makefile`. The objects
   * are of one kind if another group contains them too, such as `/log/README` and `/log/Makefile`.
   */
  objects: 0.5,
  /**
   * Minimum similarity of structure at which two groups of pages are one screen, if the pages are folders, and one
   * group contains subfolders of the other: for example albums inside of albums.
   */
  folders: 0.5,
  /**
   * Minimum similarity of structure at which two pages of one page tree, such as wiki pages, are one screen. Their
   * addresses need not have a common part.
   */
  tree: 0.95,
  /**
   * Minimum similarity (0 to 1) at which two groups are one screen, although no part of their addresses is
   * equal. In addition, all pages of the groups must have equal names, because the site then shows each page
   * at two addresses.
   */
  twins: 0.9,
} as const;
/**
 * Minimum number of different values at one position of addresses, such as `1` and `2` in `/orders/1` and
 * `/orders/2`, for the values to count as names of items.
 */
export const MANY_VALUES = 6;
/** A parameter certainly names an item if it has at least this number of different values. */
const SURE_VALUES = 12;
/**
 * A pattern in addresses counts only if it has at least this number of examples. Fewer may be a coincidence.
 * For example, a name always follows the same number (`/orders/17/blue-shoes`), and a verb follows several
 * numbers (`/orders/17/edit`).
 */
export const ENOUGH_PAIRS = 3;
/**
 * Values of a path segment are names of items if they have at least this mean number of words: `create-a-page`,
 * unlike `settings`.
 */
const ITEM_WORDS = 2.5;
/** The conditions under which two groups of pages become one screen. */
export interface Need {
  /** Minimum similarity of structure, from 0 to 1, at which two groups are merged. */
  readonly least: number;
  /**
   * Whether two pages with hardly any structure may count as similar. They may only if their addresses
   * strongly suggest that they are one screen.
   */
  readonly plain: boolean;
  /** Whether two pages with little structure count as similar if their structures are equal. */
  readonly equal?: boolean;
  /**
   * Whether two pages count as similar if both were read and have no structure, for example plain lists of
   * the files in a folder. It does not apply to pages whose structure was not read.
   */
  readonly bare?: boolean;
  /**
   * Whether a page also counts as similar to a page that has nearly all of its features and further ones, as
   * a full list has all features of an empty list. The addresses must strongly suggest one screen.
   */
  readonly parts?: boolean;
  /**
   * Whether columns of tables and other features that depend on data are left out when two pages are
   * compared.
   */
  readonly withoutData?: boolean;
}

/** A condition that two groups never fulfil, so they stay separate screens. */
export const NEVER: Need = { least: Number.POSITIVE_INFINITY, plain: false };

export function need(kind: keyof typeof ALIKE, plain = false): Need {
  return { least: ALIKE[kind], plain };
}

/**
 * Returns the condition with the higher minimum similarity. If it is `other`, fields that `other` lacks are
 * taken from `usual`.
 */
export function stricter(usual: Need, other: Need): Need {
  return usual.least < other.least ? { ...usual, ...other } : usual;
}

/**
 * Returns the minimum similarity at which groups of pages are one screen. The addresses of the groups differ
 * only at this position.
 *
 * @param areItems whether the values at this position are known to be names of items
 */
export function thresholdAt(bucket: readonly Group[], position: number, areItems: boolean): Need {
  const [first] = bucket;
  const values = [...new Set(bucket.map((group) => slotsOf(group)[position]?.value))];
  if (!first || values.length < 2) return NEVER;
  if (bucket.every((group) => slotsOf(group)[position]?.namespace)) return need("items");
  const words = values.reduce((sum, value) => sum + wordsIn(value), 0) / values.length;
  if (position >= first.path.length) {
    const { name } = first.query[position - first.path.length] ?? { name: "" };
    if (isFunctionParameter(name)) return need("sections");
    // At this point, the parameter is known to name no function of the site, unlike `c` in `?c=users`. So it selects
    // the data that the page shows, such as the columns of a result.
    if (values.length < MANY_VALUES) return { ...need("sections"), bare: true, withoutData: true };
    return { ...need(values.length >= SURE_VALUES ? "query" : "items"), withoutData: true };
  }
  const [before, after] = [first.path[position - 1], first.path[position + 1]];
  // The segment after an item's number is either the item's name, as in `/orders/{n}/blue-shoes`, or a verb,
  // as in `/orders/{n}/edit`.
  if (after === undefined && before && isVariable(before.value)) {
    if (isNamed(bucket, position)) return need("masked");
    const areSingle = bucket.every(({ members }) => members.length === 1);
    const areNames = areSingle && (words >= ITEM_WORDS || !haveOneBeginning(bucket, position));
    return need(areNames ? "items" : "sections");
  }
  if (values.every((value) => value !== undefined && SLUG.test(value))) return need("slugs");
  if (after === undefined && ARCHIVE_WORD.test(before?.value ?? "") && bucket.every(isUnlisted))
    return need("archives");
  if (areItems) return { ...need("items", true), withoutData: true, bare: true };
  // A menu leads to sections of the site, but not to items such as the tables of a database. Two tables may
  // have different columns, so columns are not compared if no menu leads to any of the pages.
  const withoutData = position > 0 && bucket.every(isUnlisted);
  // An administration may have many sections in one folder, each with a list of its own (pretalx, Django's
  // administration). A menu that links to most of them shows that they are no items.
  const isMenu = position > 0 && 2 * bucket.filter(isUnlisted).length < bucket.length;
  if (values.length >= MANY_VALUES && !isMenu) return { ...need("items", position > 0), withoutData };
  if (words >= ITEM_WORDS) return need("items");
  // `/tags/{name}` and `/authors/{name}`, or `/sales-orders/{n}` and `/price-lists/{n}`, are items of two
  // collections. They stay two screens, even if the pages are similar. An exception are items with names (not
  // numbers) in folders whose names all have several words, such as `/tutorial-basics/{name}`: they may be one
  // screen.
  if (after !== undefined && isVariable(after.value))
    return values.every(isWordy) && after.value === undefined ? need("sections") : NEVER;
  // In `/orders/invoice` beside `/orders/{n}`, the word is no item. Two pages with little structure at such
  // addresses are never one screen, even if their structures are equal.
  const equal = position > 0 && !values.some(isVariable);
  return { ...need("sections"), equal, withoutData, bare: first.path.length > 1 };
}

/**
 * Whether the group contains no page to which most pages of the site link. An entry of the site's menu would
 * be such a page.
 */
function isUnlisted({ members }: Group): boolean {
  return members.every(({ site_wide }) => !site_wide);
}

/**
 * Whether the addresses of all pages are equal before the position. If they are, several words at this
 * position are functions and not names of items, such as `/issues/7/edit` and `/issues/7/history`, or
 * `/harbor27/speakers` and `/harbor27/schedule` (pretalx).
 */
function haveOneBeginning(bucket: readonly Group[], position: number): boolean {
  const members = bucket.flatMap((group) => group.members);
  return beginningsOf(members, position).size === 1;
}

/** Returns all different beginnings of the pages' addresses: the path segments before the given position. */
function beginningsOf(members: readonly Member[], position: number): ReadonlySet<string> {
  return new Set(
    members.map(({ address }) =>
      address.path
        .slice(0, position)
        .map(({ value }) => value)
        .join("/"),
    ),
  );
}

/**
 * Whether the numbers and names in the addresses belong together: a number always occurs with the same name, and a
 * name with the same number, as 3 and "news" in `/category/3/news`.
 */
function isNamed(bucket: readonly Group[], position: number): boolean {
  const numbers = bucket.map(({ members }) => beginningsOf(members, position));
  if (bucket.length < ENOUGH_PAIRS || numbers.some(({ size }) => size !== 1)) return false;
  return new Set(numbers.flatMap((own) => [...own])).size === bucket.length;
}

/** Matches a name with a masked number or id before or after it: `news-{n}`, `{n}-blue-shoes`. */
const SLUG = /^(?:[^{}]*\p{L}[^{}]*[-_.]\{(?:n|id)\}|\{(?:n|id)\}[-_.][^{}]*\p{L}[^{}]*)$/u;

/**
 * Returns the groups whose path segment at this position has several words, such as `tutorial-basics` and
 * `tutorial-extras` (Docusaurus). Folders with such names are often of one kind. A folder with a name of one
 * word, such as `category`, usually is not.
 */
export function inWordyFolders(bucket: readonly Group[], position: number): readonly Group[] {
  return bucket.filter((group) => isWordy(slotsOf(group)[position]?.value));
}

/** Whether all pages of the group have one title although their paths differ. This title names the screen. */
function haveOneTitle({ title, path }: Group): boolean {
  return title !== undefined && path.some(({ value }) => value === undefined);
}

/**
 * Whether two groups belong to two collections, such as `/blog/tag/{name}` and `/blog/author/{name}`. The
 * first difference of their addresses is a fixed word (`tag`, `author`), and a name follows this word.
 */
function areCollections({ path: a }: Group, { path: b }: Group): boolean {
  const at = a.findIndex((slot, index) => !agree(slot, b[index]));
  if (at < 0 || isVariable(a[at]?.value) || isVariable(b[at]?.value)) return false;
  return [a, b].every((path) => at < path.length - 1 && isVariable(path[at + 1]?.value));
}

/**
 * Whether one group belongs to a collection, such as `/docs/tags/{name}`, and the other group to several
 * folders beside it, such as `/docs/tutorial-basics/{name}`. The name of the collection is a single word, and
 * the names of the folders have several words.
 */
function isCollection({ path: own }: Group, other: Group): boolean {
  const { path } = other;
  if (own.length !== path.length) return false;
  return own.some(({ value }, at) => {
    if (at === 0 || at === own.length - 1 || path[at]?.value !== undefined) return false;
    return !isVariable(value) && !isWordy(value) && allHaveForm(other, at, "wordy");
  });
}

export function pairThreshold(a: Group, b: Group): Need {
  if (a.members[0]?.address.host !== b.members[0]?.address.host) return NEVER;
  if (functionSegment(a) !== functionSegment(b)) return NEVER;
  if (stateOf(a) !== stateOf(b)) return NEVER;
  const differing = a.path.filter((slot, at) => !agree(slot, b.path[at])).length;
  const samePath = a.path.length === b.path.length && differing === 0;
  if (!samePath && (isDestination(a) || isDestination(b))) return NEVER;
  if (areCollections(a, b) || isCollection(a, b) || isCollection(b, a)) return NEVER;
  if (a.path.length === b.path.length) {
    const equalTitles = a.title !== undefined && a.title === b.title;
    if (differing === 0 && a.varied && b.varied && !equalTitles) return need("varied");
    const first = a.path[0];
    // If a menu links to the pages of both groups, they are sections of an administration, such as the
    // reports of Wagtail. This is so even if sections with equal structure were merged before.
    const areSections =
      a.path.some(({ value }, at) => value !== b.path[at]?.value) &&
      [a, b].every((group) => group.members.length < MANY_VALUES && isListed(group));
    if (differing === 0) {
      if (isDestination(a) || isDestination(b)) return need("items");
      return areSections ? { ...need("sections"), equal: true } : queryNeed(a, b);
    }
    const variable =
      a.path.some(({ value }) => value === undefined) || b.path.some(({ value }) => value === undefined);
    if (differing !== 1 || !variable || !first || !agree(first, b.path[0])) return NEVER;
    const differ = a.path.findIndex((slot, at) => !agree(slot, b.path[at]));
    const areItems = [a, b].some((group) => hasItems(group, differ));
    return { ...need(areSections || !areItems ? "sections" : "items"), equal: true };
  }
  if (endsInFunction(a) !== endsInFunction(b))
    return haveOneTitle(a) || haveOneTitle(b) ? NEVER : need("sections");
  if (haveVerbInCommon(a, b)) return { ...need("nested"), bare: true };
  if (functionSegment(a) !== undefined) return need("nested");
  const [first, other] = [a.path[0], b.path[0]];
  if (!first || !other || functionsOf(a.query) !== functionsOf(b.query)) return NEVER;
  // `/orders/{n}/edit` and `/orders/new` stay two screens (Rails, Django's admin): an operation on an item is
  // a separate screen.
  if (isVerb(a) || isVerb(b) || areVerbsOfKinds(a, b)) return NEVER;
  // Pages of a wiki may be at any depth: `/{name}` and `/{name}/{name}` may be one screen.
  if ([a, b].every(({ path }) => path.every(({ value }) => isVariable(value)))) {
    // Albums may contain albums, so `/{album}/photo{n}` and `/{album}/{album}/photo{n}` may be one screen.
    const [name, otherName] = [a.path.at(-1)?.value, b.path.at(-1)?.value];
    return name !== undefined && name === otherName
      ? need("slugs", true)
      : { ...need("sections"), equal: true };
  }
  if (first.value === undefined || first.value !== other.value) return NEVER;
  if (haveOtherWords(a, b)) return isListed(a) === isListed(b) ? need("sections") : NEVER;
  if (isBeginning(a, b) || isBeginning(b, a)) return NEVER;
  // The addresses of a list and its item (`/orders`, `/orders/17`) also start with the same segments, but
  // they are two screens. So pages at different depths are merged only if their addresses have a variable
  // segment.
  if (!a.path.some(({ value }) => isVariable(value))) return NEVER;
  return need(hasNamespace(a) === hasNamespace(b) ? "nested" : "varied");
}

/**
 * Whether a segment of the group's addresses varies, so that the group shows items. At or after `position`, a
 * segment needs at least `ENOUGH_PAIRS` different values. Two words, such as `/settings/oauth/apps` and
 * `/settings/oauth/authorized` (pretix), may be two sections.
 */
function hasItems(group: Group, position: number): boolean {
  const values = valuesOf(group);
  return group.path.some(
    ({ value }, at) => value === undefined && (at < position || (values[at]?.size ?? 0) >= ENOUGH_PAIRS),
  );
}

/** The different values of each path segment in the addresses of a group. */
const valuesOf = factOfPages(
  (): Set<string>[] => [],
  (values, { address: { path } }) => {
    for (const [at, { value }] of path.entries()) {
      const own = values[at] ?? new Set();
      values[at] = own.add(value);
    }
  },
);

/**
 * Whether two addresses name the same operation on an item, and differ only in the object of the operation.
 * In `/{project}/log` and `/{project}/log/{file}`, the operation is `log`. The object is the whole project or
 * a file (cgit, GitHub, Trac).
 */
function haveVerbInCommon(a: Group, b: Group): boolean {
  const { path } = a;
  const differing = path.findIndex((slot, at) => !agree(slot, b.path[at]));
  const common = differing < 0 ? path.length : differing;
  let verb = Math.min(common, b.path.length) - 1;
  while (verb > 0 && (isVariable(path[verb]?.value) || path[verb]?.value !== b.path[verb]?.value)) verb -= 1;
  if (verb <= 0 || !path.slice(0, verb).some(({ value }) => isVariable(value))) return false;
  if (functionsOf(a.query) !== functionsOf(b.query)) return false;
  // If many addresses continue after the word for an operation, as `/{project}/log/{object}` does after `log`, each
  // segment at this position is the name of an object. This is so even for an ordinary word, such as `test` in
  // `/{project}/log/test`.
  const objects = [a, b].map((group) =>
    [...pathLengths(group)].reduce((sum, [length, count]) => sum + (length > verb + 1 ? count : 0), 0),
  );
  if (Math.max(...objects) >= ENOUGH_PAIRS) return true;
  return [a, b].every((group) => group.path.length === verb + 1 || isObject(group.path.at(-1)));
}

/** Whether a path segment names an item or a file, and not an operation such as `edit`. */
export function isObject(slot: Slot | undefined): boolean {
  return slot !== undefined && (isVariable(slot.value) || /\.\w{1,5}$/.test(slot.value ?? ""));
}

/**
 * Whether the first address is the beginning of the second, and continues there with a fixed word: `/blog`
 * and `/blog/archive/{n}`.
 */
function isBeginning({ path }: Group, { path: longer }: Group): boolean {
  if (path.length >= longer.length || isVariable(longer[path.length]?.value)) return false;
  return path.every(({ value }, at) => !isVariable(value) && value === longer[at]?.value);
}

/**
 * Whether two addresses of different lengths have two different words at one position, or a word and a
 * number. Examples are `/admin/collections` and `/admin/documents/usage/{n}` (Wagtail), or `/pages/{n}` and
 * `/pages/usage/{name}`.
 */
function haveOtherWords({ path: a }: Group, { path: b }: Group): boolean {
  return a.some((slot, at) => b[at] !== undefined && !agree(slot, b[at]));
}

function hasNamespace({ path }: Group): boolean {
  return path.some(({ namespace }) => namespace);
}

/**
 * Matches words that stand for the newest item of a list, such as `/list/{name}/latest` beside
 * `/list/{name}/2026/5` (HyperKitty), and `/en/latest/` beside `/en/2.1/` (Read the Docs).
 */
const NEWEST = /^(?:latest|newest|current|today)$/i;

/** Whether the address ends in a fixed word after the number or id of an item, such as `/orders/{n}/edit`. */
export function isVerb({ path }: Group): boolean {
  const last = path.at(-1);
  if (last === undefined || isVariable(last.value) || NEWEST.test(last.value ?? "")) return false;
  return path.length > 1 && isVariable(path.at(-2)?.value);
}

/**
 * Whether the addresses end in the same operation on objects of two kinds, such as `/orders/new` and
 * `/orders/{n}/items/new`.
 */
function areVerbsOfKinds({ path: a }: Group, { path: b }: Group): boolean {
  const [last, other] = [a.at(-1)?.value, b.at(-1)?.value];
  const [kind, otherKind] = [a.at(-2)?.value, b.at(-2)?.value];
  if (last === undefined || last !== other || isVariable(last)) return false;
  return !isVariable(kind) && !isVariable(otherKind) && kind !== otherKind;
}

/**
 * Returns the minimum similarity of structure at which two groups are one screen, if their addresses have the same
 * path and different query parameters.
 */
function queryNeed({ query: a, title }: Group, { query: b, title: other }: Group): Need {
  const haveOneName = title !== undefined && title === other;
  const [operation, another] = [functionsOf(a), functionsOf(b)];
  if (operation !== another)
    return need(haveOneName && isDefaultView(operation, another) ? "items" : "sections");
  // A page may also exist without the menu of the site, such as a view for printing with the same title. It
  // then has only a part of the page's features, so `parts` is set.
  const parts = haveOneName;
  // The parameters name the same operation, such as `action=edit`, on different items, so the two pages may be one
  // screen.
  if (operation !== "") return { ...need("query"), bare: true, parts };
  // Both groups have the same title, such as "Timeline" or "Search". Such a title names a screen and not an
  // item, so the groups are probably one screen.
  if (haveOneName) return { ...need("masked"), equal: true, bare: true, parts };
  if (sameNames(a, b)) return { ...need("items"), equal: true, bare: true };
  // Namespaces are not compared: in a wiki, `Category:Tea` and `Help:Tea` have the same name in two
  // namespaces, and are of the same kind. Pages with different names may be unrelated, so they need the
  // higher similarity `sections`.
  const items = new Map(b.flatMap((slot) => (slot.namespace ? [] : [[slot.name, slot] as const])));
  const differ = a.some(
    (slot) => !slot.namespace && items.has(slot.name) && !agree(slot, items.get(slot.name)),
  );
  return { ...need(differ ? "sections" : "query"), equal: true, bare: !differ };
}

/**
 * Whether two addresses differ only in the parameter `view`, which one address lacks: `/reports?view=bymonth`
 * and `/reports` (Fossil), `/diffs?view=parallel` and `/diffs` (GitLab). Without the parameter, the server
 * shows the default view.
 */
function isDefaultView(operation: string, another: string): boolean {
  return (operation === "" || another === "") && /^view=[^&]*$/i.test(operation + another);
}

function sameNames(a: readonly Slot[], b: readonly Slot[]): boolean {
  return a.length === b.length && a.every(({ name }, at) => name === b[at]?.name);
}
