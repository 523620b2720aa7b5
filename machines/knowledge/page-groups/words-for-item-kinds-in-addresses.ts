/**
 * Learns from the pages of a site which words in its addresses name kinds of items. In `/jobs/cleanup` and
 * `/graphs/cleanup` (Dagster), `jobs` and `graphs` are kinds, because items of both kinds have the same
 * names.
 */
import { beginning } from "./item-names-in-addresses.ts";
import { type Group, stateOf } from "./page-group.ts";
import { groupSimilarity } from "./page-group-similarity.ts";
import { need } from "./same-screen-threshold.ts";

/**
 * Words in addresses name kinds of items only if pages of one kind are more similar to each other than pages
 * with one name. The two mean similarities (0 to 1) must differ by at least this number. On measured sites,
 * the difference was 0.17 for kinds of items, and at most 0 for names of projects.
 */
const KIND_MARGIN = 0.05;
/**
 * Minimum number of pairs of pages for each mean similarity: that of pages of one kind, and that of pages
 * with one name.
 */
const ENOUGH_PAIRS = 3;
/** Maximum number of kinds that are compared, and of items of each kind. */
const MOST_COMPARED = 6;
/** Matches a path segment that may name a kind of items. */
const WORD = /^\p{L}[\p{L}_-]*$/u;

/** For each kind of items, maps the names of its items to their pages. */
type Kinds = Map<string, Map<string, Group>>;

/**
 * Returns the beginnings of addresses after which a segment names a kind of items, such as `/` before `jobs`
 * in `/jobs/cleanup`. Pages of one kind are then more similar to each other than pages with the same name. It
 * is the other way round for projects: `/town/log` is more similar to `/mill/log` than to `/town/tree`.
 */
export function beginningsBeforeKinds(groups: readonly Group[]): ReadonlySet<string> {
  const found = new Map<string, Kinds>();
  for (const group of groups) {
    const [first] = group.members;
    const length = group.path.length;
    const [kind, name] = [group.path[length - 2]?.value, group.path[length - 1]?.value];
    if (!first || group.query.length > 0 || stateOf(group) !== "") continue;
    if (kind === undefined || name === undefined || !WORD.test(kind)) continue;
    const start = beginning(first.address, length - 2);
    const kinds: Kinds = found.get(start) ?? new Map();
    found.set(start, kinds.set(kind, (kinds.get(kind) ?? new Map()).set(name, group)));
  }
  return new Set([...found].flatMap(([start, kinds]) => (areKinds(kinds) ? [start] : [])));
}

/**
 * Whether the first segment in which two addresses differ names a kind of items, as in `/jobs/…` and
 * `/graphs/…`.
 */
export function areOfKinds(
  { path, members }: Group,
  other: Group,
  beforeKinds: ReadonlySet<string>,
): boolean {
  const at = path.findIndex((slot, index) => slot.value !== other.path[index]?.value);
  const [first] = members;
  return first !== undefined && at >= 0 && beforeKinds.has(beginning(first.address, at));
}

function areKinds(all: Kinds): boolean {
  const kinds = [...all.values()].slice(0, MOST_COMPARED);
  const names = new Set(kinds.flatMap((own) => [...own.keys()]));
  const ofName = [...names].flatMap((name) => pairsOf(kinds.flatMap((own) => own.get(name) ?? [])));
  if (ofName.length < ENOUGH_PAIRS) return false;
  const ofKind = kinds.flatMap((own) => pairsOf([...own.values()].slice(0, MOST_COMPARED)));
  if (ofKind.length < ENOUGH_PAIRS) return false;
  return meanSimilarity(ofKind) - meanSimilarity(ofName) >= KIND_MARGIN;
}

type Pair = readonly [Group, Group];

function pairsOf(groups: readonly Group[]): readonly Pair[] {
  return groups.flatMap((a, at) => groups.slice(at + 1).map((b): Pair => [a, b]));
}

function meanSimilarity(pairs: readonly Pair[]): number {
  const some = pairs.slice(0, MOST_COMPARED ** 2);
  return some.reduce((sum, [a, b]) => sum + groupSimilarity(a, b, need("items")), 0) / some.length;
}
