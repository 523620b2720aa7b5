/** A group of pages that are one screen of a site, or a part of one, and the addresses of its pages. */

import type { ScreenAddress } from "../addresses/page-address-parts.ts";
import type { StructureSketch } from "../screens/page-feature-sketch.ts";
import type { PlaceInCollection } from "./collections-with-create-forms.ts";

/** A page, or a state of a page, as it is used for grouping. */
export interface ScreenInstance {
  readonly screen_id: string;
  readonly url: string;
  /** The page's structure as a sketch (a compact signature, the result of `sketchOf`); empty if the page has none. */
  readonly structure: string;
  /** Whether the page's structure was never read, as for screens of some imported maps. */
  readonly unread?: boolean;
  /** The name of the page without the name of the site; absent when unknown. */
  readonly name?: string | undefined;
  /**
   * Name of the page's state, if the page was read after an action on it. Pages with different states are
   * different screens.
   */
  readonly state?: string | undefined;
  /** Whether most pages of the site, or of the page's folder, link to the page. */
  readonly site_wide: boolean;
}

/** A group of pages, to which further pages may be added, with the parts of their addresses. */
export interface Group {
  readonly members: Member[];
  /**
   * Whether the group contains nearly all pages whose addresses match its template. A feature that differs
   * between pages of such a group is content, and not structure.
   */
  steady?: boolean;
  /**
   * Whether the group contains pages of many kinds, because one segment of their addresses selects different
   * functions, such as `log` and `blame`. Such a group is merged with another group only if all pages of both
   * groups are very similar.
   */
  varied?: boolean;
  /**
   * Indexes of the path segments that select a function of the site, such as `log` and `blame` in
   * `/{project}/log` and `/{project}/blame`. Pages that differ in such a segment are different screens.
   */
  functions?: ReadonlySet<number>;
  /** The common title of all pages in the group; absent if it is a title of the whole site. */
  title?: string | undefined;
  path: readonly Slot[];
  query: readonly Slot[];
}

export interface Member extends ScreenInstance {
  readonly address: ScreenAddress;
  /** Whether the address ends in an operation on an item, such as `/talks/{code}/accept`. */
  readonly isOperation: boolean;
  /** The place of the page in a collection that has a form for a new item. */
  readonly inCollection?: PlaceInCollection | undefined;
  /**
   * How the page is a section to which the menu of an application leads; absent for other pages. `own`: it
   * belongs only to its own object. `repeated`: several objects have this section, with the same word and
   * title.
   */
  readonly section?: "own" | "repeated" | undefined;
  readonly sketch: StructureSketch | undefined;
  /**
   * The features of the page's sketch (compact signature) that depend on the page's data, such as columns of
   * tables.
   */
  readonly data: ReadonlySet<number>;
  /**
   * The weight of each feature in the page's sketch (compact signature). The better a feature distinguishes
   * the site's screens, the higher its weight.
   */
  readonly weights: readonly number[];
}

/** A part of the addresses of a group: a path segment, a query parameter, or a part of one of them. */
export interface Slot {
  readonly name: string;
  /**
   * The masked value of this part of the address (`{n}`, `{date}`, `{id}`). `undefined` if the value differs
   * between the pages of the group.
   */
  readonly value: string | undefined;
  /**
   * True for a namespace in an address, such as `Category` in `Category:People`, if all namespaces of the
   * site have pages of the same kinds.
   */
  readonly namespace?: true;
  /**
   * Whether this query parameter selects a function, such as `users` in `?c=users`, as learnt from the site
   * (functions-in-query-parameters.ts).
   */
  readonly selects?: true;
}

export function stateOf({ members }: Group): string {
  return members[0]?.state ?? "";
}

export function slotsOf({ path, query }: Group): readonly Slot[] {
  return [...path, ...query];
}

/**
 * Whether two groups may have the same value in a part of their addresses. If the value differs between the
 * pages of one group, it agrees with every value.
 */
export function agree(a: Slot, b: Slot | undefined): boolean {
  return b !== undefined && (a.value === undefined || b.value === undefined || a.value === b.value);
}

export function isVariable(value: string | undefined): boolean {
  return value === undefined || /\{(?:n|id|date)\}/.test(value);
}

/**
 * Whether the group is a single page at the top level of the site, such as "About", to which most pages link.
 * Such a page is always a screen of its own.
 */
export function isDestination({ members, path, query }: Group): boolean {
  return members.length === 1 && members[0]?.site_wide === true && path.length === 1 && query.length === 0;
}

/** Whether most pages of the site link to most pages of the group, as a menu does. */
export function isListed({ members }: Group): boolean {
  return 2 * members.filter(({ site_wide }) => site_wide).length > members.length;
}
