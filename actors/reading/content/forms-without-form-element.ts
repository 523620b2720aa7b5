/**
 * Finds forms without a `<form>`: fields of a page with a button beside them, such as "Save", that saves them. The
 * settings pages of Home Assistant, Vaadin, Webix and Ext JS are built in this way.
 */
import { savesAnything } from "../../../machines/session/controls/name-of-save-button.ts";
import { isInTitleBar, isSaveIcon } from "../../../machines/session/controls/save-icon-in-title-bar.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { isInsideHidden, isInsideHiddenDialog } from "../parse/visible-text-of-html-element.ts";
import { type Labels, landmarkOf, roleOf } from "./describe-element-as-control.ts";
import type { ReplacedSelects } from "./drawn-stand-ins-of-selects.ts";
import { iconOf } from "./icon-of-html-element.ts";

export interface FieldsWithButton {
  readonly fields: readonly HtmlElement[];
  readonly button: HtmlElement;
  /** The name of the button's icon, if the button shows nothing else. */
  readonly icon?: string;
}

/** Roles of fields with a value that a button saves. The text of a search box is not saved. */
const SAVED_ROLES = new Set(
  "textbox combobox listbox checkbox radio slider spinbutton switch file".split(" "),
);

/**
 * Returns the buttons that save fields outside of any `<form>`, each with its fields. These are the fields in the
 * smallest element around the button that contains any field, without fields that belong to another button there.
 * If two buttons have the same smallest element, both are left out, because it is not known which of them saves
 * which field.
 */
export function formsWithoutFormElement(
  { controls, body }: HtmlDocument,
  labels: Labels,
  replaced: ReplacedSelects,
): readonly FieldsWithButton[] {
  const free = controls.filter(
    (one) =>
      isOutsideForms(one) &&
      (!isInsideHidden(one) || replaced.isListed(one)) &&
      !replaced.isOmitted(one) &&
      !isInsideHiddenDialog(one),
  );
  const fields = free.filter((one) => isSavedField(one) || labels.isLabelledList(one));
  if (fields.length === 0) return [];
  const buttons = free.filter((one) => isButton(one) && saves(one, labels));
  const boxes = Map.groupBy(buttons, (button) => boxWithField(button, fields, body));
  const inOther = (field: HtmlElement, box: HtmlElement): boolean =>
    [...boxes.keys()].some((other) => other && other !== box && other.isInside(box) && field.isInside(other));
  return [...boxes].flatMap(([box, [button, other]]) => {
    if (!box || !button || other) return [];
    const own = fields.filter((field) => field.isInside(box) && !inOther(field, box));
    const icon = labels.nameOf(button) === "" ? { icon: iconOf(button) } : {};
    return own.length === 0 ? [] : [{ button, fields: own, ...icon }];
  });
}

/** Whether a button saves fields: by its whole name, or as an icon in the title bar of the page. */
function saves(button: HtmlElement, labels: Labels): boolean {
  const name = labels.nameOf(button);
  return (
    savesAnything(name) || (name === "" && isSaveIcon(iconOf(button)) && isInTitleBar(tagsAround(button)))
  );
}

function* tagsAround({ parent }: HtmlElement): Generator<string> {
  for (let at = parent; at; at = at.parent) yield at.tag;
}

/**
 * Returns the smallest element around a button that contains a field; `undefined` if only the `body` contains
 * one.
 */
function boxWithField(
  button: HtmlElement,
  fields: readonly HtmlElement[],
  body: HtmlElement,
): HtmlElement | undefined {
  for (let at = button.parent; at && at !== body; at = at.parent) {
    const box = at;
    if (fields.some((field) => field.isInside(box))) return box;
  }
  return undefined;
}

function isOutsideForms({ attributes, parent }: HtmlElement): boolean {
  if (attributes.form !== undefined) return false;
  for (let at = parent; at; at = at.parent) if (at.tag === "form") return false;
  return true;
}

/** Disabled buttons count too: a save button may be disabled until a field has changed. */
const isButton = (element: HtmlElement): boolean => roleOf(element) === "button";

function isSavedField(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === "input" && attributes.type?.toLowerCase() === "hidden") return false;
  return SAVED_ROLES.has(roleOf(element)) && landmarkOf(element) !== "navigation";
}
