/**
 * Finds the text that a person reads as the label of a field to which the page gives no name: the text directly before
 * the field, in a box without other fields.
 */
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, isHidden, textOf } from "../parse/visible-text-of-html-element.ts";

/**
 * Maximum number of boxes around a field in which its text is searched for. In Uptime Kuma, the text is
 * beside the date field. In Unleash, it is several boxes above the editable element of a code editor
 * (CodeMirror).
 */
const MOST_BOXES = 6;
/** Maximum length of the text in characters. A longer text is a description, and not a label. */
const LONGEST_TEXT = 60;

const FIELD_TAGS: ReadonlySet<string> = new Set(["input", "select", "textarea", "button"]);
const BOUNDARY_TAGS: ReadonlySet<string> = new Set(["form", "fieldset", "table", "tr", "body", "main"]);

/** Returns the text before a field; `undefined` if there is none, or if its box contains other fields. */
export function textBeforeField(field: HtmlElement): string | undefined {
  let at = field;
  for (let level = 0; at.parent && level < MOST_BOXES; level++) {
    const box = at.parent;
    if (BOUNDARY_TAGS.has(box.tag) || countFields(box) > 1) return undefined;
    const before = box.children.slice(0, box.children.indexOf(at)).map(textOfNode);
    const text = before.findLast((one) => one !== "");
    if (text !== undefined) return text.length <= LONGEST_TEXT ? text : undefined;
    at = box;
  }
  return undefined;
}

function textOfNode(node: HtmlElement | string): string {
  if (typeof node === "string") return collapse(node);
  return isHidden(node) ? "" : textOf(node, LONGEST_TEXT + 1);
}

function countFields(element: HtmlElement): number {
  let count = 0;
  for (const child of element.children)
    if (typeof child !== "string") count += isField(child) ? 1 : countFields(child);
  return count;
}

function isField({ tag, attributes }: HtmlElement): boolean {
  const isEditable = attributes.contenteditable !== undefined && attributes.contenteditable !== "false";
  return (FIELD_TAGS.has(tag) && attributes.type?.toLowerCase() !== "hidden") || isEditable;
}
