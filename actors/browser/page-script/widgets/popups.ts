/**
 * In the page: what came into sight since a control was clicked, and what in it is operated beside its options.
 *
 * What was there before is the rest of the page: nothing is typed into it and none of it pressed for the sake of a
 * list. Sent as its own source. Neighbours: `lists.ts` finds the list in it, `options.ts` what is to be chosen.
 */

import { CANCEL_LABEL, CONFIRM_LABEL } from "../button-words.ts";
import { registry } from "../document-state.ts";
import { comparable, flatTreeElements, isSeen, isWithin } from "../dom.ts";
import { widgetOf } from "./input-proxies.ts";
import { listOptions } from "./list-options.ts";

export type Search = HTMLInputElement | HTMLTextAreaElement;

export interface Popups {
  /** From now on it is known what comes. */
  mark(): void;
  isNew(element: Element): boolean;
  /** All that came with a list. */
  popupOf(list: Element): Element;
  /** The field that is the control, or the only one in it. */
  fieldOf(control: Element): Search | undefined;
  /** A dialog that came, whatever is in it. */
  dialogOf(control: Element): Element | undefined;
  /** What searches a list: a field of the control, or of what came with the list. */
  searchOf(control: Element, list: Element | undefined): Search | undefined;
  /** Whether keys go to the control, or to what it opened. */
  hasFocus(control: Element): boolean;
  /** What a cell is edited by since it was opened: in it, or drawn over it. */
  editorOf(cell: Element): Element | undefined;
  /** The button that takes what is chosen in a list, or leaves it. */
  buttonOf(control: Element, list: Element, way: "take" | "leave"): Element | undefined;
}

const { textOf, boxOf, OPTION } = listOptions;

const DIALOG = "dialog,[role=dialog],[role=alertdialog]";
const EDITOR = "input,textarea,select,[role=combobox],[aria-haspopup]";
const BUTTON = "button,[role=button],input[type=button],input[type=submit]";
let before = new WeakSet<Element>();

const isNew = (element: Element): boolean => !before.has(element);

const isSearch = (element: Element | null | undefined): element is Search =>
  ((element instanceof HTMLInputElement && /^(text|search|email|tel|url|)$/.test(element.type)) ||
    element instanceof HTMLTextAreaElement) &&
  !element.readOnly &&
  !element.disabled;

const around = (list: Element): Element => {
  let popup = list;
  let up = registry.parentOf(list);
  for (; up && up !== document.body && isNew(up); up = registry.parentOf(up)) popup = up;
  return popup;
};

/** A field that says itself which list it searches. */
const controls = (one: Element, list: Element): boolean =>
  list.id !== "" &&
  ["aria-controls", "aria-owns"].some((name) => one.getAttribute(name)?.split(/\s+/).includes(list.id));

const fieldOf = (control: Element): Search | undefined => {
  if (isSearch(control)) return control;
  const inner = flatTreeElements(control).filter(isSearch);
  return inner.length === 1 ? inner[0] : undefined;
};

export const popups: Popups = {
  mark() {
    before = new WeakSet(flatTreeElements(document).filter(isSeen));
  },
  isNew,
  popupOf: around,
  fieldOf,

  dialogOf(control) {
    return flatTreeElements(document).find(
      (one) => one.matches(DIALOG) && isNew(one) && isSeen(one) && !isWithin(control, one),
    );
  },

  searchOf(control, list) {
    const own = fieldOf(control);
    if (own) return own;
    const popup = list && around(list);
    const inner = popup && isNew(popup) ? flatTreeElements(popup).filter(isSearch).filter(isSeen) : [];
    // Of several it cannot be said which; a form may have come with the list.
    if (inner.length > 0) return inner.length === 1 ? inner[0] : undefined;
    const naming =
      list &&
      flatTreeElements(document)
        .filter(isSearch)
        .find((one) => controls(one, list));
    if (naming) return naming;
    const at = registry.focused();
    if (!isSearch(at)) return undefined;
    // Anything else with the cursor is another field of the page.
    return isNew(at) || isWithin(control, widgetOf(at)) ? at : undefined;
  },

  hasFocus(control) {
    const at = registry.focused();
    if (!at) return false;
    return isNew(at) || isWithin(at, control) || isWithin(control, at) || isWithin(at, widgetOf(control));
  },

  editorOf(cell) {
    const { left, top, right, bottom } = cell.getBoundingClientRect();
    const lies = (one: Element): boolean => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const [across, down] = [x + width / 2, y + height / 2];
      return across > left && across < right && down > top && down < bottom;
    };
    return flatTreeElements(document).find(
      (one) => one.matches(EDITOR) && isNew(one) && isSeen(one) && lies(one),
    );
  },

  buttonOf(control, list, way) {
    const popup = around(list);
    if ((popup === list && !list.matches(DIALOG)) || isWithin(control, popup)) return undefined;
    const words = way === "take" ? CONFIRM_LABEL : CANCEL_LABEL;
    return flatTreeElements(popup).find((one) => {
      if (!one.matches(BUTTON) || !isSeen(one) || boxOf(one) !== undefined || one.closest(OPTION))
        return false;
      const name = one.getAttribute("aria-label") ?? (textOf(one) || (one.getAttribute("value") ?? ""));
      return words.test(comparable(name));
    });
  },
};
