/**
 * Finds a field by the name of the group around it, or by the group and its own name: "Orders: No access". The field for
 * the date in a group with a date and a time, such as "Valid until", is found by the name of the group (Django's
 * administration, pretix).
 */
import { nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import { fieldsCalled, fieldsOf, normalizeLabel } from "./field-by-label.ts";
import { namesOfField } from "./field-names-in-groups.ts";

/**
 * A group such as "Valid until" may have two fields, one for a date and one for a time. States which of them is
 * meant.
 */
export type DatePart = "date" | "time";

/** Matches the name of a field for a time of day. */
const TIME_NAME = /\btime\b|\buhrzeit\b|\bheure\b|\bhora\b|\bora\b|\btijd\b/i;
/** Matches the sample of a time of day in an empty field, such as `18:00:00` and `hh:mm`. */
const TIME_SAMPLE = /^(?:\d{1,2}|hh?):(?:\d{2}|mm)/i;

/**
 * Returns the fields that a label means by the group around them. The label means one field if there is only one. Options
 * are never meant by the name of their group alone, because a click on one of them chooses it.
 *
 * @param groups the names of the groups around the fields, by the index of the field
 */
export function fieldsOfNamedGroup(
  elements: readonly HighlightedElement[],
  label: string,
  groups: ReadonlyMap<number, string>,
  part?: DatePart,
): readonly HighlightedElement[] {
  const fields = fieldsOf(elements);
  const wanted = normalizeLabel(label);
  const inGroup = fields.filter((field) => isGroupCalled(groups.get(field.highlight_index), wanted));
  if (inGroup.length === 0) {
    const own = fields.filter((field) => isCalledInGroup(field, groups.get(field.highlight_index), wanted));
    return own.length > 0 ? own : fieldsCalled(fields, { label }, groups);
  }
  const entered = inGroup.filter((field) => !isOption(field));
  const { true: times = [], false: others = [] } = Object.groupBy(entered, (one) => String(isForTime(one)));
  if (part !== undefined && times.length === 1 && others.length === 1)
    return part === "time" ? times : others;
  return entered.length === 1 && inGroup.length === 1 ? entered : inGroup;
}

/** Whether several fields of a group, or one option of it, are meant, so that the label names none of them certainly. */
export function isUnclearInGroup(found: readonly HighlightedElement[], label: string): boolean {
  const [only] = found;
  return only === undefined || found.length > 1 || (isOption(only) && !hasOwnName(only, label));
}

/** Whether a label contains the own name of an option, such as "No access" in "Orders: No access". */
const hasOwnName = (option: HighlightedElement, label: string): boolean =>
  ` ${normalizeLabel(label)} `.includes(` ${normalizeLabel(nameOf(option))} `);

const isGroupCalled = (group: string | undefined, wanted: string): boolean =>
  group !== undefined &&
  namesOfField({ name: "", label: "", group }).some((name) => name !== "" && normalizeLabel(name) === wanted);

/** Whether the name of the group and the own name of the field are the wanted words: "orders no access". */
const isCalledInGroup = (field: HighlightedElement, group: string | undefined, wanted: string): boolean =>
  group !== undefined &&
  namesOfField({ name: "", label: "", group }).some(
    (name) => normalizeLabel(`${name} ${nameOf(field)}`) === wanted,
  );

const isOption = ({ type, role }: HighlightedElement): boolean =>
  /^(?:checkbox|radio)$/.test(type) || /^(?:switch|checkbox|radio)$/.test(role ?? "");

const isForTime = (field: HighlightedElement): boolean =>
  field.type === "time" || TIME_NAME.test(nameOf(field)) || TIME_SAMPLE.test(field.placeholder ?? "");
