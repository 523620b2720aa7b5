/**
 * Finds the control that removes one object on a page: "Delete" in the row of the object, or on the object's own page.
 * The object must have exactly the name of the task. A control that may belong to another object is never returned.
 */
import { isWritingAddress, riskOf } from "../../risk/risk-classes.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import { opensMenuByClass } from "../../session/page/menus-opened-by-class.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { PageTexts, SessionPage } from "../../session/page/session-page-links-and-forms.ts";
import {
  addressWords,
  operationOfName,
  operationOfPart,
  stemOf,
  stemsOf,
} from "../screens/operation-and-thing-of-task.ts";
import { wordsOf } from "../screens/screen-name-index.ts";
import { comparable, isVerbFor, namesOf } from "./controls-that-edit-object.ts";
import { isNamedAsMenu, opensRowMenu } from "./controls-that-open-menus.ts";
import { isInNameColumn } from "./name-column-of-table.ts";
import type { RemovalTarget } from "./removal-target.ts";

/** The data of a session's page that are needed to find an object on it. */
export interface RemovalPage extends PageTexts, Pick<SessionPage, "url" | "title" | "headings"> {
  readonly elements: readonly HighlightedElement[];
  /** The presses that have opened the part of the page with the objects, such as a drawer. */
  readonly opened?: OpenedPart;
}

/** A part of a page that presses have opened. */
export interface OpenedPart {
  /** Names of the pressed controls. */
  readonly presses: readonly string[];
  /**
   * The texts that the page had before the presses, as `textKey` returns them. They do not belong to the
   * opened part.
   */
  readonly before: ReadonlySet<string>;
}

/**
 * Identifies a text by its content and XPath. The position `[1]` is removed, because an element gets it only
 * when a press adds a second element of the same kind beside it.
 */
export const textKey = ({ text, xpath }: PageTexts["texts"][number]): string =>
  `${xpath.replaceAll("[1]", "")}\n${text}`;

/** The row of an object in a list. */
export interface ObjectRow {
  readonly xpath: string;
  /** The texts of the row, joined. */
  readonly text: string;
  /** The controls and links in this row. */
  readonly elements: readonly HighlightedElement[];
  /** The controls of the row that remove the object, without repetitions. */
  readonly removing: readonly HighlightedElement[];
  /** The buttons of the row that open a menu. */
  readonly menus: readonly HighlightedElement[];
  /**
   * The link with the name of the object. If there is none, it is the link that contains the name beside other texts:
   * in Ghost and in tables of Filament, each cell of a row is a link to the object.
   */
  readonly link: HighlightedElement | undefined;
}

/**
 * Maximum number of texts of a row before the name of its object, such as a number. Captions of controls such as
 * "Edit" do not count: lists of Flask-AppBuilder and phpMyAdmin begin each row with them.
 */
const TEXTS_BEFORE_NAME = 3;
/** Maximum length of a row's text in an answer, in characters. */
const ROW_LENGTH = 200;
/** Maximum number of names that are returned as similar. */
const MOST_SIMILAR = 5;

/**
 * Words of titles that say how objects are shown, such as "list" in "Users list" and "management" in "User
 * management".
 */
const SHOWING: ReadonlySet<string> = new Set(
  stemsOf(
    "list overview management manager index table administration all manage view details settings page",
  ),
);

/** Whether an XPath is equal to the XPath `outer`, or belongs to an element inside of that element. */
export const isInside = (xpath: string, outer: string): boolean =>
  xpath.startsWith(outer) && (xpath.length === outer.length || xpath[outer.length] === "/");

/** Returns the rows of the objects on a page whose name is exactly that of the task. */
export function rowsOfObject(page: RemovalPage, target: RemovalTarget): readonly ObjectRow[] {
  const found = new Map<string, ObjectRow>();
  for (const { text, xpath } of page.texts) {
    if (comparable(text) !== comparable(target.name)) continue;
    if (page.opened?.before.has(textKey({ text, xpath }))) continue;
    const row = rowAround(page, xpath);
    if (row === undefined || found.has(row)) continue;
    const one = objectRow(page, row, target, xpath);
    if (isNameOfRow(page, row, xpath, one, target)) found.set(row, one);
  }
  return [...found.values()];
}

/**
 * The name of an object may also be elsewhere on the page. So only those lists count in which at least one of the
 * given rows has a control for its object. Returns all given rows of these lists, because each may be meant. Returns
 * `undefined` if there is no such list.
 */
