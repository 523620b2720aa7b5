/**
 * Finds the form field with a given label. If no name of a field equals the label, a field whose name begins
 * with the label is accepted. In this case no other field may contain the words of the label, because a guess
 * could change the wrong field.
 */

import { elementLine, nameOf } from "../../../../machines/session/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page-snapshot.ts";
import { similarity } from "../../../../machines/session/stale-candidates.ts";
import { ActionFailure } from "../action-error.ts";
import { type Target, targetOf } from "../actions/clickable-point.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { acceptElements } from "./page-change-tracker.ts";

/** Maximum number of candidates in the error when no field matches, best first. */
const MAX_CANDIDATES = 8;

export interface FieldQuery {
  readonly label: string;
  /** The value to enter. Its type shows which field is wanted, for example a checkbox for a boolean. */
  readonly value?: unknown;
}

/** Returns the field with this label on the current page. */
export async function labelledField(tab: Tab, label: string): Promise<Target> {
  const { elements } = await tab.answer(tab.snapshots.take());
  const found = exactMatches(fieldsOf(elements), { label });
  return await targetOf(tab, singleField(found, label).highlight_index);
}

/**
 * Finds a field for each query without changing any field. A field matches when its label equals the wanted
 * label, or when its name begins with the wanted label.
 */
export async function labelledFields(
  tab: Tab,
  wanted: readonly FieldQuery[],
): Promise<readonly HighlightedElement[]> {
  if (wanted.length === 0) return [];
  const { elements, url } = await tab.answer(tab.snapshots.peek());
  const fields = fieldsOf(elements);
  const found: HighlightedElement[] = [];
  for (const query of wanted) {
    const exact = exactMatches(fields, query);
    const matches = exact.length > 0 ? exact : containingMatches(fields, query);
    const [field] = matches;
    if (field && matches.length === 1) found.push(field);
    else
      throw await ambiguityFailure(
        tab,
        matches.length > 0 ? matches : bestMatches(fields, query.label),
        matches.length,
        query,
        url,
      );
  }
  // The result of the action shows the label and the index of each field. So the fields count as seen by the
  // caller.
  await acceptElements(
    tab,
    found.map(({ highlight_index }) => highlight_index),
  );
  return found;
}

function singleField(found: readonly HighlightedElement[], label: string): HighlightedElement {
  const [field] = found;
  if (field && found.length === 1) return field;
  throw matchFailure(
    found.length,
    label,
    found.map(({ highlight_index }) => highlight_index),
  );
}

function matchFailure(count: number, label: string, candidates: readonly unknown[]): ActionFailure {
  return new ActionFailure(
    count === 0 ? "element_not_found" : "invalid_params",
    count === 0 ? `There is no field "${label}".` : `${count} fields are called "${label}": name an index.`,
    { label, candidates },
  );
}

async function ambiguityFailure(
  tab: Tab,
  fields: readonly HighlightedElement[],
  count: number,
  { label }: FieldQuery,
  url: string,
): Promise<ActionFailure> {
  await acceptElements(
    tab,
    fields.map(({ highlight_index }) => highlight_index),
  );
  const candidates = fields.map((field) => ({
    highlight_index: field.highlight_index,
    line: elementLine(field, url),
  }));
  return matchFailure(count, label, candidates);
}

/** Returns the elements that can be filled, chosen or checked, from all elements of a snapshot. */
function fieldsOf(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  return elements.filter(({ interactionType, type, role, attributes, labelText }) => {
    const { "aria-haspopup": opens = "" } = attributes;
    return (
      interactionType === "input" ||
      interactionType === "select" ||
      /^(checkbox|radio|file)$/.test(type) ||
      /^(switch|checkbox|radio|combobox|slider|spinbutton)$/.test(role ?? "") ||
      /^(listbox|dialog|grid|tree)$/.test(opens) ||
      // A menu button counts as a form field only when it has a label, as form fields have.
      (/^(true|menu)$/.test(opens) && Boolean(labelText))
    );
  });
}

type Names = (element: HighlightedElement) => readonly (string | undefined)[];

/** The names that a field may have, grouped by reliability, the most reliable group first. */
const NAMES: readonly Names[] = [
  ({ labelText, ariaLabel }) => [labelText, ariaLabel],
  (element) => [nameOf(element)],
  ({ placeholder, attributes }) => [placeholder, attributes.name, attributes.id, attributes.title],
  // The context label (words of the row or card around the field) is used only for a field without any other
  // name.
  ({ around }) => [around],
];

function exactMatches(
  fields: readonly HighlightedElement[],
  wanted: FieldQuery,
): readonly HighlightedElement[] {
  const label = normalizeLabel(wanted.label);
  for (const names of NAMES) {
    const matches = fields.filter((field) =>
      names(field).some((name) => name !== undefined && normalizeLabel(name) === label),
    );
    if (matches.length > 0) return fittingValue(matches, wanted.value);
  }
  return [];
}

/**
 * Returns the fields whose label contains the words. A label may also contain an example, or a mark that the
 * field is required.
 */
function containingMatches(
  fields: readonly HighlightedElement[],
  { label, value }: FieldQuery,
): readonly HighlightedElement[] {
  const wanted = normalizeLabel(label);
  if (wanted === "") return [];
  const texts = (field: HighlightedElement): readonly string[] =>
    [field.labelText, field.ariaLabel, nameOf(field), field.around].map((name) => normalizeLabel(name ?? ""));
  const containing = fields.filter((field) =>
    texts(field).some((text) => ` ${text} `.includes(` ${wanted} `)),
  );
  const fitting = fittingValue(containing, value);
  return fitting.length === 1 &&
    !fitting.some((field) => texts(field).some((text) => `${text} `.startsWith(`${wanted} `)))
    ? []
    : fitting;
}

/**
 * When several fields have the same name, selects those that fit the type of the value. A boolean fits a
 * checkbox, and any other value fits the other fields.
 */
function fittingValue(matches: readonly HighlightedElement[], value: unknown): readonly HighlightedElement[] {
  if (matches.length < 2 || value === undefined) return matches;
  const fits = matches.filter(({ type, role }) => {
    const checked = /^(checkbox|radio)$/.test(type) || /^(switch|checkbox|radio)$/.test(role ?? "");
    return checked === (typeof value === "boolean");
  });
  return fits.length === 1 ? fits : matches;
}

function bestMatches(fields: readonly HighlightedElement[], label: string): readonly HighlightedElement[] {
  return fields
    .map((field) => ({ field, score: similarity(label, nameOf(field)) }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ field }) => field);
}

/** Returns the words of a label in lower case without punctuation, for comparison. */
export function normalizeLabel(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
