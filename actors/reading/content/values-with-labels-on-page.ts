/**
 * Reads labelled values of a page: definition lists, tables with two columns, and lines such as "Label:
 * value". They answer questions for single facts without a model.
 */

import { type HtmlElement, parseHtml } from "../parse/parse-html-document.ts";
import { isInsideHidden, textOf } from "../parse/visible-text-of-html-element.ts";

export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}

/** Maximum number of characters of a label. A longer text is a sentence. */
const MAX_LABEL = 80;
const MAX_VALUE = 500;
const MAX_VALUES = 1_000;
/** Tags of elements whose whole text may have the form "Label: value". */
const LINES: ReadonlySet<string> = new Set(["p", "li", "div", "span", "td", "h1", "h2", "h3", "h4"]);

export function readLabelledValues(html: string): readonly LabelledValue[] {
  const found: LabelledValue[] = [];
  const add = (label: string, value: string): void => {
    const name = label.replace(/\s*[:：]\s*$/u, "");
    if (name !== "" && name.length <= MAX_LABEL && value !== "" && found.length < MAX_VALUES)
      found.push({ label: name, value });
  };
  const visit = (element: HtmlElement): void => {
    if (isInsideHidden(element)) return;
    const children = element.children.filter((child): child is HtmlElement => typeof child !== "string");
    if (element.tag === "dl") definitions(children, add);
    if (element.tag === "tr") pair(children, add);
    const isLine = LINES.has(element.tag) && children.every((child) => !LINES.has(child.tag));
    if (isLine) line(textOf(element, MAX_LABEL + MAX_VALUE), add);
    for (const child of children) visit(child);
  };
  visit(parseHtml(html, false).html);
  return found;
}

type Add = (label: string, value: string) => void;

function definitions(children: readonly HtmlElement[], add: Add): void {
  // A definition list may have a `div` around each group of a term and its values.
  const items = children.flatMap((child) =>
    child.tag === "div"
      ? child.children.filter((inner): inner is HtmlElement => typeof inner !== "string")
      : [child],
  );
  let label = "";
  for (const item of items) {
    if (item.tag === "dt") label = textOf(item, MAX_LABEL + 1);
    else if (item.tag === "dd" && label !== "") add(label, textOf(item, MAX_VALUE));
  }
}

function pair([first, second, ...others]: readonly HtmlElement[], add: Add): void {
  if (!first || !second || others.length > 0 || second.tag !== "td") return;
  add(textOf(first, MAX_LABEL + 1), textOf(second, MAX_VALUE));
}

function line(text: string, add: Add): void {
  const [, label = "", value = ""] = /^([^:：]{2,80})[:：]\s+(.+)$/u.exec(text) ?? [];
  // The text before a colon is not a label if it ends with a digit ("10:30"), or if it is the scheme of a URL
  // ("https://…").
  if (!/\d$|https?$/.test(label)) add(label, value.trim());
}
