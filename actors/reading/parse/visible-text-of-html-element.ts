/**
 * Returns the visible text of an element, with collapsed white space and without scripts and hidden parts. It
 * is used for the names of links and controls; `html-to-markdown.ts` converts whole documents.
 */
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { Child, HtmlElement } from "./parse-html-document.ts";

const UNREAD_TAGS = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "select",
  "textarea",
  "datalist",
]);

const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)/i;

/**
 * Whether the page itself declares an element as hidden: by an attribute, by an inline style, or as a closed
 * dialog.
 */
export function isDeclaredHidden({ tag, marked, attributes }: HtmlElement): boolean {
  if (tag === "dialog" && attributes.open === undefined) return true;
  if (!marked) return false;
  if (attributes.hidden !== undefined && attributes.hidden !== "until-found") return true;
  if (attributes["aria-hidden"] === "true") return true;
  return attributes.style !== undefined && HIDING_STYLE.test(attributes.style);
}

/**
 * Whether an element's text is hidden: the page declares it as hidden (`isDeclaredHidden`), or a browser
 * found that style sheets hide it. Links, controls and structure are read with `isDeclaredHidden` instead, so
 * that they are the same with and without a browser.
 */
export function isHidden(element: HtmlElement): boolean {
  return isDeclaredHidden(element) || element.attributes[readingLimits.hiddenMark] !== undefined;
}

/** Whether the page declares the element or an ancestor as hidden. */
export function isInsideHidden(element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (isDeclaredHidden(at)) return true;
  return false;
}

/** Whether the element is inside of a dialog that is hidden: by the page, or by style sheets in a browser. */
export function isInsideHiddenDialog(element: HtmlElement): boolean {
  return hiddenDialogAround(element) !== undefined;
}

/**
 * Returns the hidden element that hides a dialog and the given element in it: the dialog itself, or a box
 * around it. Returns `undefined` if the element is in no hidden dialog.
 */
export function hiddenDialogAround(element: HtmlElement): HtmlElement | undefined {
  let hasDialog = false;
  for (let at: HtmlElement | null = element; at; at = at.parent) {
    hasDialog ||= DIALOG_ROLES.has(at.attributes.role ?? "") || MODAL.test(at.attributes.class ?? "");
    if (hasDialog && isHidden(at)) return at;
  }
  return undefined;
}
const DIALOG_ROLES = new Set(["dialog", "alertdialog"]);
/** Matches the class of dialogs that have the role of a dialog only while they are open, or never (Bootstrap, Bulma). */
const MODAL = /(?:^|\s)modal(?:\s|$)/;

/**
 * Collapses white space. A zero-width space is removed, because it marks a possible line break and not the
 * end of a word.
 */
export function collapse(text: string): string {
  return text
    .replace(/\u200b/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns at most `length` characters. A text that was cut ends with an ellipsis. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.charCodeAt(length - 2);
  // A surrogate pair must not be cut in the middle. If the cut would be there, it is made before the pair.
  return `${text.slice(0, end >= 0xd800 && end <= 0xdbff ? length - 2 : length - 1)}…`;
}

/**
 * Returns the visible text of an element on one line, with the `alt` texts of images, at most `length`
 * characters.
 *
 * @param childrenOf returns the children whose text an element shows
 */
export function textOf(
  element: HtmlElement,
  length: number,
  childrenOf = ({ children }: HtmlElement): readonly Child[] => children,
): string {
  let text = "";
  // Four times as many characters are collected as are returned, because collapsing white space shortens the
  // text.
  const enough = 4 * length + 200;
  const gather = (from: HtmlElement): void => {
    for (const child of childrenOf(from)) {
      if (text.length > enough) return;
      if (typeof child === "string") text += child;
      else if (child.tag === "img") text += ` ${child.attributes.alt ?? ""} `;
      else if (child.tag === "br") text += " ";
      else if (!UNREAD_TAGS.has(child.tag) && !isDeclaredHidden(child)) {
        const block = child.block;
        if (block) text += " ";
        gather(child);
        if (block) text += " ";
      }
    }
  };
  gather(element);
  return cut(collapse(text), length);
}
