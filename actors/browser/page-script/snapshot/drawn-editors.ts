/** Code editors and terminals, which draw their text themselves and receive keys through a hidden field. */

/** Fields that may receive the keys of an editor. */
const KEY_FIELD =
  ":is(textarea:read-write,[contenteditable]:not([contenteditable=false]),[role=textbox],input:read-write):not([aria-hidden=true])";
/** Containers that are larger than an editor. */
const NOT_AN_EDITOR = "body,html,form,fieldset,dialog,table,tr,ul,ol,main,section,article,[role=dialog]";
/** Levels around a text in which its key field is searched. */
const MAX_LEVELS = 5;
/** Pixels: a smaller field shows no readable text. */
const MIN_READABLE_SIZE = 8;
/** Levels, the field included, that may hide a field by their size. */
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

/** Whether a key field was found for the element before. */
export function isKnown(element: Element): boolean {
  return known.has(element);
}

/** The whole editor: the closest element around both the text and its field. */
export function editorOf(element: Element, field: Element): Element {
  let up = element;
  while (!up.contains(field) && up.parentElement) up = up.parentElement;
  return up;
}

/** The hidden field that receives the keys for the drawn text; `undefined` where the element is no such text. */
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
