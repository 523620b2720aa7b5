/**
 * Finds the form of a task on pages that the map does not know: on the page of a session, and on the pages to which
 * its links lead. Links that may change data are not followed. Only a button that opens the form, such as "New voucher",
 * is pressed.
 */

import { isSameList } from "../../../machines/knowledge/addresses/page-address-parts.ts";
import {
  addressWords,
  stemsOf,
  type TaskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { STATE_NAME_SEPARATOR } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { actionsOf } from "../../../machines/knowledge/screens/page-to-screen.ts";
import {
  screenName,
  sharedHeadings,
  siteParts,
} from "../../../machines/knowledge/screens/screen-name-from-title.ts";
import type { LiveForm } from "../../../machines/knowledge/screens/session-form-to-map-states.ts";
import {
  isAboutKind,
  isAtPlace,
  type ObjectRow,
  type RemovalPage,
  rowsOfObject,
  rowsOfOneList,
} from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import {
  editingAddressesInRow,
  editingInMenu,
  editingInRow,
} from "../../../machines/knowledge/tasks/controls-that-edit-object.ts";
import {
  isOfObject,
  type LinkForTask,
  linksForTask,
  type OfferedLink,
  type PageSubject,
  RANK,
} from "../../../machines/knowledge/tasks/links-for-task.ts";
import { editedObject, type RemovalTarget } from "../../../machines/knowledge/tasks/removal-target.ts";
import {
  type FormTask,
  formTasks,
  type TaskFit,
  taskFit,
} from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import {
  type KnownPages,
  segmentsBelow,
  unnamedObject,
} from "../../../machines/knowledge/tasks/whether-task-names-object.ts";
import type { ActionRecord } from "../../../machines/records/map-records.ts";
import { isWritingAddressOfSession } from "../../../machines/risk/risk-classes.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import { nameOf } from "../../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import type { SessionPage } from "../../../machines/session/page/session-page-links-and-forms.ts";
import { bestOf, valuesWithoutField } from "../answers/find-form-of-task.ts";
import type { StateOfKind } from "../answers/page-states-showing-things.ts";
import { buttonForForm, formBehindButton } from "./open-form-behind-button.ts";
import { clickableRow, openRow } from "./open-row-in-session.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";
import { openState } from "./show-page-state-in-session.ts";

/** Maximum number of pages that one task opens in the session while it searches for a form. */
const OPENED_PAGES = 6;

/** A form of a page that the session shows. */
export interface FormInSession extends Omit<TaskFit, "share"> {
  readonly task: FormTask;
  readonly page: { readonly name: string; readonly url: string };
  /** Number of values of the task for which the form has no field. */
  readonly unknown: number;
  /**
   * How the session found the form, so that the form can be added to the map. Absent for the form of a row in
   * a list.
   */
  readonly live?: LiveForm;
}
type FittingForm = Omit<FormInSession, "live">;

interface SeenPage {
  readonly name: string;
  readonly url: string;
}

interface SeenLink {
  readonly url: string;
  readonly text: string;
}

export interface SearchInSession {
  /** The form, if one was found. The session then shows its page. */
  readonly found: FormInSession | undefined;
  /** A form that fits the task, but has no field for one of the task's values. */
  readonly near: FormInSession | undefined;
  /**
   * A page with a form that fits, but was not used: the task does not name the object to which the form
   * belongs.
   */
  readonly unnamed: SeenPage | undefined;
  /** Whether the search may have changed the page that the session shows. */
  readonly hasLeft: boolean;
  /** The pages that the search has read, in the order of reading. */
  readonly read: readonly SeenPage[];
  readonly risky: readonly SeenLink[];
  readonly unclear: readonly SeenLink[];
}

/**
 * Returns the address by which the page edits the object: that of the only link for editing in the only row
 * of the object. Returns `undefined` if there are several such rows or links, or none.
 */
function editingAddress(page: RemovalPage, object: RemovalTarget): string | undefined {
  if (!isAtPlace(page, object)) return undefined;
  const rows = rowsOfObject(page, object);
  const [row, other] = rowsOfOneList(rows, (one) => editingAddressesInRow(one, object).length > 0) ?? [];
  const [href, further] = row && !other ? editingAddressesInRow(row, object) : [];
  const url = href === undefined || further !== undefined ? null : URL.parse(href, page.url);
  const isOnSite = url !== null && url.origin === URL.parse(page.url)?.origin;
  return isOnSite && !isWritingAddressOfSession(url.href) ? url.href : undefined;
}

export class FormSearchInSession {
  readonly #session: SearchedSession;
  readonly #target: string;
  readonly #words: TaskWords;
  readonly #given: ReadonlyMap<string, unknown>;
  /** The object that the task edits; `undefined` if the task edits no object or does not name it. */
  readonly #object: RemovalTarget | undefined;
  readonly #pages: SessionPage[] = [];
  readonly #read: SeenPage[] = [];
  readonly #near: FormInSession[] = [];
  readonly #risky = new Map<string, SeenLink>();
  readonly #unclear = new Map<string, SeenLink>();
  #candidates: LinkForTask[] = [];
  #unnamed: SeenPage | undefined;
  #hasPressed = false;

  /** @param given the values that the agent gives for the task, by name in lower case */
  constructor(
    session: SearchedSession,
    target: string,
    words: TaskWords,
    given: ReadonlyMap<string, unknown>,
  ) {
    this.#session = session;
    this.#target = target;
    this.#words = words;
    this.#given = given;
    this.#object = editedObject(target);
  }

  /**
   * Searches for the form.
   *
   * @param known links of the map that may lead to the form; links on the session's page are opened before
   * them
   * @param limit maximum number of pages to open; with 0, only the page that the session shows is read
   * @param states states of the map, such as a drawer, that may show the object that the task edits
   */
  async search(
    known: readonly OfferedLink[],
    limit = OPENED_PAGES,
    states: readonly StateOfKind[] = [],
  ): Promise<SearchInSession> {
    let found = await this.#readPage(await this.#session.page(), undefined);
    let rest = known;
    let hasLeft = false;
    for (const state of found ? [] : states) {
      hasLeft = true;
      found = await this.#readState(state);
      if (found) break;
    }
    for (let opened = 0; !found && opened < limit; opened++) {
      if (this.#candidates.length === 0) {
        this.#add(rest, { url: this.#pages[0]?.url ?? "", words: new Set(), object: undefined });
        rest = [];
      }
      const next = this.#candidates.shift();
      if (!next) break;
      // From here on, the session may show the page of the link, even if opening it fails or the page is not
      // read.
      hasLeft = true;
      if (!(await this.#session.open(next.url))) continue;
      found = await this.#readPage(await this.#session.page(), next);
    }
    return {
      found,
      near: bestOf(this.#near),
      unnamed: this.#unnamed,
      hasLeft: hasLeft || this.#hasPressed,
      read: this.#read,
      risky: [...this.#risky.values()],
      unclear: [...this.#unclear.values()],
    };
  }

  /**
   * Returns the form for the task on a page. If the page has none, remembers its links that may lead to the
   * form.
   */
  async #readPage(page: SessionPage, link: LinkForTask | undefined): Promise<FormInSession | undefined> {
    // A page of another site, such as a sign-in, is not read.
    if (link && URL.parse(page.url)?.origin !== URL.parse(link.url)?.origin) return undefined;
    this.#pages.push(page);
    const name = this.#nameOf(page);
    this.#read.push({ name, url: page.url });
    const object = this.#objectOf(page.url, name, link);
    const fitting = this.#formsOf(page, object ? `${name} ${object.name}` : name);
    const best = bestOf(fitting);
    const live = { page, name, ...this.#stepTo(link) };
    if (best && best.unknown === 0) return { ...best, live };
    if (best) this.#near.push({ ...best, live });
    const subject = {
      url: page.url,
      words: new Set([...stemsOf(name), ...addressWords(page.url).last, ...stemsOf(link?.text ?? "")]),
      object,
    };
    const links = page.links.map(({ url, text, control }) => ({ url, text, attributes: control.attributes }));
    this.#add(links, subject);
    const ofRow = await this.#formInRowOfPage(page, name);
    if (ofRow) return ofRow;
    // The page has a link that probably leads to the form. This link is opened instead of pressing a button.
    if (this.#candidates.some(({ rank }) => rank >= RANK.direct)) return undefined;
    return await this.#formBehindButton(live, subject.words);
  }

  /**
   * Returns the link that has led to a page, and the page that contains this link. Returns an empty object if
   * no page of the session contains it, because the link came from the map.
   */
  #stepTo(link: LinkForTask | undefined): Pick<LiveForm, "link"> {
    for (const from of link ? this.#pages : []) {
      const found = from.links.find(({ url }) => url === link?.url);
      if (found) return { link: { from, control: found.control, name: found.text } };
    }
    return {};
  }

  /**
   * Presses the button of the page that probably opens the form of the task. If the press shows no form that
   * fits, opens the page again.
   */
  async #formBehindButton(live: LiveForm, words: ReadonlySet<string>): Promise<FormInSession | undefined> {
    if (this.#words.operation !== "create") return undefined;
    const before = await this.#session.elements();
    const button = buttonForForm(before, this.#words, words);
    if (!button) return undefined;
    this.#hasPressed = true;
    const { url } = live.page;
    const pressed = await formBehindButton(this.#session, before, button, url);
    const caption = nameOf(button);
    const best =
      pressed &&
      bestOf(this.#fitting(pressed.actions, { name: `${live.name}${STATE_NAME_SEPARATOR}${caption}`, url }));
    if (!best) {
      await this.#session.open(url);
      return undefined;
    }
    const { controls } = pressed;
    const after = await this.#session.page();
    return {
      ...best,
      live: { ...live, press: { control: pressed.control, name: caption, controls, after } },
    };
  }

  /**
   * Opens a state of the map, such as a drawer with a list. Returns the form for the row of the object that
   * the task names.
   */
  async #readState(state: StateOfKind): Promise<FormInSession | undefined> {
    const object = this.#object;
    if (!object) return undefined;
    const opened = await openState(this.#session, state, (page) => rowsOfObject(page, object).length > 0);
    if (!opened) return undefined;
    this.#read.push({ name: state.name, url: opened.page.url });
    return await this.#formInRow(opened.page, state.name, object);
  }

  /**
   * Returns the form that a button in the row of the object shows. If the row has a link to the form instead,
   * the link is remembered and opened later. Such a link is found only by its row: in Flask-AppBuilder and
   * Rails, the name of the object is another text of the row.
   */
  async #formInRowOfPage({ url }: SessionPage, name: string): Promise<FormInSession | undefined> {
    const object = this.#object;
    const read = object && (await this.#session.removalPage());
    if (!read || !isAboutKind(read, object)) return undefined;
    const page = await this.#withControlsOfRow(read, object);
    const address = editingAddress(page, object);
    if (address !== undefined) {
      const link = {
        url: address,
        text: object.name,
        rank: RANK.direct,
        object: { url: address, name: object.name },
      };
      this.#candidates = [link, ...this.#candidates.filter((other) => other.url !== address)];
      this.#unclear.clear();
      return undefined;
    }
    const found = (await this.#formInRow(page, name, object)) ?? (await this.#formBehindRow(page, object));
    if (!found && this.#hasPressed) await this.#session.open(url);
    return found;
  }

  /**
   * Returns the page. If the only row of the object has no control to edit the object, the pointer moves to the row and
   * the page is read again: WordPress shows the links of a row, and TodoMVC the button of an entry, only there.
   */
  async #withControlsOfRow(page: RemovalPage, object: RemovalTarget): Promise<RemovalPage> {
    const [row, other] = isAtPlace(page, object) ? rowsOfObject(page, object) : [];
    const [element] = row?.elements ?? [];
    if (!row || other || !element || row.menus.length > 0 || clickableRow(row)) return page;
    if (editingAddress(page, object) !== undefined || editingInRow(row, object).length > 0) return page;
    const isMoved = await this.#session.act(parseAction("hover", { index: element.highlight_index }));
    return isMoved ? await this.#session.removalPage() : page;
  }

  /**
   * Clicks the row of the object if the row itself reacts to clicks, and returns the form of the page that it
   * opens. Returns `undefined` if no row or several rows do.
   */
  async #formBehindRow(page: RemovalPage, object: RemovalTarget): Promise<FormInSession | undefined> {
    if (this.#hasPressed || !isAtPlace(page, object)) return undefined;
    const [row, other] = rowsOfObject(page, object).filter((one) => clickableRow(one) !== undefined);
    if (!row || other) return undefined;
    this.#hasPressed = true;
    const opened = await openRow(this.#session, row, page.url);
    if (!opened) return undefined;
    const own = { url: opened.url, name: object.name };
    return await this.#readPage(opened, {
      url: opened.url,
      text: object.name,
      rank: RANK.direct,
      object: own,
    });
  }

  /** Presses the control that edits the object of a row, and returns the form that it shows. */
  async #formInRow(
    page: RemovalPage,
    name: string,
    object: RemovalTarget,
  ): Promise<FormInSession | undefined> {
    if (!isAtPlace(page, object)) return undefined;
    const rows = rowsOfObject(page, object);
    const [row, other] = rowsOfOneList(rows, (one) => editingInRow(one, object).length > 0) ?? rows;
    if (!row || other) return undefined;
    const [button, further] = editingInRow(row, object);
    if (further) return undefined;
    const shown = button
      ? { button, elements: page.elements }
      : await this.#editInMenuOf(row, page.elements, object);
    if (!shown) return undefined;
    this.#hasPressed = true;
    const pressed = await formBehindButton(this.#session, shown.elements, shown.button, page.url);
    const place = { name: `${name}, ${object.name}`, url: page.url };
    return pressed && bestOf(this.#fitting(pressed.actions, place));
  }

  /**
   * Opens the only menu of a row, and returns its only control that edits the object, as in lists of Kanboard.
   * Returns `undefined` if the row has several menus, or the menu several such controls.
   */
  async #editInMenuOf(
    row: ObjectRow,
    before: readonly HighlightedElement[],
    object: RemovalTarget,
  ): Promise<
    { readonly button: HighlightedElement; readonly elements: readonly HighlightedElement[] } | undefined
  > {
    const [menu, other] = row.menus;
    if (!menu || other) return undefined;
    this.#hasPressed = true;
    if (!(await this.#session.press(menu.highlight_index))) return undefined;
    const elements = await this.#session.elements();
    const known = new Set(before.map(({ highlight_index }) => highlight_index));
    const [button, further] = editingInMenu(elements, known, object);
    return button && !further ? { button, elements } : undefined;
  }

  /** Returns the object that the task names, if the page shows it or is below its page; otherwise `undefined`. */
  #objectOf(url: string, name: string, link: LinkForTask | undefined): LinkForTask["object"] {
    const { names } = this.#words;
    if (names.length === 0) return undefined;
    const own = new Set(stemsOf(name));
    if (names.every((word) => own.has(word))) return { url, name };
    return link?.object && isOfObject(url, link.object.url) ? link.object : undefined;
  }

  #formsOf(page: SessionPage, name: string): readonly FittingForm[] {
    const record = {
      id: ["", page.url] as const,
      knowledge_id: "",
      headings: page.headings,
      controls: JSON.stringify(page.controls),
    };
    return this.#fitting(actionsOf(record), { name, url: page.url });
  }

  /** Returns the forms among the actions that fit the task. */
  #fitting(actions: readonly ActionRecord[], place: SeenPage): readonly FittingForm[] {
    return formTasks(actions).flatMap((task) => {
      const { share: _, ...fit } = taskFit(task, this.#target, this.#words, place);
      const unknown = valuesWithoutField(task, this.#given).length;
      if (fit.fit === 0) return [];
      if (!this.#lacksObject(task, place)) return [{ task, page: place, unknown, ...fit }];
      this.#unnamed ??= place;
      return [];
    });
  }

  /** Whether the form on a page is for one of several objects, and the task does not say for which. */
  #lacksObject(task: FormTask, page: SeenPage): boolean {
    const urls = this.#pages.flatMap(({ links }) => links.map(({ url }) => url));
    const isAt = (url: string, list: string): boolean => url.replace(/\/$/, "") === list;
    const pages: KnownPages = {
      nameOf: (list) => this.#read.find(({ url }) => isAt(url, list))?.name,
      segmentsBelow: (list) => segmentsBelow(urls, list),
      isCreated: () => false,
      links: this.#pages.flatMap(({ links }) => links),
    };
    return unnamedObject(this.#target, task, page, pages, this.#pages[0]?.url) !== undefined;
  }

  #add(links: readonly OfferedLink[], subject: PageSubject): void {
    const own = links.filter(({ url }) => !this.#pages.some((page) => isSameList(page.url, url)));
    const { open, risky, unclear } = linksForTask(own, this.#words, subject);
    for (const { url, text } of risky) this.#risky.set(url, { url, text });
    for (const { url, text } of unclear) this.#unclear.set(url, { url, text });
    const added = open.filter((link) => !this.#candidates.some(({ url }) => url === link.url));
    this.#candidates = [...this.#candidates, ...added]
      .filter(({ url }) => !this.#pages.some((page) => isSameList(page.url, url)))
      .sort((a, b) => b.rank - a.rank);
  }

  /**
   * Returns the name that the map would give to the page. If the session has read only this page, the name is
   * its heading.
   */
  #nameOf(page: SessionPage): string {
    const [heading = ""] = page.headings;
    if (this.#pages.length < 2) return heading || page.title;
    const common = siteParts(this.#pages.map(({ title }) => title));
    return screenName(page, common, { headings: sharedHeadings(this.#pages) });
  }
}
