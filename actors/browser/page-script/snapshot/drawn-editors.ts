/** Code editors and terminals, which draw their text themselves and receive keys through a hidden field. */
export interface DrawnEditors {
  /** The hidden field that receives the keys for the drawn text; `undefined` where the element is no such text. */
  keyFieldOf(element: Element): HTMLElement | undefined;
  /** The whole editor: the closest element around both the text and its field. */
  editorOf(element: Element, field: Element): Element;
  /** Whether a key field was found for the element before. */
  isKnown(element: Element): boolean;
}

const FIELD =
  ":is(textarea:read-write,[contenteditable]:not([contenteditable=false]),[role=textbox],input:read-write):not([aria-hidden=true])";
const WHOLE = "body,html,form,fieldset,dialog,table,tr,ul,ol,main,section,article,[role=dialog]";
const LEVELS = 5;
/** Pixels: a smaller field shows no readable text. */
const READABLE = 8;
const written = new WeakSet<Element>();

const isHidden = (field: Element): boolean => {
  if (!field.checkVisibility({ opacityProperty: true })) return true;
  if ("editContext" in field && field.editContext) return true;
  let up: Element | null = field;
  for (let level = 0; up && level < 3; level++, up = up.parentElement) {
    const { width, height } = up.getBoundingClientRect();
    const clips = up === field || getComputedStyle(up).overflow !== "visible";
    if (clips && (width < READABLE || height < READABLE)) return true;
  }
  return false;
};

export const drawnEditors: DrawnEditors = {
  isKnown: (element) => written.has(element),

  editorOf(element, field) {
    let up = element;
    while (!up.contains(field) && up.parentElement) up = up.parentElement;
    return up;
  },

  keyFieldOf(element) {
    let up: Element | null = element;
    for (let level = 0; up && level < LEVELS && !up.matches(WHOLE); level++, up = up.parentElement) {
      const fields = [...up.querySelectorAll<HTMLElement>(FIELD)].filter((one) => one.checkVisibility());
      if (fields.length === 0) continue;
      const [field] = fields;
      if (!field || !fields.every(isHidden) || field.matches("input")) return undefined;
      written.add(element);
      return field;
    }
    return undefined;
  },
};
