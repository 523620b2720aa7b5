/**
 * Reads the values and states of elements, such as value, checked, selected and options. The value of a
 * password field is never reported.
 */

import { registry } from "../page-script-document-state.ts";
import type { RawElement } from "./raw-frame-snapshot.ts";

export type ElementState = Pick<
  RawElement,
  "value" | "valueLabel" | "options" | "checked" | "mixed" | "selected"
>;

/** Maximum number of characters of a field's value in a snapshot. */
const MAX_VALUE_LENGTH = 200;
/** Maximum number of options of a select that a snapshot contains. */
const MAX_OPTIONS = 30;
/** Maximum number of characters of an option's label in a snapshot. */
const MAX_OPTION_LENGTH = 60;
/** Matches roles of elements that have a numeric value (`aria-valuenow`), such as sliders. */
const RANGE_ROLES = /^(slider|spinbutton|scrollbar|progressbar|meter)$/;

const ofInput = (element: HTMLInputElement): ElementState => {
  const { type, checked, indeterminate, value } = element;
  if (type === "checkbox" || type === "radio") return { checked, ...(indeterminate ? { mixed: true } : {}) };
  return registry.isSecret(element) ? {} : { value: value.slice(0, MAX_VALUE_LENGTH) };
};

const ofSelect = (element: HTMLSelectElement): ElementState => {
  const chosen = [...element.selectedOptions];
  const joined = (texts: readonly string[]): string => texts.join(", ").slice(0, MAX_VALUE_LENGTH);
  const options = [...element.options]
    .slice(0, MAX_OPTIONS)
    .map(({ label }) => label.trim().slice(0, MAX_OPTION_LENGTH));
  return {
    value: joined(chosen.map(({ value }) => value)),
    valueLabel: joined(chosen.map(({ label }) => label.trim())),
    options,
  };
};

/** Returns the value of an ARIA slider, meter or progress bar. */
const rangeValue = (element: Element): string | undefined => {
  if (!RANGE_ROLES.test(element.getAttribute("role") ?? "")) return undefined;
  return element.getAttribute("aria-valuetext") || element.getAttribute("aria-valuenow") || undefined;
};

/**
 * Returns the value and the states of an element.
 *
 * @param written text inside the element that is its value, as in an editable element
 */
export function of(element: Element, written: string | undefined): ElementState {
  if (element instanceof HTMLInputElement) return ofInput(element);
  if (element instanceof HTMLTextAreaElement) return { value: element.value.slice(0, MAX_VALUE_LENGTH) };
  if (element instanceof HTMLSelectElement) return ofSelect(element);
  const checked = element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
  const selected = element.getAttribute("aria-selected");
  const value = rangeValue(element) ?? written;
  return {
    ...(value === undefined ? {} : { value: value.slice(0, MAX_VALUE_LENGTH) }),
    ...(checked === "mixed" ? { mixed: true } : {}),
    ...(checked === null || checked === "mixed" ? {} : { checked: checked === "true" }),
    ...(selected === null ? {} : { selected: selected === "true" }),
  };
}

/**
 * Returns the value of a control as a text for comparison. The text may contain values that are never
 * reported, such as passwords.
 */
export function comparableValue(element: Element): string {
  if (element instanceof HTMLInputElement)
    return `${element.checked}${element.indeterminate}${element.value}`;
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (!(element instanceof HTMLSelectElement)) return "";
  return [...element.selectedOptions].map(({ index }) => index).join();
}
