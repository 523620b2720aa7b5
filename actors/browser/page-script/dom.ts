/** Reading the DOM across shadow roots, closed ones included: elements, visibility and text. Holds no state. */
import { registry } from "./document-state.ts";

/** Options of `checkVisibility`: rendered, and `visibility` is not `hidden`. */
export const VISIBLE = { visibilityProperty: true } as const;
/** Options of `checkVisibility`: visible, and no `opacity: 0` on the element or around it. */
export const OPAQUE = { visibilityProperty: true, opacityProperty: true } as const;

/** Pixels: a box of this size or less is hidden from eyes and kept for assistive technology. */
export const HIDDEN_SIZE = 1;

/** Every element below a root. Elements of a shadow root follow their host; those of the root's own shadow come last. */
export function* deepElements(root: Document | ShadowRoot | Element): Generator<Element> {
  for (const element of root.querySelectorAll("*")) {
    yield element;
    const inner = registry.rootOf(element);
    if (inner) yield* deepElements(inner);
  }
  const own = root instanceof Element ? registry.rootOf(root) : null;
  if (own) yield* deepElements(own);
}

/** Every shadow root below a root, nested ones included. A host's own shadow root is not below it. */
export function* shadowRootsBelow(root: Document | ShadowRoot | Element): Generator<ShadowRoot> {
  for (const element of root.querySelectorAll("*")) {
    const inner = registry.rootOf(element);
    if (!inner) continue;
    yield inner;
    yield* shadowRootsBelow(inner);
  }
}

/** Every element below a root in the order in which it is rendered: slotted elements stand in the place of their slot. */
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

/** Whether an element is another one or below it, across shadow roots. Slots do not count, see `geometry.within`. */
export function isWithin(element: Element, ancestor: Element): boolean {
  let up: Element | null = element;
  while (up && up !== ancestor) up = registry.parentOf(up);
  return up === ancestor;
}

/** Opaque, and larger than what hides an element from eyes only. It may be scrolled out of view. */
export function isSeen(element: Element): boolean {
  if (!element.checkVisibility(OPAQUE)) return false;
  const { width, height } = element.getBoundingClientRect();
  return width > HIDDEN_SIZE && height > HIDDEN_SIZE;
}

/** Replaces white space by single spaces, and removes it at both ends. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Text to compare: without case, and with single spaces. */
export function comparable(text: string): string {
  return collapseSpaces(text).toLowerCase();
}

/** Collapses spaces, and shortens to a length in characters with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  const plain = collapseSpaces(
    text
      .slice(0, maxLength * 8)
      // Zero-width characters: pages keep an empty line open with them.
      .replace(/[\u200b\u2060\ufeff]/g, ""),
  );
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1).trimEnd()}…` : plain;
}

/** Dispatches the events that typing into a field sends, after a script has changed the field. */
export function dispatchInput(field: Element): void {
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
