/**
 * In the page: whether a form holds what somebody typed and has not sent.
 *
 * Only what is typed counts, not what scripts fill in. Sent as its own source. Neighbours: `fields.ts` notes what it
 * sets, `keeping.ts` asks.
 */
export interface UnsavedInput {
  /** Somebody wrote in it. */
  add(element: Element): void;
  /** Forms, and long texts outside of any, that were written in and neither sent nor emptied. */
  hasUnsaved(): boolean;
  /** Fields that somebody wrote in, as far as they are still there. */
  fields(): readonly Element[];
}

const places = new Set<Element>();
const placeOf = (element: Element): Element | undefined => {
  const form = element.closest("form");
  if (form) return form;
  // A lone field is a filter or a search more often than not.
  if (element instanceof HTMLTextAreaElement) return element;
  return element instanceof HTMLElement && element.isContentEditable ? element : undefined;
};
const fields = new Set<Element>();
const written = (): readonly Element[] => {
  for (const one of fields) if (!one.isConnected) fields.delete(one);
  return [...fields];
};
const note = (element: Element): void => {
  fields.add(element);
  // What is gone is not to be kept for it.
  if (fields.size > 200) written();
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
on("input", note);
on("change", note);
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
  add: note,
  fields: written,
  hasUnsaved() {
    for (const draft of places) {
      if (!draft.isConnected) places.delete(draft);
      else if (!(draft instanceof HTMLFormElement)) {
        if (holds(draft)) return true;
      } else if ([...draft.elements, ...draft.querySelectorAll("[contenteditable]")].some(holds)) return true;
    }
    return false;
  },
};
