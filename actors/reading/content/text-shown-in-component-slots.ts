/**
 * Reads the text that a component shows in its own elements by slots: the caption "Save" of
 * `<x-button>Save</x-button>`, whose shadow root contains `<button><slot></slot></button>`.
 */
import type { Child, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, textOf } from "../parse/visible-text-of-html-element.ts";

/** Returns the text of an element. If it has none, returns the text that the slots in it show. */
export function shownTextOf(element: HtmlElement, length: number): string {
  return textOf(element, length) || textOfSlots(element, length);
}

function textOfSlots(element: HtmlElement, length: number): string {
  const texts = [...slotsIn(element)].flatMap(assignedTo).map((node) => {
    if (typeof node === "string") return node;
    return node.tag === "slot" ? textOfSlots(node, length) : shownTextOf(node, length);
  });
  return collapse(texts.join(" ")).slice(0, length);
}

/** Returns the slots in an element that is in a shadow root. An element that is a slot is its own slot. */
function* slotsIn(element: HtmlElement): Generator<HtmlElement> {
  if (element.tag === "slot") yield element;
  else for (const child of element.children) if (typeof child !== "string") yield* slotsIn(child);
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
