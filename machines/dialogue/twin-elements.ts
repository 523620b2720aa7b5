/** Removes elements that do the same as another element of the page, such as a second link to one address. */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { isField, rowText } from "./element-names.ts";
import type { Match } from "./target-match.ts";
import { plainText } from "./target-words.ts";

/**
 * Removes elements that do the same as an earlier element, because a page may have one header for wide and
 * one for narrow windows. Such elements are links with equal name and address, and search fields with equal
 * name and parameter. So are buttons with equal icons in equal toolbars, as above and below a list of mails.
 */
export function withoutTwins(
  matches: readonly Match[],
  all: readonly HighlightedElement[] = [],
): readonly Match[] {
  const seen = new Set<string>();
  return matches.filter(({ element }) => {
    const key = effectOf(element, all);
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
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
 * Returns a text that identifies the function of an element by its attributes. Elements with equal texts do
 * the same.
 */
function effectOf(element: HighlightedElement, all: readonly HighlightedElement[]): string | undefined {
  const { href, name } = element.attributes;
  const called = plainText(nameOf(element));
  if (href !== undefined) return /^(?:#|javascript:|$)/u.test(href) ? undefined : `${href} ${called}`;
  if (called === "" && element.icon !== undefined) {
    const toolbar = toolbarOf(element, all);
    if (toolbar !== "") return `toolbar ${toolbar} ${element.icon}`;
  }
  const isSearch = element.type === "search" || element.role === "searchbox" || /\bsearch\b/u.test(called);
  return isField(element) && isSearch && name ? `search ${name} ${called}` : undefined;
}
