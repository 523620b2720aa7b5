/**
 * Reads the text that a component shows in its own elements by slots: the caption "Save" of
 * `<x-button>Save</x-button>`, whose shadow root contains `<button><slot></slot></button>`.
 */
import type { Child, HtmlElement } from "../parse/parse-html-document.ts";
import { textOf } from "../parse/visible-text-of-html-element.ts";

/** Returns the text that an element shows, with the text in its slots. */
export const shownTextOf = (element: HtmlElement, length: number): string =>
  textOf(element, length, shownChildrenOf);

/**
 * Returns the nodes that an element shows as its children. A slot shows the nodes that are assigned to it, and its own
 * children only if there are none. A component shows its shadow root.
 */
function shownChildrenOf(element: HtmlElement): readonly Child[] {
  if (element.tag === "slot") {
    const assigned = assignedTo(element);
    if (assigned.length > 0) return assigned;
  }
  const inRoot = element.children.filter((child) => typeof child !== "string" && child.isInShadowRoot);
  return inRoot.length > 0 ? inRoot : element.children;
}

/**
 * Returns the nodes that a slot shows: the children of the host whose attribute `slot` is the slot's name. A slot
 * without a name shows the children without this attribute, and the host's own text.
 */
function assignedTo(slot: HtmlElement): readonly Child[] {
  let at: HtmlElement | null = slot;
  while (at && !at.isInShadowRoot) at = at.parent;
  const name = slot.attributes.name ?? "";
  return (at?.parent?.children ?? []).filter((child) =>
    typeof child === "string" ? name === "" : !child.isInShadowRoot && (child.attributes.slot ?? "") === name,
  );
}
