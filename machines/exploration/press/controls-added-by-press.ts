/**
 * Reads the controls that a press (click) has added to a page, such as the fields and buttons of a dialog, and
 * the forms to which they belong.
 */

import { operationOfName } from "../../knowledge/screens/operation-and-thing-of-task.ts";
import type { ActionControls } from "../../knowledge/screens/page-to-screen.ts";
import { type Control, type FieldConstraints, KEPT_ATTRIBUTES } from "../../records/page-control-records.ts";
import { riskOfName } from "../../risk/risk-classes.ts";
import { fieldsOf } from "../../session/controls/field-by-label.ts";
import { nameOf as spokenName } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { closesLayer } from "./covering-layer.ts";
import { nameOf, placeOf, rowPlaces, type UiState } from "./page-state-by-visible-controls.ts";

type View = Pick<UiState, "elements">;
type PageForm = ActionControls["forms"][number];

/** Maximum number of the controls of a state that are stored, for buttons and for fields. */
const MOST_CONTROLS = 100;
/**
 * A press has opened a dialog if at most this share (0 to 1) of the page's controls can still be used. Fields
 * outside of a `<form>` count as a form only in a dialog, because elsewhere they may belong to no button.
 */
const USABLE_BEHIND_DIALOG = 1 / 2;
/** Attributes of a control that are stored. `aria-haspopup` shows that a button opens a list of options. */
const STORED_ATTRIBUTES: ReadonlySet<string> = new Set([...KEPT_ATTRIBUTES, "aria-haspopup"]);

/** Returns the controls and forms that a press has added to a page; `undefined` if it has added none. */
export function controlsAddedByPress(before: View, after: View): ActionControls | undefined {
  const added = addedElements(before, after);
  const found = new Set(withoutInnerFields(fieldsOf(added).filter((element) => !opensDialog(element))));
  const fields = [...found].slice(0, MOST_CONTROLS);
  // Only the added elements are searched for rows. Otherwise, equal places in a dialog and in the drawer
  // behind it would count as rows.
  const rows = rowPlaces(added);
  const isButton = (element: HighlightedElement): boolean =>
    isPressable(element) && !found.has(element) && !rows.has(placeOf(element)) && nameOf(element) !== "";
  const buttons = added.filter(isButton);
  if (buttons.length + fields.length === 0) return undefined;
  const isDialogOpen = isDialog(before, after);
  const branchOf = branchesAdded(before);
  const forms = [...Map.groupBy(fields, branchOf)].flatMap(([branch, own]) =>
    formsOf(
      own,
      buttons.filter((button) => branchOf(button) === branch),
      isDialogOpen,
    ),
  );
  return {
    buttons: marked(buttons.map((element) => controlOf(element, nameOf(element)))).slice(0, MOST_CONTROLS),
    inputs: marked(fields.map((field) => fieldControl(field, hasChosenRadio(field, fields)))),
    forms,
  };
}

/** Whether a press has opened a dialog with fields. */
export function opensForm(before: View, after: View): boolean {
  return isDialog(before, after) && fieldsOf(addedElements(before, after)).length > 0;
}

/**
 * Leaves out a text field that is inside of a list of options, or next to it with the same label. It is an
 * inner part of this list; in Vuetify and Material UI, it is often read-only.
 */
function withoutInnerFields(fields: readonly HighlightedElement[]): readonly HighlightedElement[] {
  const lists = Map.groupBy(
    fields.filter(
      ({ interactionType, type, role }) => interactionType === "click" && !CHECKED.test(role ?? type),
    ),
    labelOf,
  );
  const isInner = (field: HighlightedElement): boolean =>
    field.interactionType === "input" &&
    (lists.get(labelOf(field)) ?? []).some(({ xpath }) => field.xpath.startsWith(parentOf(xpath)));
  return fields.filter((field) => !isInner(field));
}

/**
 * Matches the type or role of a checkbox, a radio button or a switch. These are no lists of options, so a
 * text field with the same label, such as "Email", is a field of its own.
 */
const CHECKED = /^(?:checkbox|radio|switch)$/;

/** Returns the XPath of an element's parent, with a slash at its end. */
const parentOf = (xpath: string): string => xpath.slice(0, xpath.lastIndexOf("/") + 1);

