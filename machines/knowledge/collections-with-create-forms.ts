/**
 * Finds the collections of an administration: folders with a form for a new item beside items with numbers, such
 * as `/snippets/advert/add/` and `/snippets/advert/edit/1/` (Wagtail). The forms and lists of two collections are
 * often equal in structure, and yet they are different screens.
 */
import type { ScreenAddress } from "./page-address-parts.ts";

/** Matches a word at the end of the address of a form for a new item. */
const CREATE = /^(?:new|add|create)$/i;
/** Matches a word between a collection and the number of an item, or at the end of an address with the number in a parameter. */
const SHOW = /^(?:edit|show|view|details?|change|update)$/i;
/** Matches a path segment with a fixed word, as the name of a collection. */
const WORD = /^\p{L}[\p{L}_-]*$/u;
/** Matches a parameter with the number of an item. */
const ITEM = /^\{(?:n|id)\}$/;

/** A page of a collection. */
export interface PlaceInCollection {
  /**
   * The name of the collection, such as `issues`. `/town/issues` and `/mill/issues` have the same name: there, the
   * projects `town` and `mill` are items.
   */
  readonly collection: string;
  /** `list`: the page of the collection itself. `form`: the form for a new item. `item`: every other page. */
  readonly part: "list" | "form" | "item";
}

/**
 * Returns a function that finds the place of an address in a collection. The function returns `undefined` for an
 * address that belongs to no collection.
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
