/**
 * Decides by the addresses of two groups of pages alone that the groups are different screens. The pages of an
 * administration share a large frame and a menu, so pages of different functions, such as users and orders, are often
 * very similar.
 */

import { isFunctionParameter } from "../addresses/page-address-parts.ts";
import { singular } from "../addresses/screen-address-template.ts";
import { titleParts } from "../screens/screen-name-from-title.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { areCreationAndItem, areOperationAndNumber, areOperationsOnItems } from "./fixed-address-endings.ts";
import { differInSelectedFunction } from "./functions-in-query-parameters.ts";
import { agree, type Group, isVariable, type Slot } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";
import { areDifferentScripts } from "./program-files-with-item-ids.ts";
import { areSectionsOfMenu, isOtherThanRepeatedSection } from "./sections-of-application-menu.ts";

/**
 * Whether the addresses of two groups name different screens, whatever the structure of their pages is.
 *
 * @param areScriptsItems whether the names of scripts are names of items, as in a blog with one script for each
 * article
 */
export function nameDifferentScreens(a: Group, b: Group, areScriptsItems = false): boolean {
  return (
    areOperationAndNumber(a, b) ||
    areOperationsOnItems(a, b) ||
    areCreationAndItem(a, b) ||
    (!areScriptsItems && areDifferentScripts(a, b)) ||
    differInRoute(a, b) ||
    differInKindOfItems(a, b) ||
    areListsOfKinds(a, b) ||
    areListsWithTitlesOfKinds(a, b) ||
    differInSelectedFunction(a, b) ||
    differInPlaceInCollection(a, b) ||
    areSectionsOfMenu(a, b) ||
    isOtherThanRepeatedSection(a, b)
  );
}

/**
 * Whether the pages of two groups are in different collections, or are different parts of one collection.
 * Only collections with a form for a new item count. Examples are the lists `/snippets/advert/` and
 * `/snippets/category/` of two collections, and the parts `/snippets/advert/add/` and
 * `/snippets/advert/edit/1/` of one (Wagtail, Flask-Admin).
 */
function differInPlaceInCollection({ members: [a] }: Group, { members: [b] }: Group): boolean {
  const [own, other] = [a?.inCollection, b?.inCollection];
  if (!own || !other) return false;
  return own.collection !== other.collection || own.part !== other.part;
}

/**
 * Whether the same parameter of both addresses contains the path of a function, and the paths differ:
 * `route=/server/engines` and `route=/server/plugins` (phpMyAdmin), `route=product/category` and
 * `route=product/search` (OpenCart).
 */
function differInRoute({ query: a }: Group, { query: b }: Group): boolean {
  return a.some(({ name, value }) => {
    if (value === undefined || !isFunctionParameter(name) || !value.includes("/")) return false;
    const other = b.find((slot) => slot.name === name)?.value;
    return other?.includes("/") === true && other !== value;
  });
}

/**
 * Parameters whose words name a kind of items: `post_type` and `taxonomy` in WordPress, `itemtype` in GLPI,
 * `entity_type` in Drupal, `model` in Odoo. The parameter `type` is left out, because it is often a filter.
 */
const KIND_PARAMETER = /^(?:(?:post|item|object|content|entity)[_-]?type|taxonomy|entity|model)$/i;

/**
 * Whether the addresses have one path and name two kinds of items in a parameter, and the titles differ too:
 * `edit.php`, titled "Posts", and `edit.php?post_type=page`, titled "Pages" (WordPress). Without the parameter, the
 * page shows a default kind.
 */
function differInKindOfItems(a: Group, b: Group): boolean {
  if (a.path.length !== b.path.length || a.query.length + b.query.length === 0) return false;
  if (a.path.some((slot, at) => !agree(slot, b.path[at]))) return false;
  const kinds = kindsOf(a.query);
  const others = kindsOf(b.query);
  if (![...kinds.keys(), ...others.keys()].some((name) => kinds.get(name) !== others.get(name))) return false;
  const [title, ...more] = firstTitles(a);
  const [other, ...evenMore] = firstTitles(b);
  if (title === undefined || other === undefined) return false;
  return more.length === 0 && evenMore.length === 0 && title !== other;
}