/** Returns the elements that the page shows after the press only. Elements in frames are left out. */
function addedElements(before: View, after: View): readonly HighlightedElement[] {
  const keyOf = (element: HighlightedElement): string => `${placeOf(element)}\n${labelOf(element)}`;
  const known = new Set(before.elements.filter(isShown).map(keyOf));
  // A button in a dialog may have the name and the place of the button that opened the dialog, such as "Add
  // user" (SQLPad; CoreUI in the tests). The two differ in their XPaths. The position `[1]` is removed from
  // each XPath, because an element gets it only when a sibling is added.
  const plain = ({ xpath }: HighlightedElement): string => xpath.replaceAll("[1]", "");
  const places = new Set(before.elements.map(plain));
  const isOverOthers = isDialog(before, after);
  return after.elements.filter(
    (element) =>
      isShown(element) &&
      element.frame.length === 0 &&
      (!known.has(keyOf(element)) || (isOverOthers && !places.has(plain(element)))),
  );
}

const isUsable = ({ covered }: HighlightedElement): boolean => covered === undefined;

/**
 * Whether the element is not behind a dialog. Disabled buttons count as shown: in Vuetify and Material UI,
 * the pointer goes through them, so they only seem to be covered.
 */
const isShown = (element: HighlightedElement): boolean => isUsable(element) || element.disabled === true;

/**
 * Returns a function that finds the new part of the document around an element, and returns its XPath. The new part
 * is the largest one in which the page had no control before the press, such as a dialog. Rows that were loaded
 * behind the dialog are in another part.
 */
function branchesAdded(before: View): (element: HighlightedElement) => string {
  const known = new Set<string>();
  for (const { xpath } of before.elements)
    for (let at = xpath; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      if (known.has(at)) break;
      known.add(at);
    }
  return ({ xpath }) => {
    let branch = xpath;
    for (let at = xpath; at !== "" && !known.has(at); at = at.slice(0, at.lastIndexOf("/"))) branch = at;
    return branch;
  };
}

/** Whether the press has opened a dialog, so that most of the page's controls can no longer be used. */
function isDialog(before: View, after: View): boolean {
  const usable = new Set(after.elements.filter(isUsable).map(({ xpath }) => xpath));
  const shown = before.elements.filter((element) => element.in_viewport && isUsable(element));
  const still = shown.filter(({ xpath }) => usable.has(xpath)).length;
  return shown.length > 0 && still <= shown.length * USABLE_BEHIND_DIALOG;
}

function isPressable({ tagName, role, interactionType, attributes }: HighlightedElement): boolean {
  if (interactionType !== "click" && interactionType !== "submit") return false;
  const tag = tagName.toLowerCase();
  return tag === "button" || tag === "input" || role === "button" || (tag === "a" && !attributes.href);
}

/**
 * Whether the element is a button that opens a dialog or a menu. A field that opens its list of options does
 * not count.
 */
const opensDialog = ({ attributes, interactionType }: HighlightedElement): boolean =>
  interactionType === "click" && /^(?:dialog|menu|true|grid|tree)$/.test(attributes["aria-haspopup"] ?? "");

/** Returns the forms of a state: each `<form>`, and the fields of a dialog that are in no `<form>`. */
function formsOf(
  fields: readonly HighlightedElement[],
  buttons: readonly HighlightedElement[],
  isDialogOpen: boolean,
): readonly PageForm[] {
  const groups = Map.groupBy(fields, formPath);
  return [...groups].flatMap(([path, own]): readonly PageForm[] => {
    const around = buttons.filter((button) => formPath(button) === path);
    // The buttons of a dialog are often outside of the form in the dialog, as in Material UI.
    const outside = path === undefined ? [] : buttons.filter((button) => formPath(button) === undefined);
    const button = submitOf(around) ?? (isDialogOpen ? submitOf(outside) : undefined);
    const names = [...new Set(own.map(nameInForm))].filter((name) => name !== "");
    if (names.length === 0 || (path === undefined && (!isDialogOpen || !button))) return [];
    const submit = button ? { submit: nameOf(button) } : {};
    const isFormSent = path !== undefined && (!button || around.includes(button));
    const control = isFormSent ? formControl(path, names, submit) : buttonControl(button, names, submit);
    return control ? [{ action: "", method: "", fields: names, ...submit, control }] : [];
  });
}

