/**
 * The visible text of an element: collapsed white space, without scripts and hidden parts. It serves names of
 * links and controls; whole documents are converted by `markdown.ts`.
 */
import { readingLimits } from "../../../machines/reading/limits.ts";
import type { HtmlElement } from "./html-document.ts";

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

/** What a page itself declares as hidden: by attributes, inline styles, or as a closed dialog. */
export function isDeclaredHidden({ tag, marked, attributes }: HtmlElement): boolean {
  if (tag === "dialog" && attributes.open === undefined) return true;
  if (!marked) return false;
  if (attributes.hidden !== undefined && attributes.hidden !== "until-found") return true;
  if (attributes["aria-hidden"] === "true") return true;
  return attributes.style !== undefined && HIDING_STYLE.test(attributes.style);
}

/**
 * Whether the text of an element is hidden: declared so, or by a style sheet as a browser has marked it. Links,
 * controls and structure go by what is declared, so that they are the same with and without a browser.
 */
export function isHidden(element: HtmlElement): boolean {
  return isDeclaredHidden(element) || element.attributes[readingLimits.hiddenMark] !== undefined;
}

/** Whether the page declares the element or an ancestor as hidden. */
export function isInsideHidden(element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (isDeclaredHidden(at)) return true;
  return false;
}

/** Collapses white space. A zero-width space is removed: it marks a possible line break, not the end of a word. */
export function collapse(text: string): string {
  return text
    .replace(/\u200b/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** At most `length` characters; a cut text ends with an ellipsis. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.charCodeAt(length - 2);
  // Do not cut a surrogate pair.
  return `${text.slice(0, end >= 0xd800 && end <= 0xdbff ? length - 2 : length - 1)}…`;
}

/** The visible text of an element on one line, with the `alt` of images, at most `length` characters. */
export function textOf(element: HtmlElement, length: number): string {
  let text = "";
  // Collapsing shortens the text, so collect more than `length`.
  const enough = 4 * length + 200;
  const gather = (from: HtmlElement): void => {
    for (const child of from.children) {
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
