/**
 * Compares the fixed words at the end of addresses, such as `/orders/new` and `/town/settings/members`. Pages
 * whose addresses end in different words are usually different screens.
 */
import type { ScreenAddress } from "../addresses/page-address-parts.ts";
import { singular } from "../addresses/screen-address-template.ts";
import { operationOfName } from "../screens/operation-and-thing-of-task.ts";
import { titleParts } from "../screens/screen-name-from-title.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { agree, type Group, isVariable } from "./page-group.ts";
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

/** Words for the form that creates an item, at the end of an address. */
const CREATION_WORD = /^(?:new|create|add)$/;

/**
 * Words for operations that manuals describe on pages of one template: `/docs/tags/create` and `/docs/tags/delete`
 * (the references of GitHub and Docker).
 */
const DESCRIBED_OPERATION =
  /^(?:new|create|add|edit|update|change|delete|remove|rm|list|ls|get|show|view|search)$/i;

/**
 * Whether one group is the form for a new item, and the other group contains items in the same folder. The address of
 * the form ends in a word for a new item, and its title says so ("New tag" at `/tags/new`). The address of an item
 * ends in a name, such as `/tags/harbour`. Both pages may show one form, with and without values (Ghost, GitLab's
 * `/groups/new` beside `/groups/{name}`).
 */
export function areCreationAndItem(a: Group, b: Group): boolean {
  return isFormForItemsLike(a, b) || isFormForItemsLike(b, a);
}

function isFormForItemsLike(form: Group, other: Group): boolean {
  const at = form.path.length - 1;
  if (at < 1 || other.path.length !== at + 1 || form.query.length + other.query.length > 0) return false;
  if (!CREATION_WORD.test(form.path[at]?.value ?? "")) return false;
  if (form.path.slice(0, at).some((slot, position) => !agree(slot, other.path[position]))) return false;
  const lastOf = ({ address }: Group["members"][number]): string => address.path[at]?.value ?? "";
  if (other.members.some((member) => DESCRIBED_OPERATION.test(lastOf(member)))) return false;
  const things = new Set(wordsOf(form.path[at - 1]?.value ?? "").map(singular));
  return form.members.every(({ name = "" }) => {
    const [title = ""] = titleParts(name);
    const isOfThing = wordsOf(title).some((word) => things.has(singular(word)));
    return isOfThing && operationOfName(title) === "create";
  });
}

/**
 * Matches a word in lower case. The names of operations in addresses, such as `edit`, have this form, and some names
 * of items too.
 */
const OPERATION = /^[a-z]+(?:[-_][a-z]+)*$/;

/**
 * Matches versions, languages and years, such as `2.1`, `de` and `2031`. A word after them is no operation, although
 * it repeats: `/docs/2.1/setup` and `/docs/2.2/setup` are pages with the name "setup".
 */
export const EDITION =
  /^(?:v?\d+(?:\.\d+)+|v\d+|[a-z]{2}(?:[-_][a-z]{2})?|(?:19|20)\d\d|latest|stable|dev)$/i;
/**
 * The last words of addresses such as `/orders/17/edit` are operations only if at least this share (0 to 1)
 * of the addresses end in a word that follows three or more items. Otherwise, they are names, such as the
 * repositories of users (`/ada/website`).
 */
const OPERATIONS_SHARE = 0.5;

/**
 * Returns a function that decides whether an address ends in an operation on an item, such as
 * `/talks/{code}/accept` (pretalx). A word is an operation only if it follows at least three items, and if
 * the folder has at least as many items as different words after items.
 */
export function operationsOnItems(pages: readonly ScreenAddress[]): (address: ScreenAddress) => boolean {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const address of pages) {
    const [item, word] = address.path.slice(-2);
    if (!item || !word || !OPERATION.test(word.value) || EDITION.test(item.value)) continue;
    const key = folderOfItem(address);
    const words = folders.get(key) ?? new Map<string, Set<string>>();
    folders.set(key, words.set(word.value, (words.get(word.value) ?? new Set()).add(item.value)));
  }
  const operations = new Map([...folders].map(([key, words]) => [key, repeatedWords(words)]));
  return (address) =>
    !EDITION.test(address.path.at(-2)?.value ?? "") &&
    operations.get(folderOfItem(address))?.has(address.path.at(-1)?.value ?? "") === true;
}

/**
 * Returns the words that are operations on items, such as `accept`.
 *
 * @param words for each last word of the addresses: the items that it follows
 */
function repeatedWords(words: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const repeated = [...words].filter(([, items]) => items.size >= ENOUGH_PAIRS);
  const countOf = (some: Iterable<readonly [string, ReadonlySet<string>]>) =>
    [...some].reduce((sum, [, items]) => sum + items.size, 0);
  const items = new Set([...words.values()].flatMap((own) => [...own]));
  const areOperations = items.size >= words.size && countOf(repeated) >= OPERATIONS_SHARE * countOf(words);
  return new Set(areOperations ? repeated.map(([word]) => word) : []);
}

function folderOfItem({ host, path }: Pick<ScreenAddress, "host" | "path">): string {
  return [host, path.length, ...path.slice(0, -2).map(({ value }) => value)].join("/");
}

/**
 * Whether the addresses of two groups end in two operations on items of one folder, such as
 * `/talks/{code}/accept` and `/talks/{code}/reject` (pretalx), or `/pages/{n}/delete` and
 * `/pages/{n}/unpublish` (Wagtail). The pages that ask for a confirmation are often equal except for a few
 * words. A word at the root of the site is more often a folder than an item: `/price-lists/red` and
 * `/price-lists/blue` are items of one list.
 */
export function areOperationsOnItems(a: Group, b: Group): boolean {
  if (a.path.length !== b.path.length || isRootFolder(a) || isRootFolder(b)) return false;
  if (!a.members[0]?.isOperation || !b.members[0]?.isOperation) return false;
  const [own, other] = [a.path.at(-1)?.value, b.path.at(-1)?.value];
  return own !== undefined && other !== undefined && own !== other;
}

/** Whether the pages of a group are directly in a top folder whose name is a word, as `/orders/17` is. */
function isRootFolder({ path: [folder, page, ...rest] }: Group): boolean {
  return (
    page !== undefined &&
    rest.length === 0 &&
    !isVariable(folder?.value) &&
    OPERATION.test(folder?.value ?? "")
  );
}

/**
 * Whether the addresses of two groups end in different operations on an item, or only one of them ends in an
 * operation. Of `/town/wiki/{name}/history`, `/town/wiki/{name}/edit` and `/town/wiki/{name}` (Redmine,
 * GitLab), any two differ in this way. The name of a file, such as `main.c`, is no operation.
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
 * The last words of addresses may name parts of items, such as `members` in `/town/members` and
 * `/mill/members`. They do if at least this share (0 to 1) of the addresses end in a word that occurs below
 * several items. The share is below 1, because a part may exist for only one item.
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
