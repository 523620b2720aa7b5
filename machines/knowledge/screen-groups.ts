/**
 * Groups the pages of a site into screens, as a person would count them: pages of one template with the same
 * structure are one screen, whatever their content.
 *
 * Two pages are compared when their addresses differ in one position. The more the addresses suggest one
 * screen, the less similar the structure has to be.
 */
import {
  type AddressPosition,
  addressOf,
  isFunctionParameter,
  type ScreenAddress,
} from "./screen-address.ts";
import { parseSketch, type StructureSketch, similarity } from "./structure-sketch.ts";

/** One page or state of a page, with the data for grouping. */
export interface ScreenInstance {
  readonly screen_id: string;
  readonly url: string;
  /** The result of `sketchOf`; empty when unknown. */
  readonly structure: string;
  /** The name of the page without the name of the site; absent when unknown. */
  readonly name?: string | undefined;
  /**
   * The name of the state, if an action on the page shows it. States with different names are different
   * screens.
   */
  readonly state?: string | undefined;
  /** Whether most pages of the site link to the page. */
  readonly site_wide: boolean;
}

/** A position of a group's address: a literal text, or `undefined` where the instances differ. */
export interface GroupedPosition {
  readonly name: string;
  readonly value: string | undefined;
}

export interface ScreenGroup {
  /** Instances in the order of their addresses. */
  readonly instances: readonly ScreenInstance[];
}

/**
 * Minimum similarity of structure that makes two pages one screen, by how their addresses differ. Pages of
 * one template have 0.65 to 1 of their features in common, and pages of two templates of a site 0.1 to 0.6.
 * Two sections of an administration have up to 0.85.
 */
const ALIKE = {
  /** The addresses differ only in numbers, dates and ids. */
  masked: 0.45,
  /** The addresses differ in one position, whose values are names of items. */
  items: 0.62,
  /** The addresses differ in one position, whose values are words that may name sections. */
  sections: 0.88,
  /** One address has parameters that the other lacks. */
  query: 0.75,
  /** The addresses start with the same segment and differ in length. */
  nested: 0.66,
  /**
   * The addresses have nothing in common, but the names of the pages are equal: one page at two addresses.
   */
  twins: 0.9,
} as const;
/** A position of an address with at least this many values contains names of items. */
const MANY_VALUES = 6;
/** A parameter with at least this many values names items as certainly as a number does. */
const SURE_VALUES = 12;
/**
 * Mean number of words from which a path segment is the name of an item: `create-a-page`, unlike `settings`.
 */
const ITEM_WORDS = 2.5;
/** Mean number of words from which a folder is one of many collections: `tutorial-basics`, unlike `tags`. */
const FOLDER_WORDS = 2;
/** A page with fewer features has hardly any structure: plain text without classes, forms or landmarks. */
const FEW_FEATURES = 10;

/** The condition under which two groups are one screen. */
interface Need {
  /** Minimum similarity of structure. */
  readonly least: number;
  /**
   * Whether two pages with hardly any structure count as similar. They do only if their addresses are strong
   * evidence.
   */
  readonly plain: boolean;
}

/** The condition of two groups that are never one screen. */
const NEVER: Need = { least: Number.POSITIVE_INFINITY, plain: false };

function need(kind: keyof typeof ALIKE, plain = false): Need {
  return { least: ALIKE[kind], plain };
}
/** Maximum number of instances that represent a group in comparisons. */
const REPRESENTATIVES = 4;
/**
 * Maximum number of groups with which a further one is compared. A site has at most a few hundred templates.
 * Without this limit, ten thousand different pages would all be compared with each other.
 */
const MOST_COMPARED = 300;
/** Maximum number of groups of one site that are compared in pairs. */
const MOST_PAIRED = 1_500;

interface Group {
  readonly members: Member[];
  path: readonly Slot[];
  query: readonly Slot[];
}

interface Member extends ScreenInstance {
  readonly address: ScreenAddress;
  readonly sketch: StructureSketch | undefined;
}

