/**
 * Finds the form fields with a given label. If no name of a field equals the label, a field whose name begins
 * with the label is accepted. In this case no other field may contain the words of the label, because a guess
 * could change the wrong field.
 */
import { nameOf } from "./element-line.ts";
import type { HighlightedElement } from "./page-snapshot.ts";

export interface FieldQuery {
  readonly label: string;
  /**
   * The value to enter. If several fields have the same label, the value helps to choose: a boolean is meant
   * for a checkbox, and any other value for another field.
   */
  readonly value?: unknown;
}

type Names = (element: HighlightedElement) => readonly (string | undefined)[];

/** Groups of names of a field; the most reliable group is first. */
const NAMES: readonly Names[] = [
  ({ labelText, ariaLabel, associatedLabels = [] }) => [labelText, ariaLabel, ...associatedLabels],
  (element) => [nameOf(element)],
  ({ placeholder, attributes }) => [placeholder, attributes.name, attributes.id, attributes.title],
  // The words around a field are the least reliable name of the field: they may belong to another field in
  // the same row or card.
  ({ around }) => [around],
];

/** Returns the elements that can be filled, chosen or checked, from all elements of a snapshot. */
export function fieldsOf(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  return elements.filter(({ interactionType, type, role, attributes, labelText }) => {
    const { "aria-haspopup": opens = "", "aria-expanded": expanded } = attributes;
    return (
      interactionType === "input" ||
      interactionType === "select" ||
      /^(checkbox|radio|file)$/.test(type) ||
      /^(switch|checkbox|radio|combobox|slider|spinbutton)$/.test(role ?? "") ||
      /^(listbox|dialog|grid|tree)$/.test(opens) ||
      // A button that opens a menu or something unknown is a form field only if a label names it.
      ((/^(true|menu)$/.test(opens) || (expanded !== undefined && (role ?? type) === "button")) &&
        Boolean(labelText))
    );
  });
}

/** Returns all fields that a label may mean. The label is unambiguous if only one field is returned. */
export function fieldsCalled(
  fields: readonly HighlightedElement[],
  query: FieldQuery,
): readonly HighlightedElement[] {
  const exact = exactMatches(fields, query);
  return exact.length > 0 ? exact : containingMatches(fields, query);
}

function exactMatches(
  fields: readonly HighlightedElement[],
  wanted: FieldQuery,
): readonly HighlightedElement[] {
  const label = normalizeLabel(wanted.label);
  if (label === "") return [];
  for (const names of NAMES) {
    const matches = fields.filter((field) =>
      names(field).some((name) => name !== undefined && normalizeLabel(name) === label),
    );
    if (matches.length > 0) return fittingValue(matches, wanted.value);
  }
  return [];
}

/**
 * Returns the fields whose label contains the wanted words. The label may also contain other words, such as
 * an example or a mark for required fields.
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
 * If several fields have the same name, returns those whose kind fits the value: checkboxes, radio buttons
 * and switches for a boolean, and all other fields for any other value.
 */
function fittingValue(matches: readonly HighlightedElement[], value: unknown): readonly HighlightedElement[] {
  if (matches.length < 2 || value === undefined) return matches;
  const fits = matches.filter(({ type, role }) => {
    const checked = /^(checkbox|radio)$/.test(type) || /^(switch|checkbox|radio)$/.test(role ?? "");
    return checked === (typeof value === "boolean");
  });
  return fits.length === 1 ? fits : matches;
}

/** Returns the words of a label in lower case without punctuation, for comparison. */
export function normalizeLabel(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
