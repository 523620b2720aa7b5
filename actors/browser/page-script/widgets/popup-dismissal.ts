/**
 * In the page: how a list or a calendar that an act has opened is closed again without anything else going with it.
 *
 * The key for it is heard by whatever is around: a drawer or a row that is edited takes it for its own, and what was
 * filled in is lost. Sent as its own source. Neighbour: `../leftover.ts` tries one way after the other.
 */

import { registry, unsavedInput } from "../document-state.ts";
import { geometry, identity } from "../world-parts.ts";
import { widgetOf } from "./input-proxies.ts";

export interface PopupDismissal {
  /** Whether a click on its control may close it: the control says nothing of being closed already. */
  mayToggle(id: number): boolean;
  /** The next press of the key goes no further than what is open or its control; false: the cursor is in neither. */
  containEscape(id: number): boolean;
  /** The key passes again. */
  releaseEscape(): void;
  /** Takes the cursor out of it; false: it is elsewhere. */
  blur(id: number): boolean;
  /** Whether nothing around the control is lost by the key for it. */
  mayEscape(id: number): boolean;
}

const DIALOG = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";
let contained: { readonly at: Element; readonly hear: (event: Event) => void } | undefined;

/** Of what has the cursor as much as belongs to a control: itself, or the outermost part that stands beside it. */
const partOf = (control: Element): Element | undefined => {
  const at = registry.focused();
  if (!at) return undefined;
  if (geometry.within(at, control)) return control;
  if (geometry.within(control, at)) return undefined;
  const widget = widgetOf(control);
  if (geometry.within(at, widget)) return at;
  let part = at;
  for (let up = registry.parentOf(at); up && !geometry.within(control, up); up = registry.parentOf(up))
    part = up;
  return part;
};

const isAbroad = (control: Element): boolean => {
  const at = registry.focused();
  return at !== undefined && !geometry.within(at, widgetOf(control));
};

const letPass = (): void => {
  if (contained) contained.at.removeEventListener("keydown", contained.hear);
  contained = undefined;
};

export const popupDismissal: PopupDismissal = {
  releaseEscape: letPass,

  mayToggle(id) {
    const control = identity.find(id);
    return (
      control !== undefined && control.closest("[aria-expanded]")?.getAttribute("aria-expanded") !== "false"
    );
  },

  containEscape(id) {
    letPass();
    const control = identity.find(id);
    const at = control && partOf(control);
    if (!at) return false;
    const hear = (event: Event): void => {
      // After those that the page has there: what they make of it is what is wanted.
      event.stopPropagation();
      // The browser closes a dialog around it, and empties a field for searches.
      event.preventDefault();
    };
    at.addEventListener("keydown", hear);
    contained = { at, hear };
    return true;
  },

  blur(id) {
    const control = identity.find(id);
    const at = registry.focused();
    if (!control || !(at instanceof HTMLElement) || !partOf(control)) return false;
    at.blur();
    return true;
  },

  mayEscape(id) {
    const control = identity.find(id);
    if (!control) return false;
    const abroad = isAbroad(control);
    const written = unsavedInput.fields().filter((field) => !geometry.within(field, control));
    for (
      let up = geometry.renderedParent(control);
      up && up !== document.body;
      up = geometry.renderedParent(up)
    ) {
      if (up.matches(DIALOG)) return false;
      // Where the cursor is in what is open, that hears of the key first.
      const around = up;
      if (!abroad && written.some((field) => geometry.within(field, around))) return false;
    }
    return true;
  },
};
