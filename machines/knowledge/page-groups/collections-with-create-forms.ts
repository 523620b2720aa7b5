/**
 * Finds the collections of an administration: folders with a form for a new item beside items with numbers, such
 * as `/snippets/advert/add/` and `/snippets/advert/edit/1/` (Wagtail). The forms and lists of two collections are
 * often equal in structure, and yet they are different screens.
 */
import type { ScreenAddress } from "../addresses/page-address-parts.ts";

/** Matches a word at the end of the address of a form for a new item. */
const CREATE = /^(?:new|add|create)$/i;
/**
 * Matches a word before the number of an item, as in `/advert/edit/1`, or at the end of an address that has
 * the number in a parameter, as in `/advert/edit?id=1`.
 */
const SHOW = /^(?:edit|show|view|details?|change|update)$/i;
/**
 * Matches a path segment that may be the name of a collection: a word without digits, or the name of a type with its
 * namespace, such as `api::author.author` (Strapi) and `res.partner` (Odoo).
 */
const WORD = /^\p{L}[\p{L}_-]*(?:(?:::?|\.)\p{L}[\p{L}_-]*)*$/u;
/** Matches the masked number or id of an item, in the path or as the value of a parameter. */
const ITEM = /^\{(?:n|id)\}$/;

/** The collection that contains a page, and what the page is in it. */
export interface PlaceInCollection {
  /**
   * The name of the collection: `issues` for both `/town/issues` and `/mill/issues`. The projects `town` and
   * `mill` are items themselves, so they are no part of the name.
   */
  readonly collection: string;
  /** `list`: the page of the collection itself. `form`: the form for a new item. `item`: every other page. */
  readonly part: "list" | "form" | "item";
}

/**
 * Returns a function that finds the collection of an address. It returns `undefined` for an address in no
 * collection.
 */
export function collectionsIn(
  pages: readonly ScreenAddress[],
): (address: ScreenAddress) => PlaceInCollection | undefined {
  const withForm = new Set<string>();
  const withItem = new Set<string>();
  for (const address of pages) {
    const { path, query } = address;
    const last = path.length - 1;
    if (CREATE.test(path[last]?.value ?? "")) withForm.add(beginningOf(address, last));
    if (SHOW.test(path[last]?.value ?? "") && query.some(({ masked }) => ITEM.test(masked)))
      withItem.add(beginningOf(address, last));
    for (const [at, { masked }] of path.entries()) {
      if (!ITEM.test(masked)) continue;
      withItem.add(beginningOf(address, SHOW.test(path[at - 1]?.value ?? "") ? at - 1 : at));
    }
  }
  return (address) => {
    const { path } = address;
    for (let length = path.length; length > 0; length--) {
      const name = path[length - 1]?.value ?? "";
      const start = beginningOf(address, length);
      if (!WORD.test(name) || !withForm.has(start) || !withItem.has(start)) continue;
      const isForm = length === path.length - 1 && CREATE.test(path[length]?.value ?? "");
      return { collection: name, part: length === path.length ? "list" : isForm ? "form" : "item" };
    }
    return undefined;
  };
}

function beginningOf({ host, path }: ScreenAddress, length: number): string {
  return [host, ...path.slice(0, length).map(({ value }) => value)].join("/");
}