export function rowsOfOneList(
  rows: readonly ObjectRow[],
  hasControl: (row: ObjectRow) => boolean,
): readonly ObjectRow[] | undefined {
  const listOf = ({ xpath }: ObjectRow): string => xpath.slice(0, xpath.lastIndexOf("/"));
  const lists = new Set(rows.filter(hasControl).map(listOf));
  return lists.size === 0 ? undefined : rows.filter((row) => lists.has(listOf(row)));
}

/** Returns texts of rows that contain all words of the name. The agent is asked which of them it means. */
export function similarNames(
  { texts, rows, opened }: RemovalPage,
  { name }: RemovalTarget,
): readonly string[] {
  const words = wordsOf(name);
  const similar = texts.filter(({ text, xpath }) => {
    const own = wordsOf(text);
    return (
      words.length > 0 &&
      opened?.before.has(textKey({ text, xpath })) !== true &&
      words.every((word) => own.includes(word)) &&
      rows.some((row) => isInside(xpath, row))
    );
  });
  // A row and one of its cells may both contain the name. Only the text of the cell is kept, which is the
  // shorter one.
  const shortest = similar.filter(
    (one) => !similar.some((other) => other !== one && isInside(other.xpath, one.xpath)),
  );
  return [...new Set(shortest.map(({ text }) => text))].slice(0, MOST_SIMILAR);
}

/** Whether a row is a row of a table or an entry of a list, and not a card. */
export const isDeclaredRow = ({ rows }: Pick<RemovalPage, "rows">, xpath: string): boolean =>
  rows.includes(xpath);

/**
 * Returns the names of the objects in the other rows of the list. In each row, two texts count as names: the
 * text at the same place as the name in its own row, and the first text with letters. One of them may instead
 * be a number or a state.
 */
export function namesOfOtherRows(page: RemovalPage, own: string, name: string): readonly string[] {
  const ofOwn = leavesOfRow(page, own);
  const place = ofOwn.findIndex((text) => comparable(text) === comparable(name));
  const parent = own.slice(0, own.lastIndexOf("/"));
  const siblings = (isDeclaredRow(page, own) ? page.rows : cardsOf(page)).filter(
    (row) => row !== own && row.slice(0, row.lastIndexOf("/")) === parent,
  );
  const names = siblings.flatMap((row) => {
    const leaves = leavesOfRow(page, row);
    return [leaves[place] ?? "", leaves.find((text) => /\p{L}/u.test(text)) ?? ""];
  });
  return [...new Set(names)].filter((text) => /\p{L}/u.test(text) && !ofOwn.includes(text));
}

/** Returns the controls that remove an object on the object's own page, without repetitions. */
export function removingOnOwnPage(page: RemovalPage, target: RemovalTarget): readonly HighlightedElement[] {
  const own = page.elements.filter((element) => {
    if (!removes(element, target) || removesPartOfForm(element, page)) return false;
    const row = page.rows.findLast((one) => isInside(element.xpath, one));
    // A control "Delete" in a row with other texts removes something that belongs to the object, and not the
    // object itself.
    return row === undefined || isEntryOfMenu(page, row);
  });
  const controls = withoutRepetitions(own);
  const [addressed, further] = controls.filter(({ attributes: { href } }) => removesPage(href, page.url));
  // Django's page of an object has a link with the address that deletes the object, and controls "Remove" for
  // parts of its form. Only the link removes the object.
  return addressed && !further && controls.every((one) => one === addressed || isWithoutAddress(one))
    ? [addressed]
    : controls;
}

/** Matches a name that only says "Remove", and neither "Delete" nor what is removed. */
const REMOVES_ONLY = /^(?:remove|entfernen|retirer|quitar|rimuovi)$/iu;

/**
 * Whether a control removes a part of the form in which the object is edited, such as a condition of a promotion
 * (Vendure) or a row of an inline form (Django): it only says "Remove", and the form has fields.
 */
function removesPartOfForm(element: HighlightedElement, { elements }: RemovalPage): boolean {
  const form = formPath(element);
  if (form === undefined || !REMOVES_ONLY.test(nameOf(element).trim())) return false;
  return elements.some(
    (one) => formPath(one) === form && (one.interactionType === "input" || one.interactionType === "select"),
  );
}