/**
 * Returns the button that sends a form. Buttons without words and buttons that close the dialog are left out.
 * If several are left, returns the last one whose name says that it sends the form, such as "Save";
 * `undefined` if no name says so.
 */
function submitOf(buttons: readonly HighlightedElement[]): HighlightedElement | undefined {
  const possible = buttons.filter((button) => /\p{L}/u.test(nameOf(button)) && !closesLayer(nameOf(button)));
  const submits = possible.filter(({ interactionType }) => interactionType === "submit");
  const meant = submits.length > 0 ? submits : possible;
  return meant.length === 1 ? meant[0] : meant.findLast((button) => sends(nameOf(button)));
}

/** Whether a button with this name sends a form. */
function sends(name: string): boolean {
  const risk = riskOfName(name);
  return risk === "submit" || risk === "send" || risk === "invite" || operationOfName(name) === "create";
}

function formControl(path: string, fields: readonly string[], submit: { readonly submit?: string }): Control {
  return {
    role: "form",
    name: `Form with ${fields.join(", ")}`,
    selector: "",
    xpath: path.slice(path.lastIndexOf(" ") + 1),
    attributes: { tag: "form", action: "", method: "", fields: fields.join(", "), ...submit },
  };
}

/** The button of a form without a `<form>` element. The map presses this button to send the form. */
function buttonControl(
  button: HighlightedElement | undefined,
  fields: readonly string[],
  submit: { readonly submit?: string },
): Control | undefined {
  if (!button) return undefined;
  const control = controlOf(button, nameOf(button));
  return { ...control, attributes: { ...control.attributes, fields: fields.join(", "), ...submit } };
}

/**
 * Returns the name by which a form lists the field, computed in the same way as in `formTasks`. Its commas
 * are replaced, because commas separate the names in the list.
 */
function nameInForm(field: HighlightedElement): string {
  return (field.attributes.name || labelOf(field) || field.attributes.id || "").replaceAll(", ", " ");
}

/**
 * Returns the label of a field. The field's own text is only used if the field has no label and no
 * placeholder, because the text of a list such as a combobox is its value.
 */
function labelOf(element: HighlightedElement): string {
  const { labelText, ariaLabel, placeholder, textContent } = element;
  return (labelText ?? ariaLabel ?? placeholder ?? textContent ?? spokenName(element))
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Whether a radio button belongs to a choice that the page has made already. Drawn radio buttons (`<button
 * role="radio" required>` of Radix UI and Reka UI) have no common name, and only the chosen one is checked.
 */
const hasChosenRadio = (field: HighlightedElement, fields: readonly HighlightedElement[]): boolean =>
  field.role === "radio" &&
  fields.some((one) => one.role === "radio" && one.checked && one.attributes.name === field.attributes.name);

function fieldControl(field: HighlightedElement, isChosen: boolean): Control {
  const { required, options = [], value, attributes } = field;
  const shown = options.filter((option) => option !== "");
  const constraints: FieldConstraints = {
    ...(required ? { required, ...(value || isChosen ? { has_value: true } : {}) } : {}),
    ...(attributes.multiple === undefined ? {} : { multiple: true }),
    ...(attributes.pattern ? { pattern: attributes.pattern } : {}),
    ...(attributes.maxlength ? { max_length: attributes.maxlength } : {}),
    ...(shown.length > 0 ? { options: shown } : {}),
  };
  const control = controlOf(field, labelOf(field));
  return Object.keys(constraints).length > 0 ? { ...control, constraints } : control;
}

function controlOf(element: HighlightedElement, name: string): Control {
  const { role, tagName, type, selector, xpath } = element;
  const kept = Object.entries(element.attributes).filter(
    ([key, value]) => STORED_ATTRIBUTES.has(key) && value !== "",
  );
  const attributes = {
    ...Object.fromEntries(kept),
    ...(type === "" ? {} : { type }),
    tag: tagName.toLowerCase(),
  };
  return { role: role ?? tagName.toLowerCase(), name, selector, xpath, attributes };
}

/** Marks controls that have the same role and name as another one, so that they are not confused. */
function marked(controls: readonly Control[]): readonly Control[] {
  const counts = Map.groupBy(controls, ({ role, name }) => `${role}\n${name}`);
  return controls.map((control) =>
    (counts.get(`${control.role}\n${control.name}`)?.length ?? 0) > 1
      ? { ...control, alone: false }
      : control,
  );
}
