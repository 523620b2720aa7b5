/**
 * Finds the field that a `<label>` names although the browser does not connect them. The label has no valid
 * `for` attribute, or its `for` attribute is an id that several elements have.
 */

/** Selector of fields that a label without a valid `for` attribute may name. */
const FIELDS =
  "input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image]),select,textarea";
/**
 * Selector of fields that scripts make, such as a list that a button opens (PocketBase, shadcn/ui) and a code
 * editor (CodeMirror). A label may name such a field if there is no form field.
 */
const SCRIPTED_FIELDS =
  "[role=combobox],[role=listbox],[role=textbox],[role=spinbutton],[contenteditable=true],[aria-haspopup=listbox]," +
  "[role=button][aria-expanded],button[aria-expanded]";
/** Selector of elements at which the search for the field of a label stops, such as headings and forms. */
const BOUNDARY = "h1,h2,h3,h4,h5,h6,hr,fieldset,form";
/** Maximum number of siblings, such as help links, between a label and its field. */
const MAX_STEPS = 3;
/** Maximum number of a label's ancestors that are searched for the label's field. */
const MAX_LEVELS = 2;

/**
 * Whether the attribute `for` of a label refers to an existing element. This element need not be a form
 * field.
 */
const hasTarget = (label: HTMLLabelElement): boolean => {
  const root = label.getRootNode();
  if (label.htmlFor === "" || !(root instanceof Document || root instanceof ShadowRoot)) return false;
  return root.getElementById(label.htmlFor) !== null;
};

/**
 * Returns the form field near a label that the browser has connected to another element. The page may contain
 * a hidden copy of a form. Then several elements have the id in the label's `for` attribute, and the browser
 * may choose the wrong one.
 */
export function nearestWithId(label: HTMLLabelElement): Element | undefined {
  const { control, htmlFor } = label;
  let up = label.parentElement;
  for (let level = 0; control && up && level < MAX_LEVELS; level++, up = up.parentElement) {
    if (up.contains(control)) return undefined;
    const withId = up.querySelectorAll(`[id="${CSS.escape(htmlFor)}"]:not([type=hidden])`);
    // Only form fields have the property `labels`.
    const near = [...withId].find((element) => "labels" in element);
    if (near) return near;
  }
  return undefined;
}

/**
 * Returns the label near an element that refers to the element's id. It is used when several elements have
 * this id, because browsers connect the label only to the first of them.
 */
export function nearLabelOf(element: Element): HTMLLabelElement | undefined {
  if (element.id === "") return undefined;
  let up = element.parentElement;
  // The label and the field may be at different depths below their common ancestor, so twice the number of
  // levels is searched.
  for (let level = 0; up && level < 2 * MAX_LEVELS; level++, up = up.parentElement) {
    const label = up.querySelector(`label[for="${CSS.escape(element.id)}"]`);
    if (label instanceof HTMLLabelElement) return nearestWithId(label) === element ? label : undefined;
  }
  return undefined;
}

/** Whether a label without a valid `for` attribute may name the element, although it is no form field. */
export const isScriptedField = (element: Element): boolean => element.matches(SCRIPTED_FIELDS);

/** Returns the fields inside of an element: form fields, or else the outermost fields that scripts make. */
const fieldsIn = (element: Element): readonly Element[] => {
  const fields = element.querySelectorAll(FIELDS);
  if (fields.length > 0) return [...fields];
  const scripted = [...element.querySelectorAll(SCRIPTED_FIELDS)];
  return scripted.filter((field) => !scripted.some((other) => other !== field && other.contains(field)));
};

/**
 * Returns the field for a label without a valid `for` attribute: the only field in the label's nearest
 * ancestor that contains a field. Returns `undefined` if this ancestor contains several fields or another
 * label.
 */
const onlyOne = (label: Element): Element | undefined => {
  let up = label.parentElement;
  for (let level = 0; up && level < MAX_LEVELS; level++, up = up.parentElement) {
    if (up.matches("body,html") || up.getElementsByTagName("label").length > 1) return undefined;
    const [field, other] = fieldsIn(up);
    if (field) return other ? undefined : field;
  }
  return undefined;
};

const isAnyField = (element: Element): boolean => element.matches(FIELDS) || isScriptedField(element);

const next = (from: Element, steps: number): Element | undefined => {
  let at = from.nextElementSibling;
  for (let step = 0; at && step < steps; step++, at = at.nextElementSibling) {
    if (at.matches(`label,${BOUNDARY}`) || at.querySelector("label")) return undefined;
    const [field, other] = isAnyField(at) ? [at] : fieldsIn(at);
    if (!field) continue;
    // A label before several fields is the name of their group, and not the label of one field.
    const following = at.nextElementSibling;
    return other || (following && isAnyField(following)) ? undefined : field;
  }
  return undefined;
};

/**
 * Returns the field next to a `<label>` that is not connected to a control. Returns `undefined` when the label
 * has a control, or when several fields are possible.
 */
export function fieldOf(label: HTMLLabelElement): Element | undefined {
  if (label.control || hasTarget(label)) return undefined;
  const { parentElement: cell } = label;
  const alone = cell?.childElementCount === 1 && cell.localName !== "body";
  return onlyOne(label) ?? next(label, MAX_STEPS) ?? (alone ? next(cell, 1) : undefined);
}
