/**
 * Finds the object that a task removes, and the control that removes it, in a session. Searches the page that
 * the session shows, lists to which links of the session and the map lead, and the object's own page. Opens
 * pages and the menus of rows, but presses no control that removes something.
 */

import { isRoute } from "../../../machines/exploration/crawl/normalise-url.ts";
import { isSameList } from "../../../machines/knowledge/addresses/page-address-parts.ts";
import {
  addressWords,
  operationOfPart,
  stemsOf,
  taskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import {
  isAboutKind,
  isAtPlace,
  isDeclaredRow,
  isPageOfObject,
  menusOnOwnPage,
  namesOfOtherRows,
  type ObjectRow,
  type RemovalPage,
  removingInMenu,
  removingOnOwnPage,
  rowsOfObject,
  rowsOfOneList,
  similarNames,
} from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import { linksForTask, type OfferedLink, RANK } from "../../../machines/knowledge/tasks/links-for-task.ts";
import {
  menusAfterTick,
  removingAfterTick,
  selectingTick,
  tickedRemoval,
} from "../../../machines/knowledge/tasks/removal-of-ticked-rows.ts";
import type { RemovalTarget } from "../../../machines/knowledge/tasks/removal-target.ts";
import { isWritingAddressOfSession } from "../../../machines/risk/risk-classes.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import type { StateOfKind } from "../answers/page-states-showing-things.ts";
import { clickableRow, openRow } from "./open-row-in-session.ts";
import { FurtherPagesOfList } from "./search-object-in-further-rows.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";
import { openState } from "./show-page-state-in-session.ts";

/** Maximum number of pages that one task opens in the session while it searches for an object. */
const OPENED_PAGES = 8;

/** A control that removes the object of the task. The session shows it. */
export interface FoundRemoval {
  readonly control: HighlightedElement;
  /** The checkbox of the object's row. Given if the control removes all rows whose checkboxes are ticked. */
  readonly tick?: HighlightedElement;
  /** Whether the search has ticked the row already, because the page shows the control only for ticked rows. */
  readonly is_ticked?: boolean;
  readonly page: SeenPage;
  /** The texts of the object's row, or the title of the object's own page if the control is there. */
  readonly object: string;
  /** The address of the list in which the row was found; `undefined` if it was not found in a list. */
  readonly list: string | undefined;
  /** The presses that show the list on its page, if it has no address of its own. */
  readonly presses: readonly Action[];
  /** Whether `presses` open a part of the page that contains the list, such as a drawer. */
  readonly in_part: boolean;
  /** Whether the object is in a row of a table or in an entry of a list. */
  readonly is_row: boolean;
  /** Names of other objects in the list. A confirmation that names one of them is not confirmed. */
  readonly others: readonly string[];
}

interface SeenPage {
  readonly name: string;
  readonly url: string;
}

/** What the search has found on one page. */
type FoundOnPage =
  | { readonly found: FoundRemoval }
  /** Several rows have the name of the object, or several controls may remove it. */
  | { readonly candidates: readonly string[]; readonly problem: "several_objects" | "several_controls" }
  /** The object exists on a page, but no control removes it. */
  | { readonly without_control: SeenPage };

export type RemovalSearch = {
  /** The pages that the search has read, in the order of reading. */
  readonly read: readonly SeenPage[];
  /** Whether the search may have changed the page that the session shows. */
  readonly hasLeft: boolean;
} & (FoundOnPage | { readonly similar: readonly string[] });

export class ObjectSearchInSession {
  readonly #session: SearchedSession;
  readonly #target: RemovalTarget;
  readonly #read: SeenPage[] = [];
  readonly #similar = new Set<string>();
  #candidates: { readonly url: string; readonly rank: number; readonly text: string }[] = [];
  #opened = 0;
  #hasPressed = false;

  constructor(session: SearchedSession, target: RemovalTarget) {
    this.#session = session;
    this.#target = target;
  }

  /**
   * @param known links of the map that may lead to the list of the object
   * @param states states of the map that may show the list, such as a drawer
   */
  async search(known: readonly OfferedLink[], states: readonly StateOfKind[] = []): Promise<RemovalSearch> {
    let found = await this.#findOnPage();
    let rest = known;
    const unopened = [...states];
    while (!found && this.#opened < OPENED_PAGES) {
      const [best] = this.#candidates;
      const state = best !== undefined && best.rank >= RANK.list ? undefined : unopened.shift();
      if (state) {
        found = await this.#findInState(state);
        continue;
      }
      if (this.#candidates.length === 0) {
        this.#add(rest, this.#read[0]?.url ?? "", new Set());
        rest = [];
      }
      const next = this.#candidates.shift();
      if (!next) break;
      if (await this.#open(next.url)) found = await this.#findOnPage();
    }
    // A menu that the search has opened counts as a change of the page, because the caller's next press would
    // only close the menu.
    const seen = { read: this.#read, hasLeft: this.#opened > 0 || this.#hasPressed };
    return { ...seen, ...(found ?? { similar: [...this.#similar] }) };
  }

  async #open(url: string): Promise<boolean> {
    this.#opened += 1;
    return await this.#session.open(url);
  }

  async #findInState(state: StateOfKind): Promise<FoundOnPage | undefined> {
    this.#opened += 1;
    const isShown = (page: RemovalPage): boolean => rowsOfObject(page, this.#target).length > 0;
    const opened = await openState(this.#session, state, isShown);
    if (!opened) return undefined;
    this.#read.push({ name: state.name, url: opened.page.url });
    return await this.#findInList(opened.page, { name: state.name, url: opened.page.url }, opened.presses);
  }

  /** Returns the row of the object in a list. If there is none, remembers similar names for the error. */
  async #findInList(
    page: RemovalPage,
    place: SeenPage,
    presses: readonly Action[],
  ): Promise<FoundOnPage | undefined> {
    const target = this.#target;
    if (!isAboutKind(page, target) || !isAtPlace(page, target)) return undefined;
    const rows = usableRows(rowsOfObject(page, target), false);
    const [row, other] = rows;
    if (row && other) return { problem: "several_objects", candidates: rows.map(({ text }) => text) };
    if (row) return await this.#findInRow(page, place, row, presses);
    for (const name of similarNames(page, target)) this.#similar.add(name);
    return await this.#findInFurtherRows(page, place, presses);
  }

  /** Returns the row of the object among those that the list shows after a search, or on its next pages. */
  async #findInFurtherRows(
    first: RemovalPage,
    { name }: SeenPage,
    presses: readonly Action[],
  ): Promise<FoundOnPage | undefined> {
    const rowsOf = (page: RemovalPage): readonly ObjectRow[] =>
      usableRows(rowsOfObject(page, this.#target), false);
    const list = new FurtherPagesOfList(
      this.#session,
      this.#target.name,
      (page) => isAtPlace(page, this.#target) && rowsOf(page).length > 0,
    );
    this.#hasPressed = true;
    const found = await list.search(first, presses);
    const rows = found ? rowsOf(found.page) : [];
    const [row, other] = rows;
    if (row && other) return { problem: "several_objects", candidates: rows.map(({ text }) => text) };
    if (!found || !row) return undefined;
    const place = { name, url: found.page.url };
    this.#read.push(place);
    return await this.#findInRow(found.page, place, row, found.presses);
  }

  async #findOnPage(): Promise<FoundOnPage | undefined> {
    const target = this.#target;
    const page = await this.#session.removalPage();
    const isFirst = this.#read.length === 0;
    const [heading = page.title] = page.headings;
    const place = { name: heading || page.title, url: page.url };
    this.#read.push(place);
    const isOfKind = target.kinds.length === 0 ? isFirst : isAboutKind(page, target);
    if (isOfKind && isAtPlace(page, target)) {
      const isOwnPage = isPageOfObject(page, target);
      const rows = usableRows(rowsOfObject(page, target), isOwnPage);
      const [row, other] = rows;
      if (row && other) return { problem: "several_objects", candidates: rows.map(({ text }) => text) };
      if (row) return await this.#findInRow(page, place, row, []);
      if (isOwnPage) return await this.#findOnOwnPage(page, place);
      for (const name of similarNames(page, target)) this.#similar.add(name);
    }
    const { links: shown } = await this.#session.page();
    const further =
      isOfKind && isAtPlace(page, target) ? await this.#findInFurtherRows(page, place, []) : undefined;
    if (further) return further;
    const links = shown.map(({ url, text, control }) => ({
      url,
      text,
      attributes: control.attributes,
    }));
    this.#add(links, page.url, new Set([...stemsOf(place.name), ...addressWords(page.url).last]));
    return undefined;
  }

  async #findInRow(
    page: RemovalPage,
    place: SeenPage,
    row: ObjectRow,
    presses: readonly Action[],
  ): Promise<FoundOnPage> {
    const others = namesOfOtherRows(page, row.xpath, this.#target.name);
    const is_row = isDeclaredRow(page, row.xpath);
    const in_part = page.opened !== undefined;
    const inList = { page: place, object: row.text, list: page.url, presses, in_part, is_row, others };
    const [control, further] = row.removing;
    if (control && further)
      return { problem: "several_controls", candidates: row.removing.map((one) => nameAndAddress(one)) };
    if (control) return { found: { ...inList, control } };
    const [menu, otherMenu] = row.menus;
    if (menu && !otherMenu) {
      const before = new Set(page.elements.map(({ highlight_index }) => highlight_index));
      this.#hasPressed = true;
      if (await this.#session.press(menu.highlight_index)) {
        const { elements } = await this.#session.removalPage();
        const [item, otherItem] = removingInMenu(elements, before, this.#target);
        if (item && !otherItem) return { found: { ...inList, control: item } };
      }
    }
    const ticked = tickedRemoval(page, row, this.#target);
    if (ticked) return { found: { ...inList, ...ticked } };
    const shown = await this.#removalAfterTick(page, row);
    if (shown) return { found: { ...inList, ...shown } };
    const own = await this.#ownPageOf(row, page.url);
    if (!own) return { without_control: place };
    const ownPlace = { name: own.headings[0] ?? own.title, url: own.url };
    this.#read.push(ownPlace);
    const found = await this.#findOnOwnPage(own, ownPlace);
    return "found" in found ? { found: { ...found.found, ...inList, page: ownPlace } } : found;
  }

  /** Opens the page of the object of a row, by a link in the row or by a click on the row. */
  async #ownPageOf(row: ObjectRow, url: string): Promise<RemovalPage | undefined> {
    const address = addressOfObject(row, url);
    if (address !== undefined && (await this.#open(address))) return await this.#session.removalPage();
    if (!clickableRow(row)) return undefined;
    this.#hasPressed = true;
    if (!(await openRow(this.#session, row, url))) return undefined;
    const own = await this.#session.removalPage();
    return isPageOfObject(own, this.#target) ? own : undefined;
  }

  /**
   * If the row has a checkbox that selects it, ticks the checkbox. Returns the control for removal that the page
   * then shows in a bar, or in a menu of the bar (Vendure). Returns `undefined` if there is no such control, or
   * several.
   */
  async #removalAfterTick(page: RemovalPage, row: ObjectRow) {
    const tick = selectingTick(page, row);
    if (!tick) return undefined;
    const before = new Set(page.elements.map(({ highlight_index }) => highlight_index));
    this.#hasPressed = true;
    if (!(await this.#session.press(tick.highlight_index))) return undefined;
    const { elements } = await this.#session.removalPage();
    let found = removingAfterTick(elements, before, this.#target);
    const [menu, otherMenu] = found.length === 0 ? menusAfterTick(elements, before) : [];
    if (menu && !otherMenu && (await this.#session.press(menu.highlight_index)))
      found = removingAfterTick((await this.#session.removalPage()).elements, before, this.#target);
    const [control, further] = found;
    return control && !further ? { control, tick, is_ticked: true } : undefined;
  }

  async #findOnOwnPage(page: RemovalPage, place: SeenPage): Promise<FoundOnPage> {
    const present = removingOnOwnPage(page, this.#target);
    // The entries of a closed menu may be among the elements of the page, because Ghost only makes the menu
    // transparent.
    const isShown = present.some(isUncovered);
    const inMenu = isShown ? [] : await this.#removingInMenuOf(page);
    const removing = inMenu.length > 0 ? inMenu : present;
    const [control, further] = removing;
    if (control && further)
      return { problem: "several_controls", candidates: removing.map((one) => nameAndAddress(one)) };
    if (control)
      return {
        found: {
          control,
          page: place,
          object: place.name,
          list: undefined,
          presses: [],
          in_part: false,
          is_row: false,
          others: [],
        },
      };
    return { without_control: place };
  }

  /** Opens the only menu of the object's own page, and returns its controls that remove the object. */
  async #removingInMenuOf(page: RemovalPage): Promise<readonly HighlightedElement[]> {
    const [menu, other] = menusOnOwnPage(page);
    if (!menu || other) return [];
    const before = new Set(page.elements.filter(isUncovered).map(({ highlight_index }) => highlight_index));
    this.#hasPressed = true;
    if (!(await this.#session.press(menu.highlight_index))) return [];
    return removingInMenu((await this.#session.removalPage()).elements, before, this.#target);
  }

  #add(links: readonly OfferedLink[], url: string, words: ReadonlySet<string>): void {
    const { kind, name } = this.#target;
    if (kind === "") return;
    const task = taskWords(`delete the ${kind} "${name}"`);
    const { open } = linksForTask(links, task, { url, words, object: undefined });
    const isRead = (one: string): boolean => this.#read.some((page) => isSameList(page.url, one));
    const added = open.filter((link) => !this.#candidates.some((one) => one.url === link.url));
    this.#candidates = [...this.#candidates, ...added]
      .filter((link) => !isRead(link.url))
      .sort((a, b) => b.rank - a.rank);
  }
}

/**
 * Returns the rows that may be the object's row in a list. On the object's own page, other lists contain the
 * object's name too, such as the breadcrumbs. So a row counts there only if it has a control that removes the
 * object.
 */
function usableRows(rows: readonly ObjectRow[], isOwnPage: boolean): readonly ObjectRow[] {
  const removable = rowsOfOneList(rows, ({ removing }) => removing.length > 0);
  if (removable) return removable;
  if (isOwnPage) return [];
  const withWay = rows.filter(({ menus, link }) => menus.length > 0 || link !== undefined);
  return withWay.length > 0 ? withWay : rows;
}

/** Whether a person sees the element. The entries of a closed menu may be transparent (Ghost), or below other elements. */
const isUncovered = ({ covered, hidden }: HighlightedElement): boolean =>
  covered === undefined && hidden !== true;

const nameAndAddress = ({ textContent, attributes }: HighlightedElement): string =>
  [textContent || attributes.title || attributes["aria-label"] || "a control", attributes.href]
    .filter((part) => part !== undefined)
    .join(" ");

/**
 * Returns the address of the object's own page: the address of the link with the object's name, or of the
 * row's only link for editing.
 */
function addressOfObject({ link, elements }: ObjectRow, page: string): string | undefined {
  const urlOf = ({ attributes: { href = "" } }: HighlightedElement): string | undefined => {
    const url = href === "" || (href.startsWith("#") && !isRoute(href)) ? undefined : URL.parse(href, page);
    const isOther = url?.origin !== URL.parse(page)?.origin;
    return !url || isOther || isWritingAddressOfSession(url.href) ? undefined : url.href;
  };
  const named = link && urlOf(link);
  if (named !== undefined) return named;
  const edits = elements.flatMap((element) => {
    const url = urlOf(element);
    const parts = url === undefined ? [] : new URL(url).pathname.split("/");
    return url !== undefined && parts.some((part) => operationOfPart(part) === "edit") ? [url] : [];
  });
  const [only, further] = new Set(edits);
  return further === undefined ? only : undefined;
}
