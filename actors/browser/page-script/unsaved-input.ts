/** Tracks what the user has typed and not submitted yet. Values that scripts set do not count. */
import { registry } from "./element-registry.ts";

export interface Typing {
  readonly field: Element;
  /**
   * The number that the page script assigned last before the typing began. Elements that were found later
   * have higher numbers.
   */
  readonly newestId: number;
}

export interface UnsavedInput {
  /** Records that the user has typed into a field. */
  add(element: Element): void;
  /**
   * Whether the page contains typed text that was not submitted. Any text in a form or in a shown dialog counts;
   * elsewhere, only a long text counts.
   */
  hasUnsaved(): boolean;
  /** Returns the fields into which the user has typed and which are still in the document. */
  fields(): readonly Element[];
  /**
   * Whether a press on the element takes the focus out of another field, into which the user has typed since
   * it received the focus. Many pages use the typed text only when the field loses the focus.
   */
  endsTypingElsewhere(element: Element): boolean;
  /** Returns the focused field, if the user has typed into it since it received the focus. */
  typing(): Typing | undefined;
}

/**
 * Maximum number of fields of which typed text is recorded. Beyond it, fields that are no longer in the
 * document are dropped.
 */
const MAX_FIELDS = 200;

/** Selector of dialogs, which often have fields and no form (Vuetify, Material UI). */
const DIALOG = "dialog,[role=dialog],[role=alertdialog]";
/** Selector of the elements that may hold typed text or a choice. */
const FIELD = "input,textarea,select,[contenteditable]";

const places = new Set<Element>();
const placeOf = (element: Element): Element | undefined => {
  const place = element.closest("form") ?? element.closest(DIALOG);
  if (place) return place;
  // Outside of forms and dialogs, unsaved input counts only in text areas and editable elements. A field of
  // one line there is usually a filter or a search.
  if (element instanceof HTMLTextAreaElement) return element;
  return element instanceof HTMLElement && element.isContentEditable ? element : undefined;
};
/**
 * Returns the fields of a form or dialog, or the given field itself. A dialog that is not shown has no
 * fields, because it was closed.
 */
const fieldsOf = (place: Element): readonly Element[] => {
  if (place instanceof HTMLFormElement)
    return [...place.elements, ...place.querySelectorAll("[contenteditable]")];
  if (!place.matches(DIALOG)) return [place];
  return place.checkVisibility() ? [...place.querySelectorAll(FIELD)] : [];
};
const typedFields = new Set<Element>();
const fields = (): readonly Element[] => {
  for (const field of typedFields) if (!field.isConnected) typedFields.delete(field);
  return [...typedFields];
};
const add = (element: Element): void => {
  typedFields.add(element);
  // `fields` also removes the recorded fields that are no longer in the document.
  if (typedFields.size > MAX_FIELDS) fields();
  const place = placeOf(element);
  if (place) places.add(place);
};
const on = (name: string, work: (target: Element) => void): void =>
  document.addEventListener(
    name,
    (event) => {
      const [target] = event.composedPath();
      if (event.isTrusted && target instanceof Element) work(target);
    },
    true,
  );
on("input", add);
on("change", add);
/** The focused field, if the user has typed into it since it received the focus. */
let typing: Typing | undefined;
on("input", (field) => {
  if (typing?.field !== field) typing = { field, newestId: registry.newestId() };
});
on("focusout", () => {
  typing = undefined;
});
on("submit", (form) => places.delete(form));
on("reset", (form) => places.delete(form));

const holds = (field: Element): boolean => {
  if (field instanceof HTMLInputElement) {
    if (/^(checkbox|radio)$/.test(field.type)) return field.checked !== field.defaultChecked;
    return (
      !/^(hidden|submit|button|reset|image)$/.test(field.type) &&
      field.value !== field.defaultValue &&
      field.value !== ""
    );
  }
  if (field instanceof HTMLTextAreaElement)
    return field.value !== field.defaultValue && field.value.trim() !== "";
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field instanceof HTMLElement && field.isContentEditable && field.textContent.trim() !== "";
};

export const unsavedInput: UnsavedInput = {
  add,
  fields,
  endsTypingElsewhere(element) {
    return typing?.field.isConnected === true && !element.contains(typing.field);
  },
  typing: () => typing,
  hasUnsaved() {
    for (const place of places) {
      if (!place.isConnected) places.delete(place);
      else if (fieldsOf(place).some(holds)) return true;
    }
    return false;
  },
};
