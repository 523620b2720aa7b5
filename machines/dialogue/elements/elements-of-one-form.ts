/** Finds which elements belong to the form of a field, and the button that submits it. */
import { buttonOutsideForm, savingButtonWithoutForm } from "../../session/controls/button-outside-form.ts";
import { savesAnything } from "../../session/controls/name-of-save-button.ts";
import { saveIconButtonOf } from "../../session/controls/save-icon-in-title-bar.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { formPath, isOfFormAround } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { findTargets } from "./elements-described-by-task-words.ts";
import { isField, isList, isTick, roleOf } from "./texts-that-may-name-element.ts";

/** The text fields of the form that contains an element, except search fields and fields for secrets. */
export function formFields(
  element: HighlightedElement,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const form = formPath(element);
  if (form === undefined) return [];
  return elements.filter(
    (one) =>
      formPath(one) === form &&
      isField(one) &&
      !one.disabled &&
      one.type !== "search" &&
      one.type !== "password",
  );
}

/**
 * Verbs in the names of buttons that confirm a form. The verb that best identifies such a button comes first.
 */
const CONFIRMING = ["create", "add", "save", "submit", "ok", "done", "confirm", "finish"] as const;
const CONFIRMS = new RegExp(`^(?:${CONFIRMING.join("|")})$`, "iu");

/** Matches headings. A click on the heading "Save" folds the box below it (WordPress, jQuery UI's accordion). */
const HEADING = /^h[1-6]$/u;

/**
 * Whether an element is a button. A clickable `<div>` also counts as a button if its name confirms a form,
 * such as "Save".
 */
const isButton = (element: HighlightedElement): boolean => {
  const { interactionType, tagName, textContent = "", attributes } = element;
  if (interactionType === "submit") return true;
  // "Toggle panel: Save" folds the box with this heading.
  if (HEADING.test(tagName) || attributes["aria-expanded"] !== undefined) return false;
  if (roleOf(element) === "button") return true;
  return interactionType === "click" && roleOf(element) === "generic" && CONFIRMS.test(textContent.trim());
};

const LEAVING =
  /^(?:cancel|close|back|reset|clear|dismiss|abbrechen|schließen|annuler|fermer|cancelar|cerrar|×|x)$/iu;

/**
 * Returns the buttons that may submit the form of a field, most likely first. If the page has no `<form>`
 * around the field, these are the buttons after the field.
 */
export function submitsOf(
  field: HighlightedElement,
  names: readonly string[],
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const form = formPath(field);
  const outside = buttonOutsideForm(field, elements);
  if (outside) return [outside];
  const at = elements.indexOf(field);
  const buttons = elements.filter(
    (one, index) =>
      isButton(one) &&
      one.covered === undefined &&
      !LEAVING.test((one.textContent ?? one.ariaLabel ?? "").trim()) &&
      (form === undefined ? index > at && formPath(one) === undefined : isOfFormAround(field, one)),
  );
  const icon = form === undefined ? saveIconButtonOf(field, elements) : undefined;
  for (const words of [...names, ...CONFIRMING]) {
    const [best] = findTargets({ words, use: "click" }, buttons);
    if (best && icon && !savesAnything(nameOf(best.element))) return [icon];
    if (best) return [best.element, ...buttons.filter((one) => one !== best.element)];
  }
  if (icon) return [icon];
  const submits =
    form === undefined ? [] : buttons.filter(({ interactionType }) => interactionType === "submit");
  return submits.length === 1 ? submits : [];
}

/**
 * Returns the button that sends the form of a field, a list or a checkbox; `undefined` if it is not clear which button
 * sends it. A checkbox outside of any `<form>` has none, because many pages save a switch at once.
 */
export function sendingButtonOf(
  element: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  if (!(isField(element) || isList(element) || isTick(element))) return undefined;
  if (formPath(element) === undefined)
    return isTick(element) ? undefined : savingButtonWithoutForm(element, elements);
  const [button] = submitsOf(element, [], elements);
  return button?.interactionType === "submit" && nameOf(button).trim() !== "" ? button : undefined;
}
