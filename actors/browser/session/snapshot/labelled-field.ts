/**
 * The field of a page that goes by a label, as a person would point it out.
 *
 * A label that only begins a name counts where no other field has its words: what is filled by guessing may be another
 * field. Neighbours: `forms.ts` fills fields by their labels, `login.ts` knows those of a login.
 */

import { elementLine, nameOf } from "../../../../machines/session/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page-snapshot.ts";
import { similarity } from "../../../../machines/session/stale-candidates.ts";
import { ActionFailure } from "../action-failure.ts";
import { type Target, targetOf } from "../actions/action-target.ts";
import type { Tab } from "../tabs/tab.ts";
import { adopt } from "./page-changes.ts";

/** Fields that are told where none goes by a label, the likeliest first. */
const TOLD = 8;

export interface FieldQuery {
  readonly label: string;
  /** What it is to hold, which says what kind of field is meant. */
  readonly value?: unknown;
}

/** The field that goes by a label on the page as it is now. */
export async function labelledField(tab: Tab, label: string): Promise<Target> {
  const { elements } = await tab.answer(tab.looking.look());
  const found = exactly(fieldsOf(elements), { label });
  return await targetOf(tab, only(found, label).highlight_index);
}

/** The same of several fields at once, each by its label or by one that begins with it; none is touched yet. */
export async function labelledFields(
  tab: Tab,
  wanted: readonly FieldQuery[],
): Promise<readonly HighlightedElement[]> {
  if (wanted.length === 0) return [];
  const { elements, url } = await tab.answer(tab.looking.peek());
  const fields = fieldsOf(elements);
  const found: HighlightedElement[] = [];
  for (const one of wanted) {
    const same = exactly(fields, one);
    const called = same.length > 0 ? same : beginning(fields, one);
    const [field] = called;
    if (field && called.length === 1) found.push(field);
    else
      throw await unclear(
        tab,
        called.length > 0 ? called : likeliest(fields, one.label),
        called.length,
        one,
        url,
      );
  }
  // The answer tells them by their labels and indices.
  await adopt(
    tab,
    found.map(({ highlight_index }) => highlight_index),
  );
  return found;
}

function only(found: readonly HighlightedElement[], label: string): HighlightedElement {
  const [field] = found;
  if (field && found.length === 1) return field;
  throw failure(
    found.length,
    label,
    found.map(({ highlight_index }) => highlight_index),
  );
}

function failure(count: number, label: string, candidates: readonly unknown[]): ActionFailure {
  return new ActionFailure(
    count === 0 ? "element_not_found" : "invalid_params",
    count === 0 ? `There is no field "${label}".` : `${count} fields are called "${label}": name an index.`,
    { label, candidates },
  );
}

async function unclear(
  tab: Tab,
  fields: readonly HighlightedElement[],
  count: number,
  { label }: FieldQuery,
  url: string,
): Promise<ActionFailure> {
  await adopt(
    tab,
    fields.map(({ highlight_index }) => highlight_index),
  );
  const candidates = fields.map((field) => ({
    highlight_index: field.highlight_index,
    line: elementLine(field, url),
  }));
  return failure(count, label, candidates);
}

/** What can be filled, chosen or checked. */
function fieldsOf(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  return elements.filter(({ interactionType, type, role, attributes, labelText }) => {
    const { "aria-haspopup": opens = "" } = attributes;
    return (
      interactionType === "input" ||
      interactionType === "select" ||
      /^(checkbox|radio|file)$/.test(type) ||
      /^(switch|checkbox|radio|combobox|slider|spinbutton)$/.test(role ?? "") ||
      /^(listbox|dialog|grid|tree)$/.test(opens) ||
      // Of buttons with a menu only those that something names as it names fields.
      (/^(true|menu)$/.test(opens) && Boolean(labelText))
    );
  });
}

type Names = (element: HighlightedElement) => readonly (string | undefined)[];

/** By what they are called, the surest names first. */
const NAMES: readonly Names[] = [
  ({ labelText, ariaLabel }) => [labelText, ariaLabel],
  (element) => [nameOf(element)],
  ({ placeholder, attributes }) => [placeholder, attributes.name, attributes.id, attributes.title],
  // What stands beside it names it where nothing else does.
  ({ around }) => [around],
];

function exactly(fields: readonly HighlightedElement[], wanted: FieldQuery): readonly HighlightedElement[] {
  const label = normalizeLabel(wanted.label);
  for (const names of NAMES) {
    const called = fields.filter((field) =>
      names(field).some((name) => name !== undefined && normalizeLabel(name) === label),
    );
    if (called.length > 0) return fitting(called, wanted.value);
  }
  return [];
}

/** Labels may say more than their name: an example, that it has to be filled. */
function beginning(
  fields: readonly HighlightedElement[],
  { label, value }: FieldQuery,
): readonly HighlightedElement[] {
  const wanted = normalizeLabel(label);
  if (wanted === "") return [];
  const texts = (field: HighlightedElement): readonly string[] =>
    [field.labelText, field.ariaLabel, nameOf(field), field.around].map((name) => normalizeLabel(name ?? ""));
  const having = fields.filter((field) => texts(field).some((text) => ` ${text} `.includes(` ${wanted} `)));
  const meant = fitting(having, value);
  return meant.length === 1 &&
    !meant.some((field) => texts(field).some((text) => `${text} `.startsWith(`${wanted} `)))
    ? []
    : meant;
}

/** A text is nothing for one choice of several of that name, nor true or false for a line of text. */
function fitting(called: readonly HighlightedElement[], value: unknown): readonly HighlightedElement[] {
  if (called.length < 2 || value === undefined) return called;
  const fits = called.filter(({ type, role }) => {
    const checked = /^(checkbox|radio)$/.test(type) || /^(switch|checkbox|radio)$/.test(role ?? "");
    return checked === (typeof value === "boolean");
  });
  return fits.length === 1 ? fits : called;
}

function likeliest(fields: readonly HighlightedElement[], label: string): readonly HighlightedElement[] {
  return fields
    .map((field) => ({ field, score: similarity(label, nameOf(field)) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, TOLD)
    .map(({ field }) => field);
}

/** Words without signs and case, by which names are compared. */
export function normalizeLabel(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
