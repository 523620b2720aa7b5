/**
 * Lists the interactive elements that a snapshot leaves out, each with the reason. The list is rarely needed,
 * so it is computed by a separate traversal of the document.
 */

import { registry } from "../page-script-document-state.ts";
import { deepElements, shorten, VISIBLE } from "../shadow-dom.ts";
import { describer, fingerprints, geometry } from "../world-bundle-modules-for-actions-bundle.ts";

export interface OmittedElement {
  readonly tag: string;
  readonly selector: string;
  readonly text: string;
  readonly reason:
    | "not_rendered"
    | "invisible"
    | "transparent"
    | "inert"
    | "behind_dialog"
    | "no_size"
    | "out_of_reach"
    | "hover_only"
    | "part_of_another";
  /** A short description of the ancestor that causes the omission, such as `div#menu`. */
  readonly by?: string;
}

export interface OmittedElements {
  /**
   * Returns the interactive elements that a snapshot leaves out, in document order. The list has at most
   * `most` elements; `more` is the number of elements that do not fit into it.
   */
  list(
    most: number,
    textLength: number,
  ): { readonly elements: readonly OmittedElement[]; readonly more: number };
}

/** Returns the outermost element for which `holds` is true: the element itself or one of its ancestors. */
const around = (element: Element, holds: (up: Element) => boolean): Element | undefined => {
  let found: Element | undefined;
  for (let up: Element | null = element; up; up = geometry.renderedParent(up)) if (holds(up)) found = up;
  return found;
};
const named = (reason: OmittedElement["reason"], element: Element, by: Element | undefined) =>
  by && by !== element ? { reason, by: geometry.brief(by) } : { reason };

const why = (element: Element, modal: Element | undefined): Pick<OmittedElement, "reason" | "by"> => {
  const style = getComputedStyle(element);
  const undrawn = around(element, (up) => getComputedStyle(up).display === "none");
  if (undrawn) return named("not_rendered", element, undrawn);
  const inert = around(element, (up) => up instanceof HTMLElement && up.inert);
  if (inert) return named("inert", element, inert);
  if (modal && !geometry.within(element, modal))
    return { reason: "behind_dialog", by: geometry.brief(modal) };
  if (style.visibility !== "visible")
    return named(
      "invisible",
      element,
      around(element, (up) => getComputedStyle(up).visibility !== "visible"),
    );
  const clear = around(element, (up) => getComputedStyle(up).opacity === "0");
  if (clear) return named("transparent", element, clear);
  if (!element.checkVisibility(VISIBLE)) return { reason: "not_rendered" };
  const box = geometry.boxOf(element);
  if (box.width <= 1 || box.height <= 1) return { reason: "no_size" };
  if (!geometry.canScrollTo(element)) return { reason: "out_of_reach" };
  return { reason: describer.isPassive(element) ? "hover_only" : "part_of_another" };
};

const selector = (element: Element): string => {
  const parts: string[] = [];
  for (let up: Element | null = element; up && parts.length < 4; up = registry.parentOf(up)) {
    parts.unshift(geometry.brief(up));
    if (up.id !== "") break;
  }
  return parts.join(" > ");
};

export const omittedElements: OmittedElements = {
  list(most, textLength) {
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
    const elements: OmittedElement[] = [];
    let more = 0;
    for (const element of deepElements(document)) {
      if (!describer.interactionOf(element, element.localName)) continue;
      if (fingerprints.get(registry.idOf(element))) continue;
      if (elements.length >= most) {
        more++;
        continue;
      }
      const said =
        element.getAttribute("aria-label") ?? element.getAttribute("name") ?? element.textContent ?? "";
      elements.push({
        tag: element.localName,
        selector: selector(element),
        text: shorten(element.textContent?.trim() ? element.textContent : said, textLength),
        ...why(element, modal),
      });
    }
    return { elements, more };
  },
};
