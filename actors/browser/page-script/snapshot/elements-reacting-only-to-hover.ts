/**
 * Recognises elements that react only to the pointer over them, although they seem interactive. Examples are
 * marks in charts and elements with tooltips. Snapshots omit them, but an action can hover over them.
 */
import { registry } from "../page-script-document-state.ts";

/** Matches tags of SVG shapes from which charts are drawn. */
const SHAPES = /^(path|rect|circle|ellipse|line|polyline|polygon|text|tspan|g|use|image)$/;
/**
 * Selector of controls in a drawing, which have a role, a link or a click handler in their markup. Shapes of
 * a chart that only show data have none of these.
 */
const OPERATED =
  "a *, [onclick], [role]:not([role=img],[role=graphics-symbol],[role=presentation],[role=none]), [draggable=true]";
/**
 * Minimum number of similar shapes in a drawing that counts as a chart. Fewer similar shapes may be the nodes
 * of an editor.
 */
const MIN_MARKS = 8;
/** Attributes in which pages and component libraries store the text of a tooltip. */
const TOOLTIPS =
  "[title], [aria-describedby], [data-tooltip], [data-tip], [data-toggle=tooltip], [data-bs-toggle=tooltip], " +
  "[data-original-title], [data-bs-original-title], [data-tippy-content], [uk-tooltip], [data-uk-tooltip]";
/**
 * Selector of elements that have a role, or a state such as expanded. Such elements do more than show a
 * tooltip.
 */
const STATEFUL =
  "[role]:not([role=img],[role=note],[role=text]), [aria-expanded], [aria-haspopup], [contenteditable]";

/**
 * The number of shapes of each kind in a drawing (an `svg` element). Shapes of one kind have the same tag and
 * the same first class.
 */
let counts = new WeakMap<Element, Map<string, number>>();

/** Must be called before each traversal of the document. It sets the counts of similar shapes to zero. */
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

/**
 * Whether a shape in a drawing is a mark, such as a point of a chart, and not a control. It has no listener
 * for clicks or keys, and it has the role `img` or is one of many similar shapes.
 */
function isMark(element: SVGElement): boolean {
  const drawing = element.ownerSVGElement;
  if (!drawing || !SHAPES.test(element.localName) || registry.hasOperatingListener(element)) return false;
  if (element.matches(OPERATED)) return false;
  return element.getAttribute("role") === "img" || alike(element, drawing) >= MIN_MARKS;
}

/**
 * Whether the element does nothing on a click or a key press.
 *
 * @param pressed whether a pointer cursor shows that the element can be clicked; in a drawing, this counts
 * only if an ancestor has a click listener
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
