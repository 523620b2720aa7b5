/**
 * Finds the function of a site that a group of pages shows, by the words in their addresses, such as `log` in
 * `/town/log`.
 */
import { isFunctionParameter, isFunctionSegment } from "../addresses/page-address-parts.ts";
import { agree, type Group, type Slot, stateOf } from "./page-group.ts";

/**
 * Whether the addresses of both groups have a word in common that selects a function of the site, such as
 * `log` in `/town/log` and `/mill/log`.
 */
export function haveFunctionInCommon(a: Group, b: Group): boolean {
  if (!a.functions || !b.functions) return false;
  if (stateOf(a) !== stateOf(b) || functionsOf(a.query) !== functionsOf(b.query)) return false;
  if (a.members[0]?.address.host !== b.members[0]?.address.host) return false;
  return [...(a.functions ?? [])].some((at) => {
    const value = a.path[at]?.value;
    return value !== undefined && value === b.path[at]?.value && b.functions?.has(at);
  });
}

/**
 * Whether two groups of pages show different functions, such as `log` and `blame`, by the words in their
 * addresses. If an address has a marked word such as `+tags`, no other word counts. So `/all/+tags/{name}`
 * and `/help/+tags/{name}` (MoinMoin) show the same function.
 */
export function differInFunction(a: Group, b: Group): boolean {
  if (!a.functions && !b.functions) return false;
  const marked = functionSegment(a);
  if (marked !== undefined && marked === functionSegment(b)) return false;
  const positions = new Set([...(a.functions ?? []), ...(b.functions ?? [])]);
  return [...positions].some((at) => {
    const slot = a.path[at];
    return slot !== undefined && b.path[at] !== undefined && !agree(slot, b.path[at]);
  });
}

/**
 * Returns the first path segment that is marked as a function of the application, such as `+history`;
 * `undefined` if there is none.
 */
export function functionSegment({ path }: Pick<Group, "path">): string | undefined {
  return path.find(({ value }) => value !== undefined && isFunctionSegment(value))?.value;
}

/**
 * Whether the address ends in a segment that is marked as a function, such as `/+tags`, the list of all tags
 * (MoinMoin). If an object follows the function, as in `/+tags/news`, the page belongs to the object.
 */
export function endsInFunction({ path }: Group): boolean {
  const last = path.at(-1)?.value;
  return last !== undefined && isFunctionSegment(last);
}

/**
 * Whether the addresses of both groups end in a segment that is marked as a function, such as `/+tags`, and all
 * pages have the same title, such as "Global Tags". The title then names the screen, so both groups are one screen.
 */
export function haveFunctionTitle(a: Group, b: Group): boolean {
  return a.title !== undefined && a.title === b.title && endsInFunction(a) && endsInFunction(b);
}

/** Returns the operation that the query parameters of an address name, such as `action=edit`. */
export function functionsOf(query: readonly Slot[]): string {
  return query
    .flatMap(({ name, value, selects }) => (selects || isFunctionParameter(name) ? [`${name}=${value}`] : []))
    .join("&");
}
