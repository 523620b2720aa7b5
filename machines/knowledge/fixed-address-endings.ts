/**
 * Compares the fixed words at the end of addresses, such as `/orders/new` and `/town/settings/members`. Pages
 * whose addresses end in different words are usually different screens.
 */
import type { ScreenAddress } from "./page-address-positions.ts";
import { agree, type Group, isVariable } from "./page-group.ts";
import { factOfPages } from "./page-group-facts.ts";
import { ENOUGH_PAIRS, isObject, isVerb } from "./same-screen-threshold.ts";

/**
 * Words for an operation at the end of an address: `new` and `edit` in Rails, `add` in Django's admin, `create` in
 * Laravel. Hardly any item has such a name.
 */
const OPERATION_WORD = /^(?:new|create|add|edit)$/i;

/**
 * Whether one address ends in a word for an operation, such as `new`, and the other address ends in another
 * word.
 */
export function differInOperation({ path: a }: Group, { path: b }: Group): boolean {
  const [last = "", other = ""] = [a.at(-1)?.value, b.at(-1)?.value];
  return last !== other && (OPERATION_WORD.test(last) || OPERATION_WORD.test(other));
}

/**
 * Whether one address ends in a word for an operation, such as `/orders/new`, and the other in the number of an
 * item in the same folder, such as `/orders/17`. The form that creates an item is another screen than the item
 * (Rails, pretalx), even if both have the same fields.
 */
export function areOperationAndNumber({ path: a }: Group, { path: b }: Group): boolean {
  if (a.length !== b.length) return false;
  const [last, other] = [a.at(-1)?.value, b.at(-1)?.value];
  const isPair = (word = "", item: string | undefined) => OPERATION_WORD.test(word) && isVariable(item);
  return isPair(last, other) || isPair(other, last);
}

/**
 * Matches a word in lower case. The names of operations in addresses have this form, and some names of items
 * too.
 */
const OPERATION = /^[a-z]+(?:[-_][a-z]+)*$/;

/**
 * Returns a function that decides whether an address ends in an operation on an item, such as
 * `/talks/{code}/accept` (pretalx). In a folder of items with operations, the number of items is at least the
 * number of different words after the items. A manual is different: it has few versions and many words after
 * them, as in `/docs/2.1/setup`.
 */
export function operationsOnItems(pages: readonly ScreenAddress[]): (address: ScreenAddress) => boolean {
  const folders = new Map<string, { readonly items: Set<string>; readonly words: Set<string> }>();
  for (const { host, path } of pages) {
    const [item, word] = path.slice(-2);
    if (path.length < 2 || item === undefined || word === undefined || !OPERATION.test(word.value)) continue;
    const key = folderOfItem({ host, path });
    const found = folders.get(key) ?? { items: new Set(), words: new Set() };
    found.items.add(item.value);
    found.words.add(word.value);
    folders.set(key, found);
  }
  return (address) => {
    const found = folders.get(folderOfItem(address));
    if (!found?.words.has(address.path.at(-1)?.value ?? "")) return false;
    return found.items.size >= Math.max(ENOUGH_PAIRS, found.words.size);
  };
}

function folderOfItem({ host, path }: Pick<ScreenAddress, "host" | "path">): string {
  return [host, path.length, ...path.slice(0, -2).map(({ value }) => value)].join("/");
}

/**
 * Whether the addresses of two groups end in two operations on the same items, such as `/talks/{code}/accept` and
 * `/talks/{code}/reject` (pretalx), or `/pages/{n}/delete` and `/pages/{n}/unpublish` (Wagtail). The pages that ask
 * for a confirmation are often equal except for a few words.
 */
export function areOperationsOnSameItems(a: Group, b: Group): boolean {
  const last = a.path.length - 1;
  if (last < 1 || b.path.length - 1 !== last) return false;
  const [own, other] = [a.path[last]?.value, b.path[last]?.value];
  if (own === undefined || other === undefined || own === other) return false;
  if (!a.members[0]?.isOperation || !b.members[0]?.isOperation) return false;
  if (!isVariable(a.path[last - 1]?.value) || !isVariable(b.path[last - 1]?.value)) return false;
  const items = itemsOf(a);
  return [...itemsOf(b)].filter((item) => items.has(item)).length >= ENOUGH_PAIRS;
}

/** For a group: the addresses of its pages without their last segments. */
const itemsOf = factOfPages(
  () => new Set<string>(),
  (items, { address: { path } }) => {
    items.add(
      path
        .slice(0, -1)
        .map(({ value }) => value)
        .join("/"),
    );
  },
);

/**
 * Whether the addresses of two groups end in different operations on an item, or only one of them ends in an
 * operation. Of `/town/wiki/{name}/history`, `/town/wiki/{name}/edit` and `/town/wiki/{name}` (Redmine,
 * GitLab), each two differ in this way. The name of a file, such as `main.c`, is no operation.
 */
export function differInItemOperation(a: Group, b: Group): boolean {
  return operationOf(a) !== operationOf(b);
}

function operationOf(group: Group): string | undefined {
  const last = group.path.at(-1);
  return isVerb(group) && !isObject(last) ? last?.value : undefined;
}

/**
 * Whether the addresses of two groups end in parts of the same function, such as `/town/settings/members` and
 * `/town/settings/boards` (Redmine, GitLab). Also true for a part and its item, such as `/town/issues/report`
 * and `/town/issues/report/author`.
 */
export function areParts(a: Group, b: Group): boolean {
  const [longer, shorter] = a.path.length > b.path.length ? [a, b] : [b, a];
  const last = shorter.path.length - 1;
  if (!isPartOfParents(shorter) || ![...(shorter.functions ?? [])].some((at) => at < last)) return false;
  if (longer.path.length > shorter.path.length)
    return shorter.path.every((slot, at) => agree(slot, longer.path[at]));
  return isPartOfParents(longer) && shorter.path[last]?.value !== longer.path[last]?.value;
}

/**
 * Whether the address ends in fixed words that occur below several parents, such as `settings/members` below
 * `/town` and `/mill`. A name of a file does not count.
 */
function isPartOfParents({ path, members }: Group): boolean {
  const last = path.length - 1;
  if (last < 2 || isVariable(path[last]?.value) || isObject(path[last])) return false;
  const [first] = members;
  return members.some(({ address }) =>
    address.path.slice(0, last).some(({ value }, at) => value !== first?.address.path[at]?.value),
  );
}

/**
 * Words at the end of addresses, such as `members` in `/town/members`, count as names of parts if at least
 * this share (0 to 1) of them occur below several parents. The share is below 1, because a part may have only
 * one parent.
 */
const PARTS_SHARE = 0.6;

/**
 * Whether the words at the end of the addresses repeat below several parents, as `settings` in
 * `/town/settings` and `/mill/settings`. Such words name a part of each parent, and not an item.
 */
export function repeatInParents(bucket: readonly Group[], position: number): boolean {
  if (bucket.some(({ path, query }) => position !== path.length - 1 || query.length > 0)) return false;
  return bucket.filter(isPartOfParents).length >= PARTS_SHARE * bucket.length;
}
