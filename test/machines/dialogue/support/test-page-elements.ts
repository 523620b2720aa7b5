/** Elements of a page as the planner reads them, for unit tests. */
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

let next = 0;
export function element(given: Partial<HighlightedElement>): HighlightedElement {
  return {
    highlight_index: next++,
    tagName: "button",
    type: "submit",
    interactionType: "click",
    selector: "",
    xpath: "",
    attributes: {},
    box: { x: 0, y: 0, width: 10, height: 10 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...given,
  };
}

export const field = (labelText: string, more: Partial<HighlightedElement> = {}) =>
  element({ tagName: "input", type: "text", interactionType: "input", labelText, ...more });
export const button = (textContent: string, more: Partial<HighlightedElement> = {}) =>
  element({ textContent, ...more });
export const list = (labelText: string, options: readonly string[]) =>
  element({
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    labelText,
    options: [...options],
  });
