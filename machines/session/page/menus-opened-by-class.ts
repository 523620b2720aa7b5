/**
 * Recognises controls that open a menu by a CSS class, if nothing else in their HTML shows it: a link to "#" with the
 * class `dropdown-menu` (Kanboard) or `dropdown-trigger` (phpBB), or a button with the class `dropdown-toggle`
 * (Bootstrap without its script).
 */
import type { HighlightedElement } from "./page-snapshot.ts";

/** Matches a class of a control that opens a menu. The plain `dropdown` is usually the element around the menu. */
const OPENS = /(?:^|\s)(?:js-)?(?:dropdown|context-?menu)[-_](?:menu|toggle|trigger|button|btn)(?:\s|$)/iu;

/** Whether a link without an address of its own, or a button, has a class that says that it opens a menu. */
export function opensMenuByClass({ tagName, role, attributes }: HighlightedElement): boolean {
  const { href, class: classes = "" } = attributes;
  const isControl =
    tagName === "a" ? href === undefined || href === "#" : tagName === "button" || role === "button";
  return isControl && OPENS.test(classes);
}
