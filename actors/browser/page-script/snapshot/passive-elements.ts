/**
 * Elements that are interactive by their markup or a listener but only react to the pointer over them: marks and
 * labels of charts, and carriers of tooltips. They are left out of the list, and can still be hovered.
 */
import { registry } from "../document-state.ts";

/** Shapes of which charts are drawn. */
const SHAPES = /^(path|rect|circle|ellipse|line|polyline|polygon|text|tspan|g|use|image)$/;
/** Markup of a control, which a mark does not have. */
const OPERATED =
  "a *, [onclick], [role]:not([role=img],[role=graphics-symbol],[role=presentation],[role=none]), [draggable=true]";
/** Fewer shapes of one kind may be the handles or nodes of an editor. */
const MIN_MARKS = 8;
/** Attributes in which pages and widget libraries keep the text of a tooltip. */
const TOOLTIPS =
  "[title], [aria-describedby], [data-tooltip], [data-tip], [data-toggle=tooltip], [data-bs-toggle=tooltip], " +
  "[data-original-title], [data-bs-original-title], [data-tippy-content], [uk-tooltip], [data-uk-tooltip]";
/** What a tooltip carrier does not have: roles, and states of something that opens. */
const STATEFUL =
  "[role]:not([role=img],[role=note],[role=text]), [aria-expanded], [aria-haspopup], [contenteditable]";

/** Shapes alike in one drawing, by drawing and kind. */
let counts = new WeakMap<Element, Map<string, number>>();

/** Call before each walk. */
export function begin(): void {
  counts = new WeakMap();
}

function alike(element: SVGElement, drawing: SVGSVGElement): number {
  const { localName, classList } = element;
  const kind = classList[0] === undefined ? localName : `${localName}.${CSS.escape(classList[0])}`;
  const known = counts.get(drawing) ?? new Map<string, number>();
  const count = known.get(kind) ?? drawing.querySelectorAll(kind).length;
  counts.set(drawing, known.set(kind, count));
  return count;
}

/** Whether a shape is one of many that only listen to presses, or an image in a drawing without a click. */
function isMark(element: SVGElement): boolean {
  const drawing = element.ownerSVGElement;
  if (!drawing || !SHAPES.test(element.localName) || registry.hasOperatingListener(element)) return false;
  if (element.matches(OPERATED)) return false;
  return element.getAttribute("role") === "img" || alike(element, drawing) >= MIN_MARKS;
}

/**
 * Whether a click or a key on the element does nothing.
 * @param pressed the pointer cursor says that it can be clicked; in a drawing also a listener around it
 */
export function isPassive(element: Element, pressed: boolean): boolean {
  if (pressed) return false;
  if (element instanceof SVGElement) return isMark(element);
  return (
    element.matches(TOOLTIPS) &&
    !element.matches(STATEFUL) &&
    !registry.hasClickListener(element) &&
    !registry.hasOperatingListener(element)
  );
}
