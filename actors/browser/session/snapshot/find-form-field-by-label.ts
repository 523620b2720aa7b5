/**
 * Finds the form field with a given label on the page. If no field or several fields fit, the error lists the
 * most similar fields.
 */

import { similarity } from "../../../../machines/session/controls/candidates-for-stale-index.ts";
import {
  type FieldQuery,
  fieldsCalled,
  fieldsOf,
  isOwnName,
} from "../../../../machines/session/controls/field-by-label.ts";
import { withWholeDates } from "../../../../machines/session/page/date-fields-of-several-parts.ts";
import { elementLine, nameOf } from "../../../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { ActionFailure } from "../action-error.ts";
import { type Target, targetOf } from "../actions/clickable-point.ts";
import type { Tab } from "../tabs/browser-tab.ts";
import { acceptElements } from "./page-change-tracker.ts";

/** Maximum number of similar fields in the error when no field matches. */
const MAX_CANDIDATES = 8;

/** Returns the field with this label on the current page. */
export async function labelledField(tab: Tab, label: string): Promise<Target> {
  const { elements } = await tab.answer(tab.snapshots.take());
  const fields = fieldsOf(elements);
  const groups = await groupsFor(tab, fields, [{ label }]);
  const found = fieldsNamed(elements, { label }, groups);
  return await targetOf(tab, singleField(found, label).highlight_index);
}

/** Returns the field that each query describes, in the order of the queries. No field is changed. */
export async function labelledFields(
  tab: Tab,
  wanted: readonly FieldQuery[],
): Promise<readonly HighlightedElement[]> {
  if (wanted.length === 0) return [];
  const { elements, url } = await tab.answer(tab.snapshots.peek());
  const fields = fieldsOf(elements);
  const groups = await groupsFor(tab, fields, wanted);
  const found: HighlightedElement[] = [];
  for (const query of wanted) {
    const matches = fieldsNamed(elements, query, groups);
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
  // The result of the action contains the labels and indices of these fields, so the caller has seen the
  // fields.
  await acceptElements(
    tab,
    found.map(({ highlight_index }) => highlight_index),
  );
  return found;
}

/** Returns the fields that a query describes. A date field with several parts is one field, unless a part is named. */
function fieldsNamed(
  elements: readonly HighlightedElement[],
  query: FieldQuery,
  groups: ReadonlyMap<number, string>,
): readonly HighlightedElement[] {
  const whole = fieldsCalled(fieldsOf(withWholeDates(elements)), query, groups);
  return whole.length === 1 ? whole : fieldsCalled(fieldsOf(elements), query, groups);
}

/**
 * Returns the names of the groups around fields, by the index of the field. They are read from the page only
 * if they are needed: if a label is not the exact name of a single field.
 */
export async function groupsFor(
  tab: Tab,
  fields: readonly HighlightedElement[],
  wanted: readonly FieldQuery[],
): Promise<ReadonlyMap<number, string>> {
  const groups = new Map<number, string>();
  if (wanted.every((query) => isOwnName(fields, query))) return groups;
  const { frames, snapshots } = tab;
  const located = fields.flatMap(({ highlight_index: index }) => {
    const location = snapshots.locationOf(index);
    return location ? [{ index, ...location }] : [];
  });
  for (const [frameId, own] of Map.groupBy(located, (one) => one.frameId)) {
    const frame = frames.get(frameId);
    if (!frame) continue;
    const ids = own.map(({ id }) => id);
    const names = await tab.answer(frames.call(frame, "formSubmission", "groupsOf", ids));
    for (const [at, name] of names.entries()) {
      const index = own[at]?.index;
      if (name && index !== undefined) groups.set(index, name);
    }
  }
  return groups;
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

function bestMatches(fields: readonly HighlightedElement[], label: string): readonly HighlightedElement[] {
  return fields
    .map((field) => ({ field, score: similarity(label, nameOf(field)) }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ field }) => field);
}
