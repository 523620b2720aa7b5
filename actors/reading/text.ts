/**
 * The text of an element as a person reads it: collapsed white space, without scripts and hidden parts.
 * Used for names of links and controls; whole documents go through `markdown.ts`.
 */
import type { HtmlElement } from "./document.ts";

const UNREAD = new Set(["script", "style", "template", "noscript", "svg", "select", "textarea", "datalist"]);

/** Whether an element is marked as not shown (what only a style sheet hides cannot be known here). */
export function isHidden({ marked, attributes }: HtmlElement): boolean {
  if (!marked) return false;
  if (attributes.hidden !== undefined && attributes.hidden !== "until-found") return true;
  if (attributes["aria-hidden"] === "true") return true;
  const style = attributes.style;
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** Whether the element or anything around it is marked as not shown. */
export function isInsideHidden(element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parent) if (isHidden(at)) return true;
  return false;
}

/** White space as one space each. A zero-width space only says where a line may break: no word ends there. */
export function collapse(text: string): string {
  return text
    .replace(/\u200b/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** At most `length` characters, cut between characters and marked with an ellipsis. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.charCodeAt(length - 2);
  // Never between the halves of a surrogate pair.
  return `${text.slice(0, end >= 0xd800 && end <= 0xdbff ? length - 2 : length - 1)}…`;
}

/** The visible text of an element on one line, images by their `alt`, at most `length` characters. */
export function textOf(element: HtmlElement, length: number): string {
  let text = "";
  // White space may shrink by collapsing, so gather more than is asked for.
  const enough = 4 * length + 200;
  const gather = (from: HtmlElement): void => {
    for (const child of from.children) {
      if (text.length > enough) return;
      if (typeof child === "string") text += child;
      else if (child.tag === "img") text += ` ${child.attributes.alt ?? ""} `;
      else if (child.tag === "br") text += " ";
      else if (!UNREAD.has(child.tag) && !isHidden(child)) {
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