/**
 * Returns the values of the parameters that name a kind of items, such as `post_type`. The keys are the names
 * of the parameters.
 */
function kindsOf(query: readonly Slot[]): ReadonlyMap<string, string> {
  return new Map(
    query.flatMap(({ name, value }) =>
      value !== undefined && value !== "" && !isVariable(value) && KIND_PARAMETER.test(name)
        ? [[name, value] as const]
        : [],
    ),
  );
}

/** The first parts of the titles of a group's pages, without the name of the site: "Posts" for "Posts | Acme". */
const firstTitles = factOfPages(
  () => new Set<string>(),
  (titles, { name = "" }) => {
    const [first] = titleParts(name);
    if (first !== undefined) titles.add(first);
  },
);

/**
 * Whether the groups are the lists of two kinds. Their addresses differ in one word, and each title is the plural of
 * this word: "Automations" at `/config/automation/dashboard` and "Scenes" at `/config/scene/dashboard` (Home
 * Assistant), "Orders" at `/sales/order/` and "Invoices" at `/sales/invoice/` (Magento). On the page of one item, the
 * title is no plural.
 */
function areListsOfKinds(a: Group, b: Group): boolean {
  if (a.path.length !== b.path.length || a.query.length + b.query.length > 0) return false;
  const differing = a.path.flatMap((slot, at) => (slot.value === b.path[at]?.value ? [] : [at]));
  const [at] = differing;
  if (at === undefined || differing.length > 1) return false;
  return [a, b].every((group) => {
    const [title, another] = firstTitles(group);
    const kind = group.path[at]?.value;
    if (title === undefined || another !== undefined || kind === undefined || isVariable(kind)) return false;
    const plural = wordsOf(title).join(" ");
    const word = wordsOf(kind).join(" ");
    return plural !== word && singular(plural) === word;
  });
}

/** Matches the last segment in the address of a list of things. */
const LIST_SEGMENT = /^(?:list|index|browse|overview|all)$/i;

/**
 * Whether the groups are the lists of two kinds. Their addresses differ in the word before "list", and their titles
 * only in this word: "List Dag Run" at `/dagrun/list/` and "List Users" at `/users/list/` (Flask-AppBuilder), "Post
 * List" at `/app/post/list` and "Category List" at `/app/category/list` (Sonata, Grails).
 */
function areListsWithTitlesOfKinds(a: Group, b: Group): boolean {
  const at = a.path.length - 2;
  if (at < 0 || a.path.length !== b.path.length || !LIST_SEGMENT.test(a.path.at(-1)?.value ?? ""))
    return false;
  if (a.path.some(({ value }, position) => position !== at && value !== b.path[position]?.value))
    return false;
  const [own, other] = [titleWithoutKind(a, at), titleWithoutKind(b, at)];
  return own !== undefined && own !== "" && own === other && a.path[at]?.value !== b.path[at]?.value;
}

/**
 * Returns the title of a list without the word for its kind: "List" for "List Users" at `/users/list`. The word is
 * the segment of the address at position `at`. Returns `undefined` if the title lacks it, or the pages have several
 * titles.
 */
function titleWithoutKind(group: Group, at: number): string | undefined {
  const [title, another] = firstTitles(group);
  const kind = group.path[at]?.value;
  if (
    title === undefined ||
    another !== undefined ||
    kind === undefined ||
    /\d/.test(kind) ||
    isVariable(kind)
  )
    return undefined;
  const words = wordsOf(title);
  const word = squeezed(wordsOf(kind));
  // The title may have the kind in several words and the address in one, as in "List Dag Run" at `/dagrun/list/`. So
  // each run of words in the title is compared with the address.
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= words.length; to++)
      if (squeezed(words.slice(from, to)) === word)
        return [...words.slice(0, from), "", ...words.slice(to)].join(" ");
  return undefined;
}

const squeezed = (words: readonly string[]): string => singular(words.join(""));
