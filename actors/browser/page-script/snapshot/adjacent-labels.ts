/**
 * In the page: the field that a label is meant for which names none: its `for` is left out, empty or leads nowhere.
 *
 * A person takes the field that stands beside it, or the only one there is; so does this, where no other label and no
 * other field makes it doubtful. A click on such a label does nothing: it only names. Sent as its own source.
 * Neighbour: `describer.ts` finds labels.
 */
export interface AdjacentLabels {
  /** `undefined` where it has a field of its own, or nothing says which one is meant. */
  fieldOf(label: HTMLLabelElement): Element | undefined;
}

const FIELDS =
  "input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image]),select,textarea";
const ENDS = "h1,h2,h3,h4,h5,h6,hr,fieldset,form";
/** Elements between a label and its field: a link to help, a sign. */
const BETWEEN = 3;
const LEVELS = 2;

/** What its `for` leads to is what it is for, though it is no field of HTML. */
const leads = (label: HTMLLabelElement): boolean => {
  const root = label.getRootNode();
  if (label.htmlFor === "" || !(root instanceof Document || root instanceof ShadowRoot)) return false;
  return root.getElementById(label.htmlFor) !== null;
};

/** The only field around the only label. */
const onlyOne = (label: Element): Element | undefined => {
  let up = label.parentElement;
  for (let level = 0; up && level < LEVELS; level++, up = up.parentElement) {
    if (up.matches("body,html") || up.getElementsByTagName("label").length > 1) return undefined;
    const [field, other] = up.querySelectorAll(FIELDS);
    if (field) return other ? undefined : field;
  }
  return undefined;
};

const next = (from: Element, steps: number): Element | undefined => {
  let at = from.nextElementSibling;
  for (let step = 0; at && step < steps; step++, at = at.nextElementSibling) {
    if (at.matches(`label,${ENDS}`) || at.querySelector("label")) return undefined;
    const [field, other] = at.matches(FIELDS) ? [at] : at.querySelectorAll(FIELDS);
    if (!field) continue;
    // What several stand beside names all of them.
    return other || at.nextElementSibling?.matches(FIELDS) ? undefined : field;
  }
  return undefined;
};

export const adjacentLabels: AdjacentLabels = {
  fieldOf(label) {
    if (label.control || leads(label)) return undefined;
    const { parentElement: cell } = label;
    const alone = cell?.childElementCount === 1 && cell.localName !== "body";
    return onlyOne(label) ?? next(label, BETWEEN) ?? (alone ? next(cell, 1) : undefined);
  },
};