/** Whether an address removes the object of a page, as `/users/5/delete` does on `/users/5/change`. */
function removesPage(href: string | undefined, page: string): boolean {
  const [from, to] = [URL.parse(page), URL.parse(href ?? "", page)];
  if (!from || !to || !isRemovalAddress(href) || from.origin !== to.origin) return false;
  const objectOf = ({ pathname }: URL): string => {
    const parts = pathname.split("/").filter((part) => part !== "");
    return parts.filter((part, at) => at < parts.length - 1 || operationOfPart(part) === undefined).join("/");
  };
  return from.pathname !== to.pathname && objectOf(from) === objectOf(to);
}

const isWithoutAddress = ({ attributes: { href } }: HighlightedElement): boolean =>
  href === undefined || href.startsWith("#");

/**
 * Whether a page is that of the object: its heading or title is the name of the object, or this name with
 * words of its kind, such as "User greta" for the user greta.
 */
export function isPageOfObject(page: RemovalPage, target: RemovalTarget): boolean {
  const name = comparable(target.name);
  const headings = page.headings.filter((text) => comparable(text) !== name || !isOnlyInRows(page, name));
  return [...headings, ...titleParts(page.title)].some((text) => {
    if (comparable(text) === name) return true;
    const names = wordsOf(target.name);
    const rest = wordsOf(text).filter((word) => names.includes(word) || !isWordOfKind(word, target));
    return names.length > 0 && rest.join(" ") === names.join(" ");
  });
}

/**
 * Whether a text is only in rows of a list. A heading in a row, as in lists of Ghost and issues of GitHub, names the
 * object of the row and not the page.
 */
function isOnlyInRows({ texts, rows }: RemovalPage, name: string): boolean {
  const places = texts.filter(({ text }) => comparable(text) === name);
  const listOf = (row: string): string => row.slice(0, row.lastIndexOf("/"));
  return (
    places.length > 0 &&
    places.every(({ xpath }) => {
      const own = rows.findLast((row) => isInside(xpath, row));
      return own !== undefined && rows.some((row) => row !== own && listOf(row) === listOf(own));
    })
  );
}

/**
 * Whether a page is about the kind of the object: its heading, title or address ends with the words of the kind, such
 * as "All users" for the user greta.
 */
export function isAboutKind(
  page: Pick<RemovalPage, "url" | "title" | "headings" | "opened">,
  target: RemovalTarget,
): boolean {
  // A part of a page, such as a drawer, may show other objects than its page.
  if (page.opened) return endsWithKind(page.opened.presses.at(-1) ?? "", target);
  return (
    [...page.headings, ...titleParts(page.title)].some((text) => endsWithKind(text, target)) ||
    isAddressOfKind(page.url, target)
  );
}

/** Whether a page belongs to the place that the task names, such as a team in "remove greta from the team Ushers". */
export function isAtPlace({ url, title, headings, opened }: RemovalPage, { place }: RemovalTarget): boolean {
  const names = [...headings, title, ...(opened?.presses ?? [])];
  const own = new Set([...names.flatMap(stemsOf), ...addressWords(url).all]);
  return place.every((word) => own.has(word));
}

/** Matches a name that moves something to the trash: "Move to trash" of Nextcloud and Roundcube, "Trash" of WordPress. */
const TRASHES =
  /^(?:trash|(?:move|send)(?:\s.+)?\s+to\s+(?:the\s+)?(?:trash|bin)|in\s+den\s+papierkorb(?:\s+(?:verschieben|legen))?|mettre\s+(?:.+\s)?[àa]\s+la\s+corbeille|mover\s+(?:.+\s)?a\s+la\s+papelera)$/iu;
/** Words of such names that name no object. */
const WORDS_OF_TRASH: ReadonlySet<string> = new Set(
  stemsOf(
    "trash bin move send this to the in den papierkorb verschieben legen mettre à la corbeille mover a papelera",
  ),
);

/**
 * Whether a name of a control moves the object to the trash, and names no other thing. "Trash" alone may be the name of
 * a folder, so the control must have an address that changes data.
 */
function movesToTrash(name: string, { attributes }: HighlightedElement, target: RemovalTarget): boolean {
  if (!TRASHES.test(name.trim())) return false;
  if (/^trash$/iu.test(name.trim()) && !isWritingAddress(attributes.href ?? "")) return false;
  const own = new Set([...target.kinds, ...stemsOf(target.name)]);
  return stemsOf(name).every((stem) => own.has(stem) || WORDS_OF_TRASH.has(stem));
}

