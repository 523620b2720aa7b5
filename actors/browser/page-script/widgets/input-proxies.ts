/**
 * In the page: what stands for a field that is not seen itself, or only in part, as widgets of scripts have them.
 *
 * Such a widget is a small part of the page with one field in it. What is drawn over the field there is its face: who
 * points at it means the field. Sent as its own source. Neighbours: `hands.ts` points, `lists.ts` reads what is shown.
 */
export interface Faces {
  /** The widget around a field; the field itself where there is none. */
  widgetOf(field: Element): Element;
  /** Whether what was hit is the face of a field. */
  isFaceOf(hit: Element | undefined, field: Element): boolean;
}

const FIELD = "input:not([type=hidden]),select,textarea,[contenteditable=true],[role=combobox],[role=slider]";
const CONTROL = `${FIELD},button,a[href],summary,[role=button],[role=option],[role=menuitem],[role=tab]`;
const WHOLE = "body,html,form,fieldset,dialog,table,tr,ul,ol,main,section,article,[role=dialog]";
const LEVELS = 5;
/** Of what hides a field, the field itself included. */
const WRAPPERS = 3;
/** Pixels: a widget is hardly larger than a field of one line, with a name over it. */
const HIGH = 120;

const isSeen = (element: Element): boolean => {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  let up: Element | null = element;
  for (let level = 0; up && level < WRAPPERS; level++, up = up.parentElement) {
    const { width, height } = up.getBoundingClientRect();
    const { clip, clipPath, overflow } = getComputedStyle(up);
    if ((width <= 1 || height <= 1) && (up === element || overflow !== "visible")) return false;
    if (clip !== "auto" || clipPath !== "none") return false;
  }
  return true;
};

const widgetOf = (field: Element): Element => {
  let widget = field;
  for (let level = 0; level < LEVELS; level++) {
    // What a component is made of ends with its shadow root.
    const up = widget.parentElement;
    if (!up || up.matches(WHOLE) || up.getBoundingClientRect().height > HIGH) break;
    // Of several fields it cannot be said whose face it is; what helps a field that is seen is seen by nobody.
    const others = [...up.querySelectorAll(FIELD)].filter((one) => one !== field && !one.contains(field));
    if (others.some(isSeen)) break;
    widget = up;
  }
  return widget;
};

export const faces: Faces = {
  widgetOf,

  isFaceOf(hit, field) {
    if (!hit || !field.matches(FIELD)) return false;
    if (isSeen(field) && !field.matches("[role=combobox],[aria-haspopup]")) return false;
    const widget = widgetOf(field);
    if (widget === field || !widget.contains(hit)) return false;
    const control = hit.closest(CONTROL);
    return control === null || control === field || !widget.contains(control) || control.contains(field);
  },
};
