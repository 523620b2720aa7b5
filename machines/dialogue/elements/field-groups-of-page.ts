/**
 * Finds the groups of fields, lists and checkboxes of a page that describe one thing, such as the form "New
 * appointment". Many such groups are in no `<form>`.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { contentWords } from "../words/normalised-words.ts";
import { isField, isList, isTick, namesOf, roleOf, rowPath, rowText } from "./texts-that-may-name-element.ts";

export interface FormGroup {
  /** Fields, lists and checkboxes of the group, in page order. */
  readonly entries: readonly HighlightedElement[];
  /** The buttons between and directly after the group's fields. */
  readonly buttons: readonly HighlightedElement[];
  /** The words of all texts of the group: headings, captions, and the names of its elements. */
  readonly words: readonly string[];
}

/**
 * Maximum number of other elements between two neighbouring fields of one group, if they are not in a
 * `<form>`.
 */
const GAP = 3;
/** Number of elements after the last field of a group that are searched for the group's buttons. */
const BUTTONS_AFTER = 6;
/**
 * A snapshot may lack the buttons of a form, and show only their names as text. This number of lines of text
 * after a group is searched for such names.
 */
const BUTTON_TEXTS = 2;
/**
 * Minimum and maximum number of fields in a group. A group with more fields is taken for a page of settings.
 */
const ENTRIES = { least: 2, most: 40 } as const;

const isSearch = ({ type, placeholder = "" }: HighlightedElement): boolean =>
  type === "search" || /search|suche|recherche|buscar/iu.test(placeholder);

const isEntry = (element: HighlightedElement): boolean =>
  (isField(element) || isList(element) || isTick(element)) &&
  !element.disabled &&
  element.type !== "password" &&
  !isSearch(element);

/**
 * Returns the fields, lists and checkboxes that may belong to a form. Controls in a table of records are left
 * out: each row has the same controls. A table that only arranges a form is different: each row has one field
 * with a name of its own.
 */
function entriesOf(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  const entries = elements.filter(isEntry);
  const rowOf = new Map(entries.map((one) => [one, rowPath(one)] as const));
  const isArranged = (element: HighlightedElement): boolean => {
    const row = rowOf.get(element);
    if (row === undefined) return true;
    const name = nameOf(element);
    const table = `${row.replace(/\/tr(?:\[\d+\])?$/u, "")}/`;
    const isTwin = (one: HighlightedElement): boolean =>
      one !== element && rowOf.get(one)?.startsWith(table) === true && nameOf(one) === name;
    return (
      name !== "" &&
      !entries.some(isTwin) &&
      elements.every((one) => one === element || !one.xpath.startsWith(`${row}/`))
    );
  };
  return entries.filter(isArranged);
}

/** Whether two neighbouring fields of a form belong to one group. */
function belong(
  one: HighlightedElement,
  other: HighlightedElement,
  elements: readonly HighlightedElement[],
): boolean {
  if (one.frame.join() !== other.frame.join() || formPath(one) !== formPath(other)) return false;
  if (formPath(one) !== undefined) return true;
  const heading = (element: HighlightedElement): string => placeOf(element).headings.at(-1) ?? "";
  return heading(one) === heading(other) && elements.indexOf(other) - elements.indexOf(one) - 1 <= GAP;
}

/**
 * Returns the groups of fields, lists and checkboxes of a page that describe one thing, such as an appointment, with
 * their buttons.
 *
 * @param least minimum number of fields, lists and checkboxes of a group
 */
export function formGroups(
  elements: readonly HighlightedElement[],
  least: number = ENTRIES.least,
): readonly FormGroup[] {
  const groups: HighlightedElement[][] = [];
  for (const entry of entriesOf(elements)) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last && before && belong(before, entry, elements)) last.push(entry);
    else groups.push([entry]);
  }
  return groups
    .filter(({ length }) => length >= least && length <= ENTRIES.most)
    .map((entries) => groupOf(entries, elements));
}

function groupOf(entries: readonly HighlightedElement[], elements: readonly HighlightedElement[]): FormGroup {
  const isOf = (one: HighlightedElement): boolean => entries.includes(one);
  const first = elements.findIndex(isOf);
  const last = elements.findLastIndex(isOf);
  const [after] = elements.slice(last + 1);
  const form = entries[0] && formPath(entries[0]);
  const end = elements.findIndex(
    (one, at) =>
      at > last &&
      (at > last + BUTTONS_AFTER || isEntry(one) || (formPath(one) !== undefined && formPath(one) !== form)),
  );
  const buttons = elements
    .slice(first, end < 0 ? undefined : end)
    .filter((one) => roleOf(one) === "button" && nameOf(one) !== "" && !one.disabled);
  // The words are computed when they are first needed, because most groups are never compared with a task.
  let known: readonly string[] | undefined;
  return {
    entries,
    buttons,
    get words() {
      known ??= wordsOf({ entries, buttons }, form === undefined ? after : undefined);
      return known;
    },
  };
}

/**
 * Returns the words of all texts of a group of fields, lists and checkboxes.
 *
 * @param after the element after the group, if the group is in no `<form>`; the text before this element may
 * name the group's buttons
 */
function wordsOf(
  { entries, buttons }: Pick<FormGroup, "entries" | "buttons">,
  after: HighlightedElement | undefined,
): readonly string[] {
  const texts = [
    ...[...entries, ...buttons].flatMap((one) => [
      ...namesOf(one).map(({ text }) => text),
      ...placeOf(one).caption,
      placeOf(one).headings.at(-1) ?? "",
      one.formName ?? "",
    ]),
    ...entries.slice(0, 1).map(rowText),
    ...(after ? placeOf(after).caption.slice(0, BUTTON_TEXTS) : []),
  ];
  return [...new Set(texts.flatMap((text) => contentWords(text)))];
}
