/**
 * Records which invalid fields make the browser refuse to send a form while an action runs. The browser shows
 * the reason only in a bubble beside the first field. This bubble is no part of the page, so a snapshot
 * cannot contain it.
 */
import { shorten } from "../shadow-dom.ts";
import { describer } from "../snapshot/describe-element.ts";

/** A field whose value keeps the browser from sending its form. */
export interface InvalidField {
  readonly label: string;
  /** The browser's validation message. */
  readonly message: string;
}

/** Maximum number of invalid fields that are reported. */
const MAX_FIELDS = 10;
/** Maximum number of characters of a field's label and of its message. */
const MAX_LENGTH = 100;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

let invalid = new Set<Field>();
let isSubmitted = false;
/**
 * The documents and shadow trees to which this file has added its listeners. Each shadow tree needs its own
 * listeners, because form events do not leave it.
 */
const listening = new WeakSet<Node>();

/**
 * Clears the recorded form events, and records the next `invalid` and `submit` events of the element's
 * document or shadow tree.
 */
export function begin(element: Element): void {
  invalid = new Set();
  isSubmitted = false;
  const root = element.getRootNode();
  if (listening.has(root)) return;
  listening.add(root);
  root.addEventListener("invalid", ({ target }) => isField(target) && invalid.add(target), true);
  root.addEventListener("submit", () => (isSubmitted = true), true);
}

/**
 * Returns the invalid fields that made the browser refuse to send the form of a submit button. The list is
 * empty for other elements. It is also empty if the form was sent, or if a script only checked the fields.
 */
export function fieldsRefusedFor(element: Element | undefined): readonly InvalidField[] {
  const isButton = element instanceof HTMLButtonElement || element instanceof HTMLInputElement;
  if (!isButton || !/^(submit|image)$/.test(element.type) || isSubmitted) return [];
  const { form } = element;
  if (!form || form.noValidate || element.formNoValidate) return [];
  return [...invalid]
    .filter((field) => field.form === form && !field.validity.valid)
    .slice(0, MAX_FIELDS)
    .map((field) => {
      const [label] = describer.labelsOf(field);
      const name = label ? describer.wordsOf(label) : (field.getAttribute("aria-label") ?? field.name);
      return { label: shorten(name, MAX_LENGTH), message: shorten(field.validationMessage, MAX_LENGTH) };
    });
}
