/**
 * Reads the DOM across shadow roots, including closed ones: elements, visibility and text. It has no state.
 */
import { registry } from "./page-script-document-state.ts";

/** Options of `checkVisibility`: the element must be rendered, and its `visibility` must not be `hidden`. */
export const VISIBLE = { visibilityProperty: true } as const;
/**
 * Options of `checkVisibility` for an element that is visible and not transparent: neither it nor an ancestor
 * has `opacity: 0`.
 */
export const OPAQUE = { visibilityProperty: true, opacityProperty: true } as const;

/**
 * Maximum width and height in pixels of a box that counts as invisible. Pages use such boxes for assistive
 * technology.
 */
export const HIDDEN_SIZE = 1;

/** Returns every element below a root, including the elements in shadow roots. */
export function* deepElements(root: Document | ShadowRoot | Element): Generator<Element> {
  for (const element of root.querySelectorAll("*")) {
    yield element;
    const inner = registry.rootOf(element);
    if (inner) yield* deepElements(inner);
  }
  const own = root instanceof Element ? registry.rootOf(root) : null;
  if (own) yield* deepElements(own);
}

/**
 * Returns every shadow root below a root, including nested ones. The shadow root of the given element itself
 * is not included.
 */
export function* shadowRootsBelow(root: Document | ShadowRoot | Element): Generator<ShadowRoot> {
  for (const element of root.querySelectorAll("*")) {
    const inner = registry.rootOf(element);
    if (!inner) continue;
    yield inner;
    yield* shadowRootsBelow(inner);
  }
}

/**
 * Returns every element below a root in the order in which it is rendered. Slotted elements are in the place
 * of their slot.
 */
export function flatTreeElements(root: Document | Element): readonly Element[] {
  const found: Element[] = [];
  const visit = (node: Document | Element): void => {
    const slotted = node instanceof HTMLSlotElement ? node.assignedElements() : [];
    const inner = node instanceof Element ? registry.rootOf(node) : null;
    for (const element of slotted.length > 0 ? slotted : (inner ?? node).children) {
      found.push(element);
      visit(element);
    }
  };
  visit(root);
  return found;
}

/**
 * Whether an element is `ancestor` itself or below it in the DOM, across shadow roots. Unlike
 * `geometry.within`, it ignores the slots in which elements are rendered.
 */
export function isWithin(element: Element, ancestor: Element): boolean {
  let up: Element | null = element;
  while (up && up !== ancestor) up = registry.parentOf(up);
  return up === ancestor;
}

/**
 * Whether an element is opaque and large enough to be seen. An element that is scrolled out of view counts
 * too.
 */
export function isSeen(element: Element): boolean {
  if (!element.checkVisibility(OPAQUE)) return false;
  const { width, height } = element.getBoundingClientRect();
  return width > HIDDEN_SIZE && height > HIDDEN_SIZE;
}

/**
 * Returns the text that an element of a component shows in its slots. It is the content of the component's
 * tag: "Save" in `<x-button>Save</x-button>`, whose shadow root has `<button><slot></slot></button>`.
 */
export function slottedText(element: Element): string {
  const slots = element instanceof HTMLSlotElement ? [element] : [...element.querySelectorAll("slot")];
  const nodes = slots.flatMap((slot) => slot.assignedNodes({ flatten: true }));
  return collapseSpaces(nodes.map(({ textContent }) => textContent ?? "").join(" "));
}

/** Whether the element is a component that draws a button around the content of its tag. */
export function isButtonComponent(element: Element): boolean {
  if (!element.localName.includes("-")) return false;
  return (registry.rootOf(element)?.querySelector("button slot,[role=button] slot") ?? null) !== null;
}

/**
 * Returns the element itself or its nearest ancestor that matches the selector, like `closest`. Unlike
 * `closest`, it continues in the document around a shadow root.
 */
export function closestOutside(element: Element, selector: string): Element | undefined {
  for (let up: Element | null = element; up; up = registry.parentOf(up)) if (up.matches(selector)) return up;
  return undefined;
}

/** Replaces white space by single spaces, and removes it at both ends. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns a text for comparison: in lower case and with single spaces. */
export function comparable(text: string): string {
  return collapseSpaces(text).toLowerCase();
}

/** Collapses white space, and shortens the text to a number of characters with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  const plain = collapseSpaces(
    text
      .slice(0, maxLength * 8)
      // Removes zero-width characters. Pages use them to give an empty line its height.
      .replace(/[\u200b\u2060\ufeff]/g, ""),
  );
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1).trimEnd()}…` : plain;
}

/**
 * Dispatches the events `input` and `change`, as typing does. Needed after a script has changed the value of
 * a field.
 */
export function dispatchInput(field: Element): void {
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
