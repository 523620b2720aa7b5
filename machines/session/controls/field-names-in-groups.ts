/**
 * The names of form fields in named groups, such as a `<fieldset>` with a `<legend>`. Maps and live sessions use the
 * same rules, so a label finds the same field in both.
 */
import { isYesOrNo } from "./values-that-tick-checkbox.ts";

/** An element around a field. `legend`, `label` and `ariaName` return the texts that name this element, if any. */
export interface AroundField {
  readonly tag: string;
  readonly role: string;
  readonly legend: () => string | undefined;
  /** Text of the `<label>` whose `for` refers to the element, as in forms of Django with several languages. */
  readonly label: () => string | undefined;
  /** Name by `aria-label` or `aria-labelledby`. */
  readonly ariaName: () => string;
}

/**
 * Returns the name of the nearest named group around a field; `undefined` if there is none in its form. A group is a
 * `<fieldset>` with a `<legend>`, an element with the role `group` or `radiogroup`, or an element to which the `for`
 * of a label refers.
 *
 * @param around the elements around the field, the innermost first
 */
export function nameOfGroup(around: Iterable<AroundField>): string | undefined {
  for (const { tag, role, legend, label, ariaName } of around) {
    if (tag === "form") return undefined;
    const isGroup = role === "group" || role === "radiogroup";
    const name = (tag === "fieldset" ? legend() : undefined) ?? label() ?? (isGroup ? ariaName() : "");
    if (name !== "") return name;
  }
  return undefined;
}

/** A form field, with the texts by which a person may name it. */
export interface NamedField {
  /** The HTML `name`, which the radio buttons of one choice share. */
  readonly name: string;
  readonly label: string;
  /** Name of the group around the field. */
  readonly group?: string | undefined;
  /** The HTML type of the field, such as `checkbox`. */
  readonly type?: string | undefined;
}

/**
 * Whether a value that the caller gave for a group of fields is not for this checkbox of the group. A map may know
 * only the checkbox "Set to null" of the group "Audience", because the list beside it is disabled or drawn by a
 * script (Keystone). The value "Everyone" for "Audience" then does not set the checkbox.
 *
 * @param name the name of the value, in lower case
 */
export function isForRestOfGroup(field: NamedField, name: string, value: unknown): boolean {
  if (field.type !== "checkbox" || typeof value !== "string" || isYesOrNo(value)) return false;
  const own = namesOfField({ name: field.name, label: field.label });
  return !own.includes(name) && !own.includes(value.trim().toLowerCase());
}

/**
 * Makes the names of a field unique in its form. The name of the group is added to the label if another field
 * has the same label. The field's `group` is removed if another field is in a group of this name.
 */
export function withUniqueNames<Field extends NamedField>(
  { group, ...field }: Field,
  all: readonly NamedField[],
): Omit<Field, "group"> & { readonly group?: string } {
  if (group === undefined) return field;
  const isShared = all.some(({ name, label }) => name !== field.name && label === field.label);
  const isOwn = !all.some((other) => other.name !== field.name && other.group === group);
  const label = isShared ? `${withoutColon(group)}: ${field.label}` : field.label;
  return { ...field, label, ...(isOwn ? { group } : {}) };
}

/**
 * Matches words at the end of a label that only say whether a value is required, such as "Name Optional"
 * (pretalx) and "Email (required)" (WordPress).
 */
const MARK = /\s*[([]?\b(?:optional|required)\b[)\]]?$/i;

/**
 * Returns the names by which a field may be named, in lower case: its name, its label and its group. The
 * label also counts without a colon or a mark such as "(required)" at its end.
 */
export function namesOfField({ name, label, group }: NamedField): readonly string[] {
  const texts = [label, ...(group === undefined ? [] : [group])];
  const names = texts.flatMap((text) => [text, withoutColon(text), withoutColon(text).replace(MARK, "")]);
  return [name, ...names].filter((text) => text !== "").map((text) => text.toLowerCase());
}

/**
 * Matches an HTML name with a prefix for its form or object: "member__email" and "Configuration-name" (Django, as in
 * byro), "user[email]" (Rails). It captures the name without the prefix, such as "email".
 */
const PREFIXED = /^.+(?:__|[-.]|\[)([a-z]\w*)\]?$/iu;

/** Returns the words of an HTML name, in lower case: "tenant id" for `tenantId` (Camunda) and `tenant_id` (Django). */
const wordsOfName = (name: string): string =>
  name
    .replace(/(?<=\p{Ll}|\d)(?=\p{Lu})/gu, " ")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();

/**
 * Returns the names by which a caller may name each field of a form: the names from `namesOfField`, the words of the
 * HTML name, and the HTML name without its prefix. The two last names count only if no other field has them.
 */
export function namesOfFields<Field extends NamedField>(
  fields: readonly Field[],
): ReadonlyMap<Field, readonly string[]> {
  const full = fields.map((field) => [field, namesOfField(field)] as const);
  const extraOf = ({ name }: Field): readonly string[] => {
    const bare = PREFIXED.exec(name)?.[1]?.toLowerCase();
    return [wordsOfName(name), ...(bare === undefined ? [] : [bare])];
  };
  const isTaken = (extra: string, { name }: Field): boolean =>
    full.some(
      ([other, names]) => other.name !== name && (names.includes(extra) || extraOf(other).includes(extra)),
    );
  return new Map(
    full.map(([field, names]) => {
      const extra = extraOf(field).filter((one) => !names.includes(one) && !isTaken(one, field));
      return [field, [...names, ...extra]];
    }),
  );
}

/** Returns a label without the colon or asterisk at its end: "Summary:" and "Summary *" become "Summary". */
export function withoutColon(label: string): string {
  return label.replace(/[\s:：*]+$/, "") || label;
}

/**
 * Minimum and maximum number of letters of an abbreviation: "Val" and "Desc", but not "Count", which is no
 * abbreviation of "country".
 */
const ABBREVIATION = { least: 3, most: 4 } as const;

/**
 * Whether `text` is `whole` with at least one word abbreviated: "Val" for "value" (Airflow), "Addr." for "address".
 */
function abbreviates(text: string, whole: string): boolean {
  const [short, long] = [text, whole].map((one) => one.split(/\s+/).map((word) => word.replace(/\.$/, "")));
  if (!short || !long || short.length !== long.length || short.join(" ") === long.join(" ")) return false;
  return short.every((word, at) => {
    const other = long[at] ?? "";
    const isShort = word.length >= ABBREVIATION.least && word.length <= ABBREVIATION.most;
    return word === other || (isShort && other.length > word.length && other.startsWith(word));
  });
}

/**
 * Maps names to the fields whose own names abbreviate them: "value" to the field "Val". A name is left out if a field
 * has exactly this name, if not exactly one field fits, or if the field also fits another of the names.
 *
 * @param names names in lower case
 */
export function fieldsAbbreviating<Field extends NamedField>(
  fields: readonly Field[],
  names: Iterable<string>,
): ReadonlyMap<string, Field> {
  const known = namesOfFields(fields);
  const all = new Set([...known.values()].flat());
  const given = [...names];
  const found = given.flatMap((name) => {
    if (all.has(name)) return [];
    const fitting = [...known].filter(([, own]) => own.some((text) => abbreviates(text, name)));
    const [field, own = []] = fitting[0] ?? [];
    const isTaken = own.some((text) => given.includes(text));
    return field && fitting.length === 1 && !isTaken ? [[name, field] as const] : [];
  });
  return new Map(found.filter(([, field]) => found.filter(([, other]) => other === field).length === 1));
}
