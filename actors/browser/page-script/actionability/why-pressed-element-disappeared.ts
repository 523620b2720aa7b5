/**
 * Finds out why a pressed element has disappeared: together with its popup, because the page has drawn it
 * again, or for an unknown reason.
 */
import { VISIBLE } from "../shadow-dom.ts";
import { describer } from "../snapshot/describe-element.ts";
import { geometry } from "./element-geometry.ts";

/**
 * How a pressed element has disappeared. `gone`: its open popup has disappeared too, or a new element has got
 * the focus. `redrawn`: a similar element has taken its place. `lost`: neither was found, so the press may
 * have had no effect.
 */
export type Disappearance = "gone" | "redrawn" | "lost";

let pressed:
  | {
      readonly element: Element;
      readonly own: string;
      readonly root: Node;
      /**
       * The elements that existed before the press and have the same tag as the pressed element. An element
       * of this tag that is not among them was drawn after the press.
       */
      readonly before: WeakSet<Element>;
      /** The open menu, list or dialog that contains the element. */
      readonly layer: Element | undefined;
      readonly x: number;
      readonly y: number;
    }
  | undefined;

/** Selector of popups that close after a choice in them. */
const LAYER = "[role=menu],[role=listbox],[role=dialog],[role=tooltip],[popover],dialog";
const ownOf = (element: Element): string => describer.fingerprints()(element).own;
/** Returns tag, role and text of an element. To a person, two elements with equal values look the same. */
const appearanceOf = (own: string): string => own.split("\n", 3).join("\n");
const isDrawn = (element: Element): boolean => {
  if (!element.isConnected || !element.checkVisibility(VISIBLE)) return false;
  const { width, height } = geometry.boxOf(element);
  return width > 0 && height > 0;
};
const layerOf = (element: Element): Element | undefined => {
  for (let up: Element | null = element; up && up !== document.body; up = geometry.renderedParent(up)) {
    if (up.matches(LAYER) || /^(absolute|fixed)$/.test(getComputedStyle(up).position)) return up;
  }
  return undefined;
};
const sameTag = (root: Node, { localName }: Element): Element[] =>
  root instanceof Document || root instanceof ShadowRoot
    ? [...root.querySelectorAll(CSS.escape(localName))]
    : [];

/**
 * Must be called directly before an element is pressed at a point of the viewport. Records the element, its
 * open popup and all elements with the same tag. `disappearance` later compares the page with this record.
 */
export function begin(element: Element, x: number, y: number): void {
  const root = element.getRootNode();
  const before = new WeakSet(sameTag(root, element));
  pressed = { element, own: ownOf(element), root, before, layer: layerOf(element), x, y };
}

/**
 * Returns how the pressed element has disappeared. Returns `undefined` when it is still visible, or when no
 * element was pressed.
 * @param inserted the elements that were inserted since the press
 */
export function disappearance(inserted: ReadonlySet<Element>): Disappearance | undefined {
  if (!pressed || isDrawn(pressed.element)) return undefined;
  const { element, own, root, before, layer, x, y } = pressed;
  // An element that looks the same is now at the pressed point. It may be a new copy of the pressed element,
  // or a neighbour in a list that has moved to this point. Both cases count as `redrawn`.
  let there = geometry.hitTest(x, y) ?? null;
  for (; there; there = geometry.renderedParent(there)) {
    if (there.localName === element.localName && appearanceOf(ownOf(there)) === appearanceOf(own))
      return "redrawn";
  }
  const others = sameTag(root, element).filter((element) => !before.has(element) && isDrawn(element));
  if (others.some((element) => ownOf(element) === own)) return "redrawn";
  // The page may have removed the element for another reason than the click. So the element counts as `gone`
  // only if its popup has disappeared too, or if a newly inserted element has the focus.
  const handedOn = [...inserted].some((element) => element.contains(document.activeElement));
  return handedOn || (layer !== undefined && !isDrawn(layer)) ? "gone" : "lost";
}
