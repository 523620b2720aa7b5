/**
 * Finds elements that have appeared since a control was clicked, and the fields and buttons among them.
 * Elements that were visible before the click belong to the rest of the page, so they are neither clicked nor
 * typed into.
 */

import { CANCEL_LABEL, CONFIRM_LABEL } from "../confirm-and-cancel-labels.ts";
import { registry } from "../page-script-document-state.ts";
import { comparable, flatTreeElements, isSeen, isWithin } from "../shadow-dom.ts";
import { geometry } from "../world-bundle-modules-for-actions-bundle.ts";
import { boxOf, OPTION, textOf } from "./custom-list-options.ts";
import { widgetOf } from "./proxy-controls-of-hidden-fields.ts";

export type Search = HTMLInputElement | HTMLTextAreaElement;

/** Selector of dialogs, which a control may open. */
const DIALOG = "dialog,[role=dialog],[role=alertdialog]";
/** Selector of fields and lists that may appear when a table cell is edited. */
const EDITOR = "input,textarea,select,[role=combobox],[aria-haspopup]";
/** Selector of buttons, which may confirm or cancel a choice. */
const BUTTON = "button,[role=button],input[type=button],input[type=submit]";
let before = new WeakSet<Element>();

export const isNew = (element: Element): boolean => !before.has(element);

const isSearch = (element: Element | null | undefined): element is Search =>
  ((element instanceof HTMLInputElement && /^(text|search|email|tel|url|)$/.test(element.type)) ||
    element instanceof HTMLTextAreaElement) &&
  !element.readOnly &&
  !element.disabled;

/**
 * Returns the popup that contains a list: the outermost element around the list that appeared together with
 * it.
 */
const popupOf = (list: Element): Element => {
  let popup = list;
  let up = registry.parentOf(list);
  for (; up && up !== document.body && isNew(up); up = registry.parentOf(up)) popup = up;
  return popup;
};

/** Whether the element declares by `aria-controls` or `aria-owns` that it controls the list. */
const controls = (element: Element, list: Element): boolean =>
  list.id !== "" &&
  ["aria-controls", "aria-owns"].some((name) => element.getAttribute(name)?.split(/\s+/).includes(list.id));

/** Returns the text field of a control: the control itself, or the only text field in it. */
export const fieldOf = (control: Element): Search | undefined => {
  if (isSearch(control)) return control;
  const inner = flatTreeElements(control).filter(isSearch);
  return inner.length === 1 ? inner[0] : undefined;
};

/**
 * Records all visible elements before a control is clicked. Elements that become visible later count as new.
 */
export function mark(): void {
  before = new WeakSet(flatTreeElements(document).filter(isSeen));
}

/** Returns a visible dialog that did not exist or was invisible before the click. */
export function dialogOf(control: Element): Element | undefined {
  return flatTreeElements(document).find(
    (element) => element.matches(DIALOG) && isNew(element) && isSeen(element) && !isWithin(control, element),
  );
}

/** Returns the search field of a list, which is in the control or in the popup of the list. */
export function searchOf(control: Element, list: Element | undefined): Search | undefined {
  const own = fieldOf(control);
  if (own) return own;
  const popup = list && popupOf(list);
  const inner = popup && isNew(popup) ? flatTreeElements(popup).filter(isSearch).filter(isSeen) : [];
  // If the popup contains several fields, none counts as its search field. They may belong to a form that
  // opened together with the list.
  if (inner.length > 0) return inner.length === 1 ? inner[0] : undefined;
  const naming =
    list &&
    flatTreeElements(document)
      .filter(isSearch)
      .find((item) => controls(item, list));
  if (naming) return naming;
  const at = registry.focused();
  if (!isSearch(at)) return undefined;
  // The field with the focus counts as the list's search field in two cases: it has appeared since the click,
  // or it belongs to the control's component. Any other field belongs to the rest of the page.
  return isNew(at) || isWithin(control, widgetOf(at)) ? at : undefined;
}

/** Whether the focus is in the control, or in the list or dialog that the control has opened. */
export function hasFocus(control: Element): boolean {
  const at = registry.focused();
  if (!at) return false;
  return isNew(at) || isWithin(at, control) || isWithin(control, at) || isWithin(at, widgetOf(control));
}

/** Returns the field that has appeared in a table cell, or over it, to edit the cell's value. */
export function editorOf(cell: Element): Element | undefined {
  const { left, top, right, bottom } = cell.getBoundingClientRect();
  const isOverCell = (element: Element): boolean => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const [across, down] = [x + width / 2, y + height / 2];
    return across > left && across < right && down > top && down < bottom;
  };
  return flatTreeElements(document).find(
    (element) => element.matches(EDITOR) && isNew(element) && isSeen(element) && isOverCell(element),
  );
}

/**
 * Returns the button of the popup that confirms or cancels the choice. A button that is clipped away is only for
 * screen readers, such as "Dismiss" of React Aria: the pointer cannot reach it.
 */
export function buttonOf(control: Element, list: Element, way: "take" | "leave"): Element | undefined {
  const popup = popupOf(list);
  if ((popup === list && !list.matches(DIALOG)) || isWithin(control, popup)) return undefined;
  const words = way === "take" ? CONFIRM_LABEL : CANCEL_LABEL;
  return flatTreeElements(popup).find((element) => {
    if (
      !element.matches(BUTTON) ||
      !isSeen(element) ||
      geometry.isClipped(element) ||
      boxOf(element) !== undefined ||
      element.closest(OPTION)
    )
      return false;
    const name =
      element.getAttribute("aria-label") ?? (textOf(element) || (element.getAttribute("value") ?? ""));
    return words.test(comparable(name));
  });
}