/**
 * Whether a control removes one object of the task's kind, such as "Delete user". A control that removes the
 * selected objects or all objects does not count.
 */
export function removes(element: HighlightedElement, target: RemovalTarget): boolean {
  const { attributes, interactionType, disabled, icon } = element;
  if (disabled === true || interactionType === "input" || interactionType === "select") return false;
  const names = namesOf(element);
  if (names.length > 0)
    return names.some((name) => isVerbFor(name, "remove", target) || movesToTrash(name, element, target));
  const { class: _, ...others } = attributes;
  return riskOf({ name: "", icon, attributes: others }) === "delete" || isRemovalAddress(attributes.href);
}

/**
 * Returns the buttons of an object's own page that open a menu with its controls, such as "Actions" (Ghost,
 * Keycloak). Menus with other names, such as that of the signed-in user, and menus in rows are left out.
 */
export function menusOnOwnPage({ elements, rows }: RemovalPage): readonly HighlightedElement[] {
  return elements.filter(
    (element) =>
      element.disabled !== true &&
      element.attributes.href === undefined &&
      (element.tagName === "button" || element.role === "button") &&
      isNamedAsMenu(nameOf(element)) &&
      !rows.some((row) => isInside(element.xpath, row)),
  );
}

/** Returns the controls that appeared after a menu was opened and that remove the object. */
export function removingInMenu(
  elements: readonly HighlightedElement[],
  before: ReadonlySet<number>,
  target: RemovalTarget,
): readonly HighlightedElement[] {
  const added = elements.filter(
    (element) => !before.has(element.highlight_index) && removes(element, target),
  );
  return withoutRepetitions(added);
}

const isRemovalAddress = (href: string | undefined): boolean =>
  href !== undefined && addressWords(href).operation === "remove";

function withoutRepetitions(controls: readonly HighlightedElement[]): readonly HighlightedElement[] {
  return controls.filter(({ attributes: { href } }, at) => {
    const first = controls.findIndex((other) => href !== undefined && other.attributes.href === href);
    return first < 0 || first === at;
  });
}

/**
 * Returns the XPath of the innermost row around an element. If the element is in no row, returns the XPath of
 * the card around it; `undefined` if it is in no card.
 */
function rowAround(page: RemovalPage, xpath: string): string | undefined {
  const innermost = (paths: readonly string[]): string | undefined =>
    paths.filter((row) => isInside(xpath, row)).sort((a, b) => b.length - a.length)[0];
  return innermost(page.rows) ?? innermost(cardsOf(page));
}

const knownCards = new WeakMap<RemovalPage, readonly string[]>();

/**
 * Returns the XPaths of cards. If a page has several controls with the same name, the card of each is the
 * largest element around it that contains none of the others.
 */
function cardsOf(page: RemovalPage): readonly string[] {
  const known = knownCards.get(page);
  if (known) return known;
  const groups = Map.groupBy(page.elements, (element) => {
    const { tagName, icon = "", attributes } = element;
    const name = nameOf(element);
    // The name of a menu's button may contain the number of its object, such as "#2" (Kanboard). So two such buttons
    // are compared by their classes and not by their names.
    if (opensMenuByClass(element)) return [tagName, "menu", attributes.class].join("\n");
    return [tagName, name, ...(name === "" ? [icon, attributes.class ?? ""] : [])].join("\n");
  });
  const cards = new Set<string>();
  for (const group of groups.values()) {
    const paths = group.map(({ xpath }) => xpath.split("/"));
    for (const [at, path] of paths.entries()) {
      const others = [paths[at - 1], paths[at + 1]].filter((other) => other !== undefined);
      if (others.length === 0) continue;
      const shared = Math.max(...others.map((other) => sharedSteps(path, other)));
      if (shared < path.length) cards.add(path.slice(0, shared + 1).join("/"));
    }
  }
  knownCards.set(page, [...cards]);
  return [...cards];
}

function sharedSteps(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((step, place) => step !== other[place]);
  return at < 0 ? one.length : at;
}

const elementsIn = ({ elements }: RemovalPage, row: string): readonly HighlightedElement[] =>
  elements.filter(({ xpath }) => isInside(xpath, row));

