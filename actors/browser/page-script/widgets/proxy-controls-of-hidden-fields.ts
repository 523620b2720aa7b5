/**
 * Finds proxy controls: the visible elements that a component shows in place of its hidden input or select. A
 * click on a proxy control operates the hidden field.
 */
import { registry } from "../page-script-document-state.ts";
import { HIDDEN_SIZE, OPAQUE } from "../shadow-dom.ts";

/** Selector of fields that a component may hide behind a proxy control. */
const FIELD = "input:not([type=hidden]),select,textarea,[contenteditable=true],[role=combobox],[role=slider]";
/**
 * Selector of controls. An element inside of another control belongs to that control, and so cannot represent
 * the field.
 */
const CONTROL = `${FIELD},button,a[href],summary,[role=button],[role=option],[role=menuitem],[role=tab]`;
/** Selector of containers that are larger than a component. The search for a field's component ends there. */
const NOT_A_WIDGET = "body,html,form,fieldset,dialog,table,tr,ul,ol,main,section,article,[role=dialog]";
/**
 * Maximum number of elements around a field that are searched for the component to which the field belongs.
 */
const MAX_WIDGET_LEVELS = 5;
/**
 * Number of elements that are checked for whether they hide a field: the field itself and its nearest
 * ancestors.
 */
const MAX_WRAPPERS = 3;
/**
 * Maximum height in pixels of a component that consists of a single-line field and its label. A taller
 * ancestor is not part of the component.
 */
const MAX_WIDGET_HEIGHT = 120;

/**
 * Whether an element is visible and not clipped by an ancestor. A component with a proxy control usually
 * clips its input to hide it.
 */
function isSeenUnclipped(element: Element): boolean {
  if (!element.checkVisibility(OPAQUE)) return false;
  let up: Element | null = element;
  for (let level = 0; up && level < MAX_WRAPPERS; level++, up = up.parentElement) {
    const { width, height } = up.getBoundingClientRect();
    const { clip, clipPath, overflow } = getComputedStyle(up);
    if ((width <= HIDDEN_SIZE || height <= HIDDEN_SIZE) && (up === element || overflow !== "visible"))
      return false;
    if (clip !== "auto" || clipPath !== "none") return false;
  }
  return true;
}

/** Returns the component around a field, or the field itself when there is none. */
export function widgetOf(field: Element): Element {
  let widget = field;
  for (let level = 0; level < MAX_WIDGET_LEVELS; level++) {
    // `parentElement` is null for the topmost element in a shadow root, so the search ends there.
    const up = widget.parentElement;
    if (!up || up.matches(NOT_A_WIDGET) || up.getBoundingClientRect().height > MAX_WIDGET_HEIGHT) break;
    // A component has only one visible field. So the component ends below the first ancestor that contains a
    // second visible field. Hidden helper fields do not count.
    const others = [...up.querySelectorAll(FIELD)].filter(
      (element) => element !== field && !element.contains(field),
    );
    if (others.some(isSeenUnclipped)) break;
    widget = up;
  }
  return widget;
}

/** Whether the element at the point of the click is a visible control that operates this hidden field. */
export function isProxyOf(hit: Element | undefined, field: Element): boolean {
  if (!hit || !field.matches(FIELD)) return false;
  if (isSeenUnclipped(field) && !field.matches("[role=combobox],[aria-haspopup]")) return false;
  const widget = widgetOf(field);
  if (widget === field || !widget.contains(hit)) return false;
  const control = hit.closest(CONTROL);
  return control === null || control === field || !widget.contains(control) || control.contains(field);
}

/** Selector of elements that a user clicks to open a list. */
const OPENER = "[role=combobox],[aria-haspopup],[aria-expanded],[tabindex],input,button";
/** Number of ancestors of a control in which its hidden select is searched for. */
const MAX_SELECT_LEVELS = 3;
/** Number of siblings before and after an element among which its hidden select is searched for. */
const MAX_SIBLINGS = 2;

const isHidden = (element: Element): boolean => {
  if (!element.checkVisibility(OPAQUE)) return true;
  const { width, height } = element.getBoundingClientRect();
  if (width <= HIDDEN_SIZE || height <= HIDDEN_SIZE) return true;
  // A page clips an element to hide it on the screen but keep it for screen readers. Here, a clipped element
  // counts as hidden.
  const { clip, clipPath } = getComputedStyle(element);
  return clip !== "auto" || clipPath !== "none";
};

/**
 * Returns the element that the `for` attribute of a label names. In some components, this is a button or
 * another element that opens a list, and no form field.
 */
const labelledBy = (label: HTMLLabelElement): Element | null => {
  const { control, htmlFor } = label;
  const root = label.getRootNode();
  if (control || htmlFor === "" || !(root instanceof Document || root instanceof ShadowRoot)) return control;
  const named = root.getElementById(htmlFor);
  return named?.matches(OPENER) ? named : null;
};

const hiddenSelect = (element: Element | null | undefined): HTMLSelectElement | undefined =>
  element instanceof HTMLSelectElement && isHidden(element) ? element : undefined;

const near = function* (element: Element, first: "next" | "previous"): Generator<Element> {
  const step = (from: Element, way: "next" | "previous"): Element | null =>
    way === "next" ? from.nextElementSibling : from.previousElementSibling;
  const second = first === "next" ? "previous" : "next";
  let [node, other]: (Element | null)[] = [element, element];
  for (let at = 0; at < MAX_SIBLINGS; at++) {
    node = node && step(node, first);
    if (node) yield node;
    other = other && step(other, second);
    if (other) yield other;
  }
};

/** Returns the hidden select that stores the choice of a custom list control. */
export function hiddenSelectOf(control: Element): HTMLSelectElement | undefined {
  const label = control instanceof HTMLLabelElement ? control : undefined;
  const labelled = hiddenSelect(label?.control);
  if (labelled) return labelled;
  let up: Element | null = control;
  for (let level = 0; up && level <= MAX_SELECT_LEVELS; level++, up = registry.parentOf(up)) {
    if (up === document.body || up === document.documentElement) break;
    const inside = [...up.querySelectorAll("select")];
    // The search ends when an element contains several selects, because it is unclear which one belongs to
    // the control.
    if (inside.length > 1) break;
    const own = hiddenSelect(inside[0]);
    if (own) return own;
    for (const element of near(up, label ? "next" : "previous")) {
      const hiddenField = hiddenSelect(element);
      if (hiddenField) return hiddenField;
    }
  }
  return undefined;
}

/**
 * Returns the visible control that a person operates in place of a hidden select. For a label, it is the
 * control that the label names.
 */
export function proxyFor(element: Element): Element | undefined {
  const select = element instanceof HTMLLabelElement ? labelledBy(element) : element;
  if (!select) return undefined;
  if (!isHidden(select)) return select === element ? undefined : select;
  const opens = (element: Element): Element | undefined =>
    [element, ...element.querySelectorAll(OPENER)].find((each) => each.matches(OPENER) && !isHidden(each));
  let up = registry.parentOf(select);
  for (let level = 0; up && level < MAX_SELECT_LEVELS; level++, up = registry.parentOf(up)) {
    if (up === document.body || up.querySelectorAll("select").length > 1) break;
    if (up.matches(OPENER) && !isHidden(up)) return up;
  }
  for (const element of near(select, "next")) {
    if (element instanceof HTMLLabelElement || element instanceof HTMLSelectElement) continue;
    const found = opens(element);
    if (found) return found;
  }
  return undefined;
}