interface Slot {
  readonly name: string;
  /** The masked value of the position; `undefined` where members differ. */
  readonly value: string | undefined;
}

/** Groups the instances of one website. The result depends only on the set of instances. */
export function groupScreens(instances: readonly ScreenInstance[]): readonly ScreenGroup[] {
  const members = instances.flatMap((instance): Member[] => {
    const address = addressOf(instance.url);
    const sketch = instance.structure === "" ? undefined : parseSketch(instance.structure);
    return address ? [{ ...instance, address, sketch }] : [];
  });
  members.sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : a.screen_id < b.screen_id ? -1 : 1));
  let groups = byMaskedAddress(members);
  groups = bySiblings(groups);
  groups = byPairs(groups);
  groups = byNames(groups);
  const grouped = groups.map(({ members: found }) => ({ instances: found.map(plain) }));
  const unreadable = instances.filter(({ url }) => addressOf(url) === undefined);
  return [...grouped, ...unreadable.map((instance) => ({ instances: [instance] }))];
}

function plain({ address: _, sketch: __, ...instance }: Member): ScreenInstance {
  return instance;
}

function stateOf({ members }: Group): string {
  return members[0]?.state ?? "";
}

/** Groups instances whose addresses differ only in numbers, dates and ids. */
function byMaskedAddress(members: readonly Member[]): Group[] {
  const buckets = new Map<string, Group[]>();
  for (const member of members) {
    const { host, path, query } = member.address;
    const key = [host, member.state ?? "", ...path.map(slotText), "?", ...query.map(slotText)].join("\n");
    const single: Group = { members: [member], path: path.map(slotOf), query: query.map(slotOf) };
    const found = buckets.get(key);
    if (found) join(found, single, () => need("masked", true));
    else buckets.set(key, [single]);
  }
  return [...buckets.values()].flat();
}

function slotText({ name, masked }: AddressPosition): string {
  return `${name}=${masked}`;
}

function slotOf({ name, masked }: AddressPosition): Slot {
  return { name, value: masked };
}

/** Merges groups whose addresses differ in one position. Positions with the most values come first. */
function bySiblings(groups: readonly Group[]): Group[] {
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
  return [...families.values()].flatMap((family) => {
    let current = family;
    const positions = (family[0]?.path.length ?? 0) + (family[0]?.query.length ?? 0);
    const variety = (position: number) =>
      new Set(current.map((group) => slotsOf(group)[position]?.value ?? "")).size;
    const order = Array.from({ length: positions }, (_, position) => ({
      position,
      values: variety(position),
    })).sort((a, b) => b.values - a.values || b.position - a.position);
    for (const { position } of order) current = mergedAt(current, position, parents);
    return current;
  });
}

/** Groups whose address is the start of other groups' addresses, as `/blog/tags` is of `/blog/tags/news`. */
function parentsIn(groups: readonly Group[]): ReadonlySet<Group> {
  const beginnings = new Set<string>();
  const text = (path: readonly Slot[]) => path.map(({ value }) => value ?? "*").join("/");
  for (const { path } of groups) {
    for (let length = 1; length < path.length; length++) beginnings.add(text(path.slice(0, length)));
  }
  return new Set(groups.filter(({ path }) => path.length > 0 && beginnings.has(text(path))));
}

function slotsOf({ path, query }: Group): readonly Slot[] {
  return [...path, ...query];
}

/** Merges similar groups whose addresses differ only in this position. */
function mergedAt(groups: readonly Group[], position: number, parents: ReadonlySet<Group>): Group[] {
  const buckets = new Map<string, Group[]>();
  for (const group of groups) {
    const key = slotsOf(group)
      .map(({ name, value }, at) => (at === position ? "*" : `${name}=${value ?? "*"}`))
      .join("\n");
    const bucket = buckets.get(key);
    if (bucket) bucket.push(group);
    else buckets.set(key, [group]);
  }
  return [...buckets.values()].flatMap((bucket) => {
    const threshold = thresholdAt(bucket, position);
    if (threshold === NEVER) return bucket;
    const sections = bucket.filter((group) => parents.has(group)).length < bucket.length / 2;
    const merged: Group[] = [];
    for (const group of bucket) {
      const needed = sections && parents.has(group) ? need("sections") : threshold;
      join(merged, group, () => (isDestination(group) ? NEVER : needed));
    }
    return merged;
  });
}

