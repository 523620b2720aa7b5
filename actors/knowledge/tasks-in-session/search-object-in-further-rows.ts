/**
 * Searches for an object in those rows of a list that are not shown at first: by the list's search box, and
 * on its next pages. Such a row must have exactly the object's name.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type RemovalPage, textKey } from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import {
  nextPageAddress,
  nextPageButton,
  searchFieldOf,
} from "../../../machines/knowledge/tasks/ways-to-further-list-rows.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";

/** Maximum number of further pages of one list that a task opens. */
const FURTHER_PAGES = 10;
/** Maximum time in milliseconds in which a list shows the rows of a search or of its next page. */
const ROWS_WITHIN = 3_000;
/** Interval in milliseconds at which the page is read again. */
const EVERY = 300;

/** The part of a list that contains the object. `presses` show this part after the list's page was opened. */
export interface FurtherRows {
  readonly page: RemovalPage;
  readonly presses: readonly Action[];
}

export class FurtherPagesOfList {
  readonly #session: SearchedSession;
  readonly #name: string;
  readonly #hasObject: (page: RemovalPage) => boolean;

  /** @param hasObject returns whether a page has a row with the name of the object */
  constructor(session: SearchedSession, name: string, hasObject: (page: RemovalPage) => boolean) {
    this.#session = session;
    this.#name = name;
    this.#hasObject = hasObject;
  }

  /**
   * Searches the list for the object, and returns the part of the list with it; `undefined` if no part has
   * it. Afterwards, the session may show another part of the list.
   *
   * @param first the first page of the list
   * @param presses the presses that show the list on its page
   */
  async search(first: RemovalPage, presses: readonly Action[]): Promise<FurtherRows | undefined> {
    const { controls } = await this.#session.page();
    const field = searchFieldOf(first.elements, { controls });
    const searched = field && (await this.#bySearch(first, field, presses));
    if (searched || field) return searched;
    return await this.#onNextPages(first, presses);
  }

  async #bySearch(
    first: RemovalPage,
    field: HighlightedElement,
    presses: readonly Action[],
  ): Promise<FurtherRows | undefined> {
    const { highlight_index: index, selector } = field;
    const params = { index, text: this.#name, clear: true };
    const enter: Action = { name: "send_keys", params: { keys: "Enter" } };
    if (!(await this.#session.act({ name: "input", params }))) return undefined;
    const typed = await this.#rowsAfter(first);
    if (typed && this.#hasObject(typed) && pathOf(typed.url) === pathOf(first.url))
      return { page: typed, presses: [...presses, typing(selector, this.#name)] };
    if (!(await this.#session.act(enter))) return undefined;
    const found = await this.#rowsAfter(first);
    // A search box for the whole site leads to another page. Its result is no part of the list.
    if (!found || pathOf(found.url) !== pathOf(first.url) || !this.#hasObject(found)) return undefined;
    const isAtAddress = found.url !== first.url;
    return { page: found, presses: isAtAddress ? [] : [...presses, typing(selector, this.#name), enter] };
  }

  async #onNextPages(first: RemovalPage, presses: readonly Action[]): Promise<FurtherRows | undefined> {
    const read = new Set([first.url]);
    let page = first;
    let pressed = presses;
    for (let at = 0; at < FURTHER_PAGES; at++) {
      const address = presses.length > 0 ? undefined : nextPageAddress(await this.#session.page(), read);
      const button = address === undefined ? nextPageButton(page.elements) : undefined;
      const before = page;
      if (address !== undefined) {
        read.add(address);
        if (!(await this.#session.open(address))) return undefined;
      } else if (button) {
        if (!(await this.#session.press(button.highlight_index))) return undefined;
        pressed = [...pressed, clicking(button.selector)];
      } else return undefined;
      const next = await this.#rowsAfter(before);
      if (!next) return undefined;
      page = next;
      if (this.#hasObject(page)) return { page, presses: page.url === first.url ? pressed : [] };
    }
    return undefined;
  }

  /**
   * Reads the page until its texts have changed or it shows the object, and returns it. Returns `undefined`
   * if neither happens in time.
   */
  async #rowsAfter(before: RemovalPage): Promise<RemovalPage | undefined> {
    const known = new Set(before.texts.map(textKey));
    const until = performance.now() + ROWS_WITHIN;
    for (;;) {
      const page = {
        ...(await this.#session.removalPage()),
        ...(before.opened ? { opened: before.opened } : {}),
      };
      const isChanged = page.url !== before.url || page.texts.some((text) => !known.has(textKey(text)));
      if (this.#hasObject(page)) return page;
      if (performance.now() >= until) return isChanged ? page : undefined;
      await pause(EVERY);
    }
  }
}

const typing = (selector: string, text: string): Action => ({
  name: "input",
  params: { index: 0, text, clear: true },
  locators: { index: { selector } },
});

const clicking = (selector: string): Action => ({
  name: "click",
  params: { index: 0 },
  locators: { index: { selector } },
});

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url;
