/** Removes elements that do the same as another element of the page, such as a second link to one address. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { plainText } from "../words/normalised-words.ts";
import { isField, isTick, rowPath, rowText } from "./texts-that-may-name-element.ts";

/**
 * Removes matches that have the same effect as an earlier match, such as controls of a second header for
 * narrow windows. Links are compared by name and address, search fields by name and parameter, and icon
 * buttons by the icons of their toolbar.
 */
export function withoutTwins<Found extends { readonly element: HighlightedElement }>(
  matches: readonly Found[],
  all: readonly HighlightedElement[] = [],
): readonly Found[] {
  const seen = new Set<string>();
  return matches.filter(({ element }) => {
    if (isLabelOf(element, all) || isProxyOf(element, all) || isPartOf(element, all)) return false;
    const key = effectOf(element, all);
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Maximum distance, in elements, between a control and an element that is its label. */
const LABEL_DISTANCE = 2;

/**
 * Whether an element without a role is only the label of a control next to it. The control then has the text of
 * the element as its name.
 */
function isLabelOf(element: HighlightedElement, all: readonly HighlightedElement[]): boolean {
  if (element.role !== undefined || !/^(?:div|span|label|h\d|p)$/u.test(element.tagName)) return false;
  const called = plainText(nameOf(element));
  if (called === "") return false;
  const at = all.indexOf(element);
  return all
    .slice(Math.max(0, at - LABEL_DISTANCE), at + 1 + LABEL_DISTANCE)
    .some((one) => one !== element && (isTick(one) || isField(one)) && plainText(nameOf(one)) === called);
}

/**
 * Whether an element is only the text of a button. The button directly precedes the element and has the same
 * name. Buttons of web components contain such text elements.
 */
function isPartOf(element: HighlightedElement, all: readonly HighlightedElement[]): boolean {
  if (element.role !== undefined || element.tagName !== "span") return false;
  const before = all[all.indexOf(element) - 1];
  return (
    before?.tagName === "button" &&
    element.selector.startsWith(`${before.selector} > `) &&
    plainText(nameOf(before)) === plainText(nameOf(element))
  );
}

/**
 * Whether an element is the visible checkbox that a library draws over a hidden one. This is the case if a
 * checkbox shortly before the element has the same name and the same parent element.
 */
function isProxyOf(element: HighlightedElement, all: readonly HighlightedElement[]): boolean {
  const called = plainText(nameOf(element));
  if (called === "" || (!isTick(element) && element.role !== "presentation")) return false;
  const at = all.indexOf(element);
  return all.slice(Math.max(0, at - LABEL_DISTANCE), Math.max(0, at)).some((one) => {
    const box = one.xpath.slice(0, one.xpath.lastIndexOf("/") + 1);
    return isTick(one) && plainText(nameOf(one)) === called && element.xpath.startsWith(box);
  });
}

/**
 * Returns the icons of an icon-only button and of the buttons next to it. The result is empty if the button is
 * alone, or in the row of a table or list.
 */
function toolbarOf(element: HighlightedElement, all: readonly HighlightedElement[]): string {
  const parentOf = ({ xpath }: HighlightedElement): string => xpath.slice(0, xpath.lastIndexOf("/"));
  const icons = all.filter((one) => parentOf(one) === parentOf(element)).map(({ icon }) => icon ?? "");
  const isInRow = /\/(?:tr|li)(?:\[\d+\])?\//u.test(element.xpath);
  return isInRow || rowText(element) !== "" || icons.length < 2 ? "" : icons.join(" ");
}

/**
 * Returns a text that identifies the effect of a click on the element. Elements with equal texts have the same
 * effect. `undefined` if the effect is not known.
 */
function effectOf(element: HighlightedElement, all: readonly HighlightedElement[]): string | undefined {
  const { href, name } = element.attributes;
  const called = plainText(nameOf(element));
  if (href !== undefined) {
    // Links with the same name and address in different rows of a table count as different.
    const row = rowPath(element) ?? "";
    return /^(?:#|javascript:|$)/u.test(href) ? undefined : `${href} ${called} ${row}`;
  }
  if (called === "" && element.icon !== undefined) {
    const toolbar = toolbarOf(element, all);
    if (toolbar !== "") return `toolbar ${toolbar} ${element.icon}`;
  }
  const isSearch = element.type === "search" || element.role === "searchbox" || /\bsearch\b/u.test(called);
  return isField(element) && isSearch && name ? `search ${name} ${called}` : undefined;
}