/** How similar groups have to be whose addresses differ in this position. */
function thresholdAt(bucket: readonly Group[], position: number): Need {
  const [first] = bucket;
  const values = [...new Set(bucket.map((group) => slotsOf(group)[position]?.value))];
  if (!first || values.length < 2) return NEVER;
  const words = values.reduce((sum, value) => sum + wordsIn(value), 0) / values.length;
  if (position >= first.path.length) {
    const { name } = first.query[position - first.path.length] ?? { name: "" };
    if (isFunctionParameter(name) || values.length < MANY_VALUES) return need("sections");
    return need(values.length >= SURE_VALUES ? "masked" : "items");
  }
  const [before, after] = [first.path.slice(0, position), first.path[position + 1]];
  // After an item's number comes its name or a verb: `/orders/{n}/blue-shoes`, `/orders/{n}/edit`.
  if (after === undefined && before.some(({ value }) => isVariable(value))) {
    return need(bucket.every(({ members }) => members.length === 1) ? "items" : "sections");
  }
  if (values.length >= MANY_VALUES) return need("items", position > 0);
  if (words >= ITEM_WORDS) return need("items");
  // `/tags/{name}` and `/authors/{name}` are two screens, however similar their pages are.
  if (after !== undefined && isVariable(after.value)) return words >= FOLDER_WORDS ? need("items") : NEVER;
  return need("sections");
}

function wordsIn(value: string | undefined): number {
  return value?.match(/[\p{L}\p{N}{}]+/gu)?.length ?? 1;
}

function isVariable(value: string | undefined): boolean {
  return value === undefined || /\{(?:n|id|date)\}/.test(value);
}

/**
 * Whether the group is a top-level page that most pages link to, such as "About". It is always a separate
 * screen.
 */
function isDestination({ members, path }: Group): boolean {
  return members.length === 1 && members[0]?.site_wide === true && path.length === 1;
}

/** Merges groups of one host whose addresses differ in length, in parameters, or in several positions. */
function byPairs(groups: readonly Group[]): Group[] {
  if (groups.length > MOST_PAIRED) return [...groups];
  const merged: Group[] = [];
  // Large groups come first, so that single pages are added to them.
  for (const group of [...groups].sort((a, b) => b.members.length - a.members.length)) {
    join(merged, group, (other) => pairThreshold(other, group));
  }
  return merged;
}

/**
 * Maximum number of screens with one name. If more have it, it is a title that the site gives to all of its
 * pages.
 */
const MOST_EQUALLY_NAMED = 6;

/**
 * Merges groups with equal names, such as `/` and `/topic/active/` of a forum, or `/wiki` and
 * `/wiki?id=start`.
 */
function byNames(groups: readonly Group[]): Group[] {
  const named = new Map<string, Group[]>();
  for (const group of groups) {
    const names = new Set(group.members.map(({ name }) => name?.toLowerCase() ?? ""));
    const [name = ""] = names;
    if (names.size !== 1 || name === "") continue;
    const key = [group.members[0]?.address.host, stateOf(group), name].join("\n");
    named.set(key, [...(named.get(key) ?? []), group]);
  }
  const joined = new Set<Group>();
  for (const equallyNamed of named.values()) {
    if (equallyNamed.length < 2 || equallyNamed.length > MOST_EQUALLY_NAMED) continue;
    const merged: Group[] = [];
    for (const group of equallyNamed) {
      join(merged, group, () => need("twins"));
      if (merged.at(-1) !== group) joined.add(group);
    }
  }
  return groups.filter((group) => !joined.has(group));
}

