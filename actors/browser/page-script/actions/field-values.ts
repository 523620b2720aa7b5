/** Reads and sets the values of fields: dates, colours, sliders, selects. */

import { hasNativePicker } from "../../../../machines/session/controls/inputs-with-native-picker.ts";
import type { Obstacle } from "../actionability/same-element-check.ts";
import { identity } from "../actionability/same-element-check.ts";
import { unsavedInput } from "../page-script-document-state.ts";
import { collapseSpaces, dispatchInput } from "../shadow-dom.ts";
import * as drawnEditors from "../snapshot/code-editors-and-terminals.ts";

/**
 * The arrow key that moves a slider by its last step. Many pages use a new value only after a key or the
 * pointer is released. So the slider is first set to a value one step before the wanted one, and then this
 * key is pressed.
 */
export type LastKey = "ArrowUp" | "ArrowDown";

export interface FieldValues {
  /**
   * Sets a field into which a user does not type: a date, colour or slider. When `direct` is false, a slider
   * is set one step before its final value, and the caller presses the returned key for the last step.
   */
  set(id: number, text: string, direct: boolean): Obstacle | "not_settable" | LastKey | undefined;
  /**
   * Returns the form field of an element: the field of a label, or the only field inside another element.
   * Returns `undefined` when the element is itself a field.
   */
  innerField(id: number): number | undefined;
  /** Returns the hidden field that receives the keys for an editor which draws its text. */
  keyField(id: number): number | undefined;
  /** Returns the text that an editor or a terminal draws as its content. */
  drawnText(id: number): string;
  /**
   * Records the text that the page draws for an editor, so that actions still recognise the element.
   * Otherwise the text that the caller typed would count as a change of the element.
   */
  acceptText(id: number): void;
  /**
   * Records the present texts of a slider and around it, so that actions still recognise the slider. Must be
   * called after `set` has moved the slider, before its last step. Frameworks such as Lit and Vue draw the
   * new value a moment after `set`, also in the slider's name.
   */
  acceptSurroundings(id: number): void;
  /**
   * Whether a field contains a text: as its complete value if `exactly` is true, or else anywhere in its
   * value. Changes by the page's formatting are ignored, but not a missing minus sign. If the field contains the text, its present value is
   * recorded as known to the caller.
   */
  holds(id: number, text: string, exactly: boolean): boolean;
  /**
   * Selects options of a native select. Returns the selected options. When a wanted option does not exist,
   * returns only the available options.
   */
  select(
    id: number,
    wanted: readonly string[],
  ): Obstacle | { readonly selected?: readonly ChosenOption[]; readonly options: readonly string[] };
  options(id: number): readonly ChosenOption[];
}

export interface ChosenOption {
  readonly label: string;
  readonly value: string;
}

/** Selector of elements that have a value: form fields and sliders. */
const VALUE_FIELD = "input,textarea,select,[role=slider]";
/** Selector of fields into which text is typed. */
const TEXT_FIELD =
  "input:read-write:not([type=checkbox],[type=radio],[type=file],[type=button],[type=submit]),textarea:read-write,[contenteditable=true]";

/**
 * Selector of the element in which an editor draws its placeholder as part of the edited text: the class
 * `cm-placeholder` of CodeMirror, the attribute `data-slate-placeholder` of Slate.
 */
const DRAWN_PLACEHOLDER =
  '[contenteditable=false]:is([class*="placeholder" i],[data-placeholder],[data-slate-placeholder])';

/**
 * Whether clicks go through the element to the editor below it. This is so for a placeholder that an editor
 * draws. A field in the text of a template, such as `{name}` in CKEditor, also has a class `placeholder`, but
 * receives clicks itself.
 */
const isClickedThrough = (element: Element): boolean => getComputedStyle(element).pointerEvents === "none";

/**
 * Returns the rendered text of an editor, without the placeholder that the editor draws while it is empty.
 */
function textWithoutPlaceholder(editor: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
  const text = editor.innerText;
  const placeholder = editor.querySelector<HTMLElement>(DRAWN_PLACEHOLDER);
  // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
  return placeholder && isClickedThrough(placeholder) ? text.replace(placeholder.innerText, "") : text;
}

/** Matches the text of a negative number. */
const NEGATIVE_NUMBER = /^\s*[-−][\s\p{Sc}]*[\d.,\s]+$/u;
/** Matches a value that a field shows as negative: with a minus sign, or in parentheses as in accounting. */
const NEGATIVE_VALUE = /[-−]|^\s*\(.*\)\s*$/;

function labelOf(option: HTMLOptionElement): string {
  return collapseSpaces(option.label);
}

