/**
 * Finds the form fields with a given label. If no name of a field equals the label, a field whose name begins
 * with the label is accepted. This requires that no other field contains the label's words, because a guess
 * could change the wrong field.
 */
import { nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import { namesOfField, withUniqueNames } from "./field-names-in-groups.ts";

export interface FieldQuery {
  readonly label: string;
  /**
   * The value to enter. If several fields have the same label, the value helps to choose: a boolean is meant
   * for a checkbox, and any other value for another field.
   */
  readonly value?: unknown;
}

type Names = (element: HighlightedElement) => readonly (string | undefined)[];

/** Functions that return names of a field. The first function returns the most reliable names. */
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
      // A button that opens a menu is a form field only if a label names it. The same is true of a button
      // whose attributes do not say what it opens.
      ((/^(true|menu)$/.test(opens) || (expanded !== undefined && (role ?? type) === "button")) &&
        Boolean(labelText))
    );
  });
}

/**
 * Returns all fields that a label may name. The label is clear if there is only one such field.
 *
 * @param groups the names of the groups around the fields, by the index of the field. They are used if the
 * label is not the own name of exactly one field.
 */
export function fieldsCalled(
  fields: readonly HighlightedElement[],
  query: FieldQuery,
  groups: ReadonlyMap<number, string> = new Map(),
): readonly HighlightedElement[] {
  const exact = exactMatches(fields, query);
  const grouped = exact.length === 1 ? [] : groupMatches(fields, query, groups);
  if (grouped.length > 0) return grouped;
  return exact.length > 0 ? exact : containingMatches(fields, query);
}

/** Whether the label is the own name of exactly one field, so that the names of groups do not matter. */
export function isOwnName(fields: readonly HighlightedElement[], query: FieldQuery): boolean {
  return exactMatches(fields, query).length === 1;
}

/**
 * Returns the fields that a label names by their group ("Name"), or by their group and their own name ("Name:
 * English"). The radio buttons of one choice count as one field.
 */
function groupMatches(
  fields: readonly HighlightedElement[],
  { label }: FieldQuery,
  groups: ReadonlyMap<number, string>,
): readonly HighlightedElement[] {
  if (groups.size === 0) return [];
  const wanted = normalizeLabel(label);
  const named = fields.map((field) => ({
    field,
    form: field.formId,
    name: (field.type === "radio" && field.attributes.name) || String(field.highlight_index),
    label: nameOf(field),
    group: groups.get(field.highlight_index),
  }));
  const found = new Map<string, HighlightedElement>();
  for (const one of named) {
    const sameForm = named.filter(({ form }) => form === one.form);
    const { label: unique, group } = withUniqueNames(one, sameForm);
    const names = namesOfField({ name: "", label: one.label === unique ? "" : unique, group });
    if (names.some((name) => normalizeLabel(name) === wanted) && !found.has(one.name))
      found.set(one.name, one.field);
  }
  return [...found.values()];
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