function objectRow(page: RemovalPage, xpath: string, target: RemovalTarget, nameAt: string): ObjectRow {
  const elements = elementsIn(page, xpath);
  // Another row inside of this row usually belongs to another object. An exception is an entry of a menu in
  // this row, which contains nothing but one control.
  const own = elements.filter((element) => {
    // If presses have opened a layer, a covered element belongs to the page behind the layer, and not to a row of the
    // layer.
    if (page.opened && element.covered !== undefined) return false;
    const inner = rowAround(page, element.xpath);
    return inner === xpath || (inner !== undefined && isEntryOfMenu(page, inner));
  });
  const name = comparable(target.name);
  const links = own.filter(({ attributes }) => attributes.href !== undefined);
  return {
    xpath,
    text: textOfRow(page, xpath),
    elements: own,
    removing: withoutRepetitions(own.filter((element) => removes(element, target))),
    menus: own.filter(opensRowMenu),
    link:
      links.find((element) => comparable(nameOf(element)) === name) ??
      links.find((element) => isInside(nameAt, element.xpath)),
  };
}

/** Whether a row contains nothing but one control. */
function isEntryOfMenu(page: RemovalPage, row: string): boolean {
  const elements = elementsIn(page, row);
  const [only] = elements;
  if (!only || elements.length > 1) return false;
  const name = comparable(nameOf(only));
  return page.texts.every(({ text, xpath }) => !isInside(xpath, row) || comparable(text) === name);
}

const textOfRow = (page: RemovalPage, row: string): string =>
  leavesOfRow(page, row).join(" · ").slice(0, ROW_LENGTH);

/** Returns the innermost texts of a row: texts of elements that contain no other element with a text. */
function leavesOfRow({ texts }: RemovalPage, row: string): readonly string[] {
  const inner = texts.filter(({ xpath }) => isInside(xpath, row));
  const leaves = inner.filter(
    (one) => !inner.some((other) => other !== one && isInside(other.xpath, one.xpath)),
  );
  return leaves.map(({ text }) => text);
}

/**
 * Whether a text is the name of its row, and not another value, such as the person who has created the object. The name is
 * one of the first texts, or in a column with a head such as "Name". A number is only a name if an address of the row has it.
 */
function isNameOfRow(
  { texts }: RemovalPage,
  row: string,
  xpath: string,
  { elements }: ObjectRow,
  { name, kinds }: RemovalTarget,
): boolean {
  if (/^#?\d+$/u.test(name)) {
    const number = name.replace("#", "");
    return elements.some(({ attributes }) => (attributes.href ?? "").split(/[/?&=#]/u).includes(number));
  }
  if (isInNameColumn(texts, row, xpath, kinds)) return true;
  const inner = texts.filter((text) => isInside(text.xpath, row));
  const leaves = inner.filter(
    (one) => !inner.some((other) => other !== one && isInside(other.xpath, one.xpath)),
  );
  const at = leaves.findIndex((leaf) => isInside(leaf.xpath, xpath));
  const isCaption = (leaf: (typeof leaves)[number]): boolean =>
    operationOfName(leaf.text) !== undefined && elements.some((one) => isInside(leaf.xpath, one.xpath));
  return at >= 0 && leaves.slice(0, at).filter((leaf) => !isCaption(leaf)).length < TEXTS_BEFORE_NAME;
}

/** Splits a title such as "Vouchers | Jazz :: pretix" into its parts. */
const titleParts = (title: string): readonly string[] =>
  title.split(/\s*(?:\||·|::|»|›|—|–|\s-\s|:)\s*/u).filter((part) => part !== "");

const isWordOfKind = (word: string, { kinds }: RemovalTarget): boolean =>
  kinds.includes(stemOf(word)) || SHOWING.has(stemOf(word)) || operationOfName(word) !== undefined;

/** Whether a text ends with the words of a kind, such as "Users list" for "user". */
export function endsWithKind(text: string, { kinds }: Pick<RemovalTarget, "kinds">): boolean {
  const head = kinds.at(-1);
  if (head === undefined) return false;
  const words = stemsOf(text).filter((word) => !/^\d+$/u.test(word));
  const shown = words.filter((word) => !SHOWING.has(word) || kinds.includes(word));
  return shown.at(-1) === head && kinds.every((word) => shown.includes(word));
}

function isAddressOfKind(url: string, { kinds }: RemovalTarget): boolean {
  const { last } = addressWords(url);
  const joined = last.join("");
  return kinds.length > 0 && (last.join(" ").endsWith(kinds.join(" ")) || stemOf(joined) === kinds.join(""));
}