function pairThreshold(a: Group, b: Group): Need {
  if (a.members[0]?.address.host !== b.members[0]?.address.host) return NEVER;
  if (stateOf(a) !== stateOf(b) || isDestination(a) || isDestination(b)) return NEVER;
  if (a.path.length === b.path.length) {
    const differing = a.path.filter((slot, at) => !agree(slot, b.path[at])).length;
    if (differing === 0) return queryNeed(a.query, b.query);
    const variable =
      a.path.some(({ value }) => value === undefined) || b.path.some(({ value }) => value === undefined);
    const first = a.path[0];
    return differing === 1 && variable && first && agree(first, b.path[0]) ? need("items") : NEVER;
  }
  const [first, other] = [a.path[0], b.path[0]];
  if (!first || !other || first.value === undefined || first.value !== other.value) return NEVER;
  // A page that does something with an item is a separate screen: `/orders/{n}/edit` and `/orders/new` in
  // Rails and Django's admin.
  if (isVerb(a) || isVerb(b)) return NEVER;
  // The addresses of a list and its items start alike too. Only with an item in the path may pages of
  // different depth be one screen.
  return a.path.some(({ value }) => isVariable(value)) ? need("nested") : NEVER;
}

/** Whether a literal word follows the number or id of an item in the path. */
function isVerb({ path }: Group): boolean {
  const last = path.at(-1);
  return last !== undefined && !isVariable(last.value) && path.length > 1 && isVariable(path.at(-2)?.value);
}

/** The condition for two addresses with the same path that differ in parameters. */
function queryNeed(a: readonly Slot[], b: readonly Slot[]): Need {
  const functions = (slots: readonly Slot[]) =>
    slots.flatMap(({ name, value }) => (isFunctionParameter(name) ? [`${name}=${value}`] : [])).join("&");
  if (functions(a) !== functions(b)) return need("sections");
  return sameNames(a, b) ? need("items") : need("query");
}

function agree(a: Slot, b: Slot | undefined): boolean {
  return b !== undefined && (a.value === undefined || b.value === undefined || a.value === b.value);
}

function sameNames(a: readonly Slot[], b: readonly Slot[]): boolean {
  return a.length === b.length && a.every(({ name }, at) => name === b[at]?.name);
}

/** Adds a group to the most similar of `groups`, if it is similar enough; otherwise appends it. */
function join(groups: Group[], group: Group, threshold: (other: Group) => Need): void {
  let best: Group | undefined;
  let most = -1;
  for (const other of groups.slice(0, MOST_COMPARED)) {
    const needed = threshold(other);
    if (needed === NEVER) continue;
    const alike = groupSimilarity(other, group, needed.plain);
    if (alike < needed.least || alike <= most) continue;
    best = other;
    most = alike;
  }
  if (!best) {
    groups.push(group);
    return;
  }
  best.path = commonSlots(best.path, group.path);
  best.query = commonSlots(best.query, group.query);
  best.members.push(...group.members);
}

/**
 * The common address positions of two groups. If their lengths differ, those of the first group are returned.
 */
function commonSlots(a: readonly Slot[], b: readonly Slot[]): readonly Slot[] {
  if (a.length !== b.length) return a;
  return a.map(({ name, value }, at) => ({ name, value: value === b[at]?.value ? value : undefined }));
}

/**
 * The mean similarity of representatives of two groups. It is 0 for pages without structure, unless `plain`
 * permits them.
 */
function groupSimilarity(a: Group, b: Group, plain: boolean): number {
  let [sum, count] = [0, 0];
  for (const left of representatives(a)) {
    for (const right of representatives(b)) {
      sum += memberSimilarity(left, right, plain);
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function memberSimilarity({ sketch: a }: Member, { sketch: b }: Member, plain: boolean): number {
  if (!a || !b) return plain ? 1 : 0;
  if (Math.max(a.length, b.length) < FEW_FEATURES && !plain) return 0;
  return similarity(a, b);
}

function representatives({ members }: Group): readonly Member[] {
  if (members.length <= REPRESENTATIVES) return members;
  const step = members.length / REPRESENTATIVES;
  return Array.from({ length: REPRESENTATIVES }, (_, at) => members[Math.floor(at * step)]).filter(
    (member) => member !== undefined,
  );
}
