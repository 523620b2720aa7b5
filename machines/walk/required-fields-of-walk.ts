/**
 * Finds the required fields that are empty before a walk (the execution of a route) presses a button of their
 * form. They get the values that the caller gave; a walk never invents values.
 */

import { namesSecret } from "../inspection/names-of-secret-fields.ts";
import { sampleValue } from "../session/controls/sample-field-values.ts";
import { nameOf } from "../session/page/element-line.ts";
import { formPath } from "../session/page/form-of-element.ts";
import type { HighlightedElement } from "../session/page/page-snapshot.ts";
import { isClosing } from "./control-that-closes-layer.ts";
import type { NeededField } from "./walk-schemas.ts";

/** An element of a form with the value for the action `fill_form`. */
type Entry = { readonly index: number; readonly value: string | number | boolean };

export interface FormEntries {
  readonly entries: readonly Entry[];
  /** Required fields for which the caller gave no value. */
  readonly missing: readonly NeededField[];
}

/**
 * Types of fields into which a walk (an executed route) never enters a value. Fields whose name indicates a
 * secret are excluded too, by `isTaken`.
 */
const NOT_TAKEN: ReadonlySet<string> = new Set(["password", "file"]);
const NOT_TYPED: ReadonlySet<string> = new Set(["checkbox", "radio", "select", "select-one", ...NOT_TAKEN]);

/**
 * Returns the values to enter into required fields before a button is pressed. The result is empty if the
 * button submits no form.
 *
 * @param given the caller's values, by the lower-case name or label of their field
 */
export function formEntries(
  button: HighlightedElement,
  elements: readonly HighlightedElement[],
  given: ReadonlyMap<string, unknown>,
): FormEntries {
  const form = formPath(button);
  if (form === undefined || !submits(button)) return { entries: [], missing: [] };
  const required = elements.filter(
    (field) => field.required && !field.disabled && formPath(field) === form && isEmpty(field, elements),
  );
  const entries: Entry[] = [];
  const missing = new Map<string, NeededField>();
  for (const field of required) {
    const needed = describe(field, elements);
    const value = isTaken(needed) ? valueFor(needed, given) : undefined;
    const isChoice = field.type === "radio" && value !== undefined;
    const isOffered = !isChoice || groupOf(field, elements).some((one) => isOption(one, value));
    if (value === undefined || !isOffered) missing.set(needed.name, needed);
    else if (field.type !== "radio") entries.push({ index: field.highlight_index, value });
    else if (isOption(field, value)) entries.push({ index: field.highlight_index, value: true });
  }
  return { entries, missing: [...missing.values()] };
}

function submits(button: HighlightedElement): boolean {
  const { interactionType, type, attributes } = button;
  if (attributes.formnovalidate !== undefined || isClosing(nameOf(button))) return false;
  return interactionType === "submit" || type === "submit";
}

function isEmpty(field: HighlightedElement, elements: readonly HighlightedElement[]): boolean {
  if (field.type === "radio") return !groupOf(field, elements).some(({ checked }) => checked);
  return field.type === "checkbox" ? !field.checked : (field.value ?? "") === "";
}

/** Returns the radio buttons of the group to which a radio button belongs. */
function groupOf(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  return elements.filter(
    (one) =>
      one.type === "radio" &&
      one.attributes.name === field.attributes.name &&
      formPath(one) === formPath(field),
  );
}

function describe(field: HighlightedElement, elements: readonly HighlightedElement[]): NeededField {
  const { attributes, type } = field;
  const options =
    type === "radio" ? groupOf(field, elements).map(nameOf) : field.options?.filter((one) => one !== "");
  const label = nameOf(field);
  return {
    name: attributes.name || attributes.id || label,
    label,
    type,
    ...(options && options.length > 0 ? { options } : {}),
    ...(attributes.pattern === undefined ? {} : { pattern: attributes.pattern }),
    ...(NOT_TYPED.has(type) || options ? {} : { example: sampleValue(type) }),
  };
}

/**
 * Whether a walk (the execution of a route) may enter a value into this field. Fields for secrets are excluded by
 * their type or name, because the values of a walk are stored in clear text.
 */
function isTaken({ type, name, label }: NeededField): boolean {
  return !NOT_TAKEN.has(type) && ![name, label].every((key) => key === "" || namesSecret(key));
}

function valueFor(
  { name, label }: NeededField,
  given: ReadonlyMap<string, unknown>,
): Entry["value"] | undefined {
  const plain = label.replace(/\s*[*:]+\s*$/, "");
  const value = [name, label, plain]
    .map((key) => given.get(key.toLowerCase()))
    .find((one) => one !== undefined);
  const isValue = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isValue && value !== "" ? value : undefined;
}

function isOption(radio: HighlightedElement, value: Entry["value"]): boolean {
  const wanted = String(value).toLowerCase();
  return nameOf(radio).toLowerCase() === wanted || radio.value?.toLowerCase() === wanted;
}

/** Returns a sentence that names the values which a step needs. */
export function missingText(step: string, missing: readonly NeededField[]): string {
  const named = missing.map(({ name, label }) => (label === name ? name : `${name} (${label})`)).join(", ");
  const untaken = missing.some((field) => !isTaken(field))
    ? " Passwords, other secrets and files are entered in the session before the walk."
    : "";
  return `The step ${step} needs values in context.parameters: ${named}.${untaken}`;
}
