/**
 * Finds the button that sends a form without a submit button of its own, such as "Save" in the title bar above the form
 * (Magento, Joomla, Vendure).
 */
import { nameOf } from "../page/element-line.ts";
import { formPath } from "../page/form-of-element.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import { boxesAroundBoth } from "./boxes-around-both-elements.ts";
import { createsAnything, savesAnything } from "./name-of-save-button.ts";

/**
 * Whether the name of a button says no more than "save" or "create", so that the button may belong to any form. A
 * button "Create product" may belong to another form.
 */
function sendsAnything(button: HighlightedElement): boolean {
  const name = nameOf(button);
  return savesAnything(name) || createsAnything(name);
}

/** Matches the name of a field that searches or filters. Such a form only shows other rows. */
const SEARCHES = /search|filter|query|suche|recherche|buscar|cerca|zoek/iu;

const FIELDS = /^(?:input|textarea|select)$/iu;

/**
 * Returns the only button outside of all forms that sends the form of a field; `undefined` if there is none, or if
 * the form has a button of its own. Of all boxes around the button, the smallest one with a field in it must contain
 * the form. Otherwise, the button belongs to other fields.
 */
export function buttonOutsideForm(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const form = formPath(field);
  if (form === undefined) return undefined;
  const own = elements.filter((one) => formPath(one) === form);
  if (isSearchForm(own) || own.some(isSubmit)) return undefined;
  const others = elements.filter((one) => isField(one) && formPath(one) !== form);
  const path = form.slice(form.lastIndexOf(" ") + 1);
  const found = elements.flatMap((button) => {
    if (!isFreeButton(button) || button.frame.join(" ") !== field.frame.join(" ")) return [];
    const depth = boxesAroundBoth(button.xpath, path);
    const isOfOthers = others.some(({ xpath }) => boxesAroundBoth(button.xpath, xpath) > depth);
    return isOfOthers ? [] : [{ button, depth }];
  });
  const deepest = Math.max(0, ...found.map(({ depth }) => depth));
  const [only, other] = found.filter(({ depth }) => depth === deepest);
  return other ? undefined : only?.button;
}

/**
 * Returns the only button in the form of a field that is named "Save", "Create" or the like, if no button of the form
 * submits it. Such a button has `type="button"`, and a script reads the fields when it is clicked (Ghost, forms of
 * React with `onClick`).
 */
export function savingButtonInForm(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const form = formPath(field);
  if (form === undefined) return undefined;
  const own = elements.filter((one) => formPath(one) === form);
  if (isSearchForm(own) || own.some(({ interactionType }) => interactionType === "submit")) return undefined;
  const [only, other] = own.filter(
    (one) => isButton(one) && sendsAnything(one) && one.covered === undefined && one.disabled !== true,
  );
  return other ? undefined : only;
}

/**
 * Returns the only button of the page that saves a field which is in no form, such as "Save" below the fields of a
 * settings page; `undefined` if there is none or several. Of all boxes around the button, the smallest one with a field
 * in it must contain the field.
 */
export function savingButtonWithoutForm(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  if (formPath(field) !== undefined || isSearch(field)) return undefined;
  const [button, other] = elements.filter((one) => isFreeButton(one) && savesAnything(nameOf(one)));
  if (!button || other || button.frame.join(" ") !== field.frame.join(" ")) return undefined;
  const depth = boxesAroundBoth(button.xpath, field.xpath);
  const isOfOthers = elements.some((one) => isField(one) && boxesAroundBoth(button.xpath, one.xpath) > depth);
  return isOfOthers ? undefined : button;
}

const isField = ({ tagName, role }: HighlightedElement): boolean =>
  FIELDS.test(tagName) || role === "textbox" || role === "combobox";

/**
 * Whether a button inside of the form sends it. A `<button>` without a `type` submits its form by the standard, although
 * it may only open a calendar, or add or remove a part of the form (Vendure, jQuery UI).
 */
function isSubmit(element: HighlightedElement): boolean {
  const { interactionType, attributes } = element;
  const name = nameOf(element).trim();
  if (isButton(element) && sendsAnything(element)) return true;
  if (interactionType !== "submit") return false;
  return attributes.type !== undefined || !(name === "" || CHANGES_PART.test(name));
}

/** Matches the name of a button that adds or removes a part of a form: "Remove", "Add condition". */
const CHANGES_PART = /^(?:remove|delete|entfernen|supprimer|eliminar|rimuovi|(?:add|insert)\s+\S.*)$/iu;

const isButton = ({ tagName, role }: HighlightedElement): boolean =>
  tagName.toLowerCase() === "button" || role === "button";

const isSearch = (element: HighlightedElement): boolean =>
  isField(element) &&
  (element.type === "search" ||
    element.role === "searchbox" ||
    SEARCHES.test(`${nameOf(element)} ${element.attributes.name ?? ""} ${element.placeholder ?? ""}`));

/**
 * Whether a form only searches: it has a search field and fewer than `OTHER_FIELDS` other text fields. In a form with
 * more text fields, the search field only filters the options of a list, such as that of tags (ember-power-select in
 * Ghost, Select2, Choices.js).
 */
function isSearchForm(own: readonly HighlightedElement[]): boolean {
  if (!own.some(isSearch)) return false;
  const others = own.filter((one) => TEXTS.test(one.type || one.tagName) && isField(one) && !isSearch(one));
  return others.length < OTHER_FIELDS;
}

/** Types of fields for a text. Dates, numbers and lists may also belong to a form that filters. */
const TEXTS = /^(?:text|email|url|tel|textarea)$/iu;
/**
 * A form with a search field and at least this number of other text fields does not only search. A single other text
 * field may be a second filter, such as the author.
 */
const OTHER_FIELDS = 2;

function isFreeButton(element: HighlightedElement): boolean {
  const { covered, formId } = element;
  if (!isButton(element) || covered !== undefined || formId !== undefined) return false;
  return formPath(element) === undefined && sendsAnything(element);
}
