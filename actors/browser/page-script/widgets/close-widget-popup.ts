/**
 * Closes a list or calendar without other effects. Escape could also close a dialog around the popup, or
 * cancel the editing of a row and discard its text.
 */

import { registry, unsavedInput } from "../page-script-document-state.ts";
import { isSeen } from "../shadow-dom.ts";
import { geometry, identity } from "../world-bundle-modules-for-actions-bundle.ts";
import { widgetOf } from "./proxy-controls-of-hidden-fields.ts";

export interface PopupDismissal {
  /**
   * Whether a click on the control may close the popup. If the control declares the popup as closed, a click
   * would open it again.
   */
  mayToggle(id: number): boolean;
  /**
   * Makes the next press of Escape reach only the popup and its control. Returns false and changes nothing
   * when neither the popup nor the control has the focus.
   */
  containEscape(id: number): boolean;
  /** Ends the effect of `containEscape`: the page and the browser receive the Escape key again. */
  releaseEscape(): void;
  /** Removes the focus from the popup. Returns false when the popup does not have the focus. */
  blur(id: number): boolean;
  /**
   * Moves the focus to another element: to one around the control, or else to the nearest button. Some popups
   * close only when another element receives the focus. Returns false when there is no such element.
   */
  moveFocus(id: number): boolean;
  /**
   * True if pressing Escape closes only the popup. Escape could also close a dialog around the control, or
   * discard text in the dialog's fields.
   */
  mayEscape(id: number): boolean;
}

/** Selector of dialogs and similar elements. Escape would close such an element. */
const DIALOG = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";
/** Selector of elements around a control that can have the focus. */
const FOCUSABLE_BOX = "[tabindex]";
/**
 * Selector of buttons that do nothing when they receive the focus. Buttons that control a popup are excluded,
 * because they may open it when they receive the focus.
 */
const PLAIN_BUTTON = "button:enabled:not([aria-haspopup],[aria-expanded],[role=combobox])";
let guard: { readonly at: Element; readonly stop: (event: Event) => void } | undefined;

/**
 * Hides the release of the Escape key from the page. Many dialogs close when the key is released, while
 * popups close when it is pressed.
 */
const stopKeyup = (event: Event): void => event.stopImmediatePropagation();

/**
 * Returns the custom element that draws the control (ng-select), or else the control. Such an element may
 * listen for the keys of its field.
 */
const componentOf = (control: Element): Element => {
  const widget = widgetOf(control);
  for (let up: Element | null = control; up && geometry.within(up, widget); up = registry.parentOf(up))
    if (up.localName.includes("-")) return up;
  return control;
};

/**
 * Returns an element that contains the focus and belongs to the control. It is the control itself, or the
 * focused element in its component. If the focus is in a popup, it is the popup: the outermost ancestor of
 * the focused element that does not contain the control.
 */
const partOf = (control: Element): Element | undefined => {
  const at = registry.focused();
  if (!at) return undefined;
  if (geometry.within(at, control)) return componentOf(control);
  if (geometry.within(control, at)) return undefined;
  const widget = widgetOf(control);
  if (geometry.within(at, widget)) return at;
  let part = at;
  for (let up = registry.parentOf(at); up && !geometry.within(control, up); up = registry.parentOf(up))
    part = up;
  return part;
};

const isFocusElsewhere = (control: Element): boolean => {
  const at = registry.focused();
  return at !== undefined && !geometry.within(at, widgetOf(control));
};

/** Whether the element is in a part of `box` that lies over the page, such as the calendar of the control. */
const isOverPage = (element: Element, box: Element): boolean => {
  for (let up = element.parentElement; up && up !== box; up = up.parentElement)
    if (/^(absolute|fixed)$/.test(getComputedStyle(up).position)) return true;
  return false;
};

const releaseEscape = (): void => {
  if (guard) guard.at.removeEventListener("keydown", guard.stop);
  removeEventListener("keyup", stopKeyup, true);
  guard = undefined;
};

export const popupDismissal: PopupDismissal = {
  releaseEscape,

  mayToggle(id) {
    const control = identity.find(id);
    return (
      control !== undefined && control.closest("[aria-expanded]")?.getAttribute("aria-expanded") !== "false"
    );
  },

  containEscape(id) {
    releaseEscape();
    const control = identity.find(id);
    const at = control && partOf(control);
    if (!at) return false;
    const stop = (event: Event): void => {
      // Stops the event at this element, so that the elements around it do not receive the event. The page's
      // own listeners at this element have already run, because this listener was added last.
      event.stopPropagation();
      // Without this call, the browser would react to Escape itself: it would close a dialog around the
      // popup, or clear a search field.
      event.preventDefault();
    };
    at.addEventListener("keydown", stop);
    addEventListener("keyup", stopKeyup, true);
    guard = { at, stop };
    return true;
  },

  blur(id) {
    const control = identity.find(id);
    const at = registry.focused();
    if (!control || !(at instanceof HTMLElement) || !partOf(control)) return false;
    at.blur();
    return true;
  },

  moveFocus(id) {
    const control = identity.find(id);
    if (!control) return false;
    const widget = widgetOf(control);
    for (let up = geometry.renderedParent(control); up; up = geometry.renderedParent(up)) {
      const box = up;
      const buttons = [...up.querySelectorAll<HTMLElement>(PLAIN_BUTTON)];
      const next =
        up instanceof HTMLElement && up.matches(FOCUSABLE_BOX) && !geometry.within(up, widget)
          ? up
          : buttons.find(
              (button) => isSeen(button) && !geometry.within(button, widget) && !isOverPage(button, box),
            );
      if (!next) continue;
      next.focus({ preventScroll: true });
      return true;
    }
    return false;
  },

  mayEscape(id) {
    const control = identity.find(id);
    if (!control) return false;
    const focusElsewhere = isFocusElsewhere(control);
    const typed = unsavedInput.fields().filter((field) => !geometry.within(field, control));
    for (
      let up = geometry.renderedParent(control);
      up && up !== document.body;
      up = geometry.renderedParent(up)
    ) {
      // A panel with a fixed position is treated as a dialog, because many dialogs have no role.
      if (up.matches(DIALOG) || getComputedStyle(up).position === "fixed") return false;
      // Escape may also cancel the editing of a part of the page around the control, and discard the text in
      // another field of this part. So Escape is not allowed if the user has typed there. It is allowed if
      // the focus is in the popup, because Escape then closes only the popup.
      const around = up;
      if (!focusElsewhere && typed.some((field) => geometry.within(field, around))) return false;
    }
    return true;
  },
};
