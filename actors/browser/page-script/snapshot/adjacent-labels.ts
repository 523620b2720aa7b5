/**
 * The field that a `<label>` without a valid `for` belongs to: the only field beside or around it. Such a
 * label names the field, but a click on it does nothing.
 */

/** Fields that such a label may name. */
const FIELDS =
  "input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image]),select,textarea";
/** Elements that a label does not reach across. */
const BOUNDARY = "h1,h2,h3,h4,h5,h6,hr,fieldset,form";
/** Upper limit of siblings between a label and its field, such as a help link. */
const MAX_STEPS = 3;
/** Levels around a label in which its only field may be. */
const MAX_LEVELS = 2;

/** Whether `for` refers to an existing element, even one that is no form field. */
const hasTarget = (label: HTMLLabelElement): boolean => {
  const root = label.getRootNode();
  if (label.htmlFor === "" || !(root instanceof Document || root instanceof ShadowRoot)) return false;
  return root.getElementById(label.htmlFor) !== null;
};

/** The only field around the only label. */
const onlyOne = (label: Element): Element | undefined => {
  let up = label.parentElement;
  for (let level = 0; up && level < MAX_LEVELS; level++, up = up.parentElement) {
    if (up.matches("body,html") || up.getElementsByTagName("label").length > 1) return undefined;
    const [field, other] = up.querySelectorAll(FIELDS);
    if (field) return other ? undefined : field;
  }
  return undefined;
};

const next = (from: Element, steps: number): Element | undefined => {
  let at = from.nextElementSibling;
  for (let step = 0; at && step < steps; step++, at = at.nextElementSibling) {
    if (at.matches(`label,${BOUNDARY}`) || at.querySelector("label")) return undefined;
    const [field, other] = at.matches(FIELDS) ? [at] : at.querySelectorAll(FIELDS);
    if (!field) continue;
    // A label before several fields names the group.
    return other || at.nextElementSibling?.matches(FIELDS) ? undefined : field;
  }
  return undefined;
};

/** `undefined` where the label has a control, or where more than one field is possible. */
export function fieldOf(label: HTMLLabelElement): Element | undefined {
  if (label.control || hasTarget(label)) return undefined;
  const { parentElement: cell } = label;
  const alone = cell?.childElementCount === 1 && cell.localName !== "body";
  return onlyOne(label) ?? next(label, MAX_STEPS) ?? (alone ? next(cell, 1) : undefined);
}