const optionOf = (option: HTMLOptionElement): ChosenOption => ({
  label: labelOf(option),
  value: option.value,
});

function dispatchTyped(element: Element): void {
  unsavedInput.add(element);
  dispatchInput(element);
}

const keyFieldOf = (element: Element): HTMLElement | undefined =>
  getComputedStyle(element).cursor === "text" ? drawnEditors.keyFieldOf(element) : undefined;

const oneShort = (slider: HTMLInputElement, text: string): LastKey | undefined => {
  const { value, step } = slider;
  if (step === "any" || Number(value) !== Number(text)) return undefined;
  slider.stepDown();
  if (slider.value !== value) return "ArrowUp";
  slider.stepUp();
  return slider.value === value ? undefined : "ArrowDown";
};

export const fieldValues: FieldValues = {
  set(id, text, direct) {
    const element = identity.find(id);
    if (!element) return { problem: "gone" };
    if (!(element instanceof HTMLInputElement) || !hasNativePicker(element.type)) return "not_settable";
    const other = identity.obstacle(element, id);
    if (other) return other;
    if (identity.isDisabled(element)) return { problem: "disabled" };
    if (element.readOnly) return { problem: "read_only" };
    element.focus({ preventScroll: true });
    element.value = text;
    const key = direct || element.type !== "range" ? undefined : oneShort(element, text);
    dispatchTyped(element);
    if (key) identity.acceptSurroundings(element, id);
    return key;
  },

  innerField(id) {
    const element = identity.find(id);
    if (!element || element.matches(VALUE_FIELD) || identity.obstacle(element, id)) return undefined;
    if (element instanceof HTMLElement && element.isContentEditable) return undefined;
    if (keyFieldOf(element)) return undefined;
    const control = element instanceof HTMLLabelElement ? element.control : null;
    const inner = [element, element.shadowRoot].flatMap((root) => [
      ...(root?.querySelectorAll(TEXT_FIELD) ?? []),
    ]);
    const seen = control?.matches(TEXT_FIELD)
      ? [control]
      : inner.filter((element) => element.checkVisibility());
    const [only] = seen;
    return only && seen.length === 1 ? identity.identify(only) : undefined;
  },

  keyField(id) {
    const element = identity.find(id);
    if (!element || element.matches(VALUE_FIELD)) return undefined;
    if (element instanceof HTMLElement && element.isContentEditable) return undefined;
    const keyElement = keyFieldOf(element);
    return keyElement && identity.identify(keyElement);
  },

  acceptText(id) {
    const element = identity.find(id);
    if (element) identity.acceptText(element, id);
  },

  acceptSurroundings(id) {
    const element = identity.find(id);
    if (element) identity.acceptSurroundings(element, id);
  },

  drawnText(id) {
    const element = identity.find(id);
    // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
    return element instanceof HTMLElement ? element.innerText.trim() : "";
  },

  holds(id, text, exactly) {
    const element = identity.find(id);
    const plain = (value: string): string => value.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
    const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const value = field
      ? element.value
      : element instanceof HTMLElement
        ? textWithoutPlaceholder(element)
        : "";
    const is =
      exactly && text === ""
        ? value.trim() === ""
        : value.includes(text) ||
          ((!NEGATIVE_NUMBER.test(text) || NEGATIVE_VALUE.test(value)) &&
            (exactly ? plain(value) === plain(text) : plain(value).includes(plain(text))));
    if (is && element && !field) identity.acceptText(element, id);
    return is;
  },

  select(id, wanted) {
    const element = identity.find(id);
    if (!(element instanceof HTMLSelectElement)) return { problem: "gone" };
    const other = identity.obstacle(element, id);
    if (other) return other;
    if (identity.isDisabled(element)) return { problem: "disabled" };
    const open = [...element.options].filter((option) => !option.matches(":disabled"));
    const find = (text: string): HTMLOptionElement | undefined => {
      const lower = text.trim().toLowerCase();
      return (
        open.find((option) => labelOf(option) === text || option.value === text) ??
        open.find((option) => labelOf(option).toLowerCase() === lower || option.value.toLowerCase() === lower)
      );
    };
    const found = wanted.flatMap((text) => find(text) ?? []);
    const options = open.map(labelOf);
    if (found.length < wanted.length || (!element.multiple && wanted.length > 1)) return { options };
    for (const option of element.options) {
      if (element.multiple || found.includes(option)) option.selected = found.includes(option);
    }
    dispatchTyped(element);
    return { selected: [...element.selectedOptions].map(optionOf), options };
  },

  options(id) {
    const element = identity.find(id);
    return element instanceof HTMLSelectElement ? [...element.options].map(optionOf) : [];
  },
};
