/**
 * Detects objects with several operations. If `/blame/README` and `/blame/Makefile` are one screen, `README`
 * and `Makefile` are objects of one kind. `/blob/README` and `/blob/Makefile` may then be one screen too.
 */
import type { ScreenAddress } from "../addresses/page-address-parts.ts";
import { type Group, stateOf } from "./page-group.ts";

/**
 * For a group of pages, returns the groups that show the same objects with another operation, and for each
 * the number of objects that both groups show. For `/log/{file}`, one such group is `/blame/{file}`.
 * `position` is the index of the path segment that names the operation: 0 for `log` in `/log/file`.
 */
export type SharedObjects = (group: Group, position: number) => ReadonlyMap<Group, number>;

/**
 * Indexes of the path segments that may name an operation, such as `log` in `/log/file` (index 0) and
 * `/project/log/file` (index 1).
 */
const OPERATION_POSITIONS = [0, 1];
/**
 * Two groups show objects of one kind if each shares at least this number of objects with the same third
 * group. A single common object may be a coincidence.
 */
const ENOUGH_OBJECTS = 2;

export function sharedObjects(groups: readonly Group[]): SharedObjects {
  const homes = new Map<string, Set<Group>>();
  for (const group of groups) {
    if (stateOf(group) !== "") continue;
    for (const { address } of group.members) {
      for (const position of OPERATION_POSITIONS) {
        const object = objectIn(address, position);
        if (object === undefined) continue;
        const found = homes.get(object);
        if (found) found.add(group);
        else homes.set(object, new Set([group]));
      }
    }
  }
  const known = OPERATION_POSITIONS.map(() => new Map<Group, ReadonlyMap<Group, number>>());
  return (group, position) => {
    const found = known[position]?.get(group);
    if (found) return found;
    const counts = new Map<Group, number>();
    for (const { address } of group.members) {
      for (const other of homes.get(objectIn(address, position) ?? "") ?? []) {
        if (other !== group) counts.set(other, (counts.get(other) ?? 0) + 1);
      }
    }
    known[position]?.set(group, counts);
    return counts;
  };
}

/**
 * Returns a key of the object in an address: the address without the segment at `position`, which names an operation,
 * such as `log`. Returns `undefined` for an address with a query, and for one that ends before or at this segment.
 */
function objectIn({ host, path, query }: ScreenAddress, position: number): string | undefined {
  if (query.length > 0 || path.length <= position + 1) return undefined;
  const rest = path.map(({ value }, at) => (at === position ? "" : value));
  return [host, position, ...rest].join("/");
}

/**
 * Whether the addresses of two groups name the same operation, such as `log`, on objects of the same kind. The
 * objects are of the same kind if objects of both groups also occur in a third group.
 */
export function haveOperationInCommon(a: Group, b: Group, objects: SharedObjects): boolean {
  if (a.query.length > 0 || b.query.length > 0 || stateOf(a) !== "" || stateOf(b) !== "") return false;
  return OPERATION_POSITIONS.some((position) => {
    if (!haveOneOperation(a, b, position)) return false;
    const others = objects(b, position);
    return [...objects(a, position)].some(([group, count]) => {
      const also = group === b ? 0 : (others.get(group) ?? 0);
      return Math.min(count, also) >= ENOUGH_OBJECTS;
    });
  });
}

/**
 * Whether the paths of two groups have equal segments up to and including `position`, and the segment at
 * `position` is a fixed word, such as an operation.
 */
function haveOneOperation(a: Group, b: Group, position: number): boolean {
  const word = a.path[position]?.value;
  if (word === undefined || /[{}]/.test(word)) return false;
  return a.path.slice(0, position + 1).every(({ value }, at) => value === b.path[at]?.value);
}
