/**
 * Finds code editors and terminals. They draw their text themselves and receive keys through a hidden field.
 */

/** Selector of hidden fields that may receive the keystrokes of an editor. */
const KEY_FIELD =
  ":is(textarea:read-write,[contenteditable]:not([contenteditable=false]),[role=textbox],input:read-write):not([aria-hidden=true])";
/**
 * Selector of containers that are larger than one editor. The search for an editor's field stops at such a
 * container.
 */
const NOT_AN_EDITOR = "body,html,form,fieldset,dialog,table,tr,ul,ol,main,section,article,[role=dialog]";
/**
 * Maximum number of ancestors of an editor's text that are searched for the hidden field which receives the
 * editor's keys.
 */
const MAX_LEVELS = 5;
/**
 * Minimum width and height in pixels of a field that can show readable text. A smaller field is a hidden one.
 */
const MIN_READABLE_SIZE = 8;
/**
 * Number of elements whose size is checked to decide whether a field is hidden: the field itself and its
 * nearest ancestors. The field is hidden when it, or an ancestor that clips it, is smaller than
 * `MIN_READABLE_SIZE`.
 */
const HIDING_LEVELS = 3;
const known = new WeakSet<Element>();

const isHidden = (field: Element): boolean => {
  if (!field.checkVisibility({ opacityProperty: true })) return true;
  if ("editContext" in field && field.editContext) return true;
  let up: Element | null = field;
  for (let level = 0; up && level < HIDING_LEVELS; level++, up = up.parentElement) {
    const { width, height } = up.getBoundingClientRect();
    const clips = up === field || getComputedStyle(up).overflow !== "visible";
    if (clips && (width < MIN_READABLE_SIZE || height < MIN_READABLE_SIZE)) return true;
  }
  return false;
};

/** Whether the element is known to be the text that an editor draws. */
export function isKnown(element: Element): boolean {
  return known.has(element);
}

/**
 * Returns the whole editor: the closest ancestor of its text that also contains the hidden field which receives
 * the keys.
 */
export function editorOf(element: Element, field: Element): Element {
  let up = element;
  while (!up.contains(field) && up.parentElement) up = up.parentElement;
  return up;
}

/**
 * For the text of an editor that draws its text itself, returns the hidden field that receives the keys. For
 * any other element, returns `undefined`.
 */
export function keyFieldOf(element: Element): HTMLElement | undefined {
  let up: Element | null = element;
  for (
    let level = 0;
    up && level < MAX_LEVELS && !up.matches(NOT_AN_EDITOR);
    level++, up = up.parentElement
  ) {
    const fields = [...up.querySelectorAll<HTMLElement>(KEY_FIELD)].filter((element) =>
      element.checkVisibility(),
    );
    if (fields.length === 0) continue;
    const [field] = fields;
    if (!field || !fields.every(isHidden) || field.matches("input")) return undefined;
    known.add(element);
    return field;
  }
  return undefined;
}
