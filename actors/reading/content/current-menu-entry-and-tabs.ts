/**
 * Finds which part of its application a page shows: the current entry of the navigation, and the selected
 * tabs. They distinguish pages of an application that have the same title and the same heading.
 */
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { isInsideHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import { landmarkOf, roleOf } from "./describe-element-as-control.ts";
import { headingText } from "./read-controls-forms-and-headings.ts";

export interface CurrentPart {
  /** Text of the only link of the navigation that is marked as the current one (`aria-current`). */
  readonly entry?: string;
  /** Texts of the selected tabs, in document order. */
  readonly tabs: readonly string[];
  /** Texts of the headings that are inside of links. They are the names of cards that lead to other pages. */
  readonly cards: readonly string[];
}

/**
 * Maximum number of characters of the name of a tab or of an entry of the navigation. A longer text is no
 * such name.
 */
const NAME_LENGTH = 60;

function isInLink(element: HtmlElement): boolean {
  for (let at = element.parent; at; at = at.parent)
    if (at.tag === "a" && "href" in at.attributes) return true;
  return false;
}

export function readCurrentPart(document: HtmlDocument): CurrentPart {
  const isShown = (element: HtmlElement): boolean => !isInsideHidden(element);
  const names = (elements: readonly HtmlElement[]): readonly string[] => [
    ...new Set(elements.filter(isShown).map((element) => textOf(element, NAME_LENGTH))),
  ];
  const tabs = names(
    document.controls.filter(
      (element) => roleOf(element) === "tab" && element.attributes["aria-selected"] === "true",
    ),
  ).filter((text) => text !== "");
  const [entry, other] = names(
    document.anchors.filter(
      (element) =>
        /^(?:page|true)$/u.test(element.attributes["aria-current"] ?? "") &&
        landmarkOf(element) === "navigation",
    ),
  );
  const cards = document.headings.filter((element) => isShown(element) && isInLink(element)).map(headingText);
  return { tabs, cards, ...(entry && other === undefined ? { entry } : {}) };
}
