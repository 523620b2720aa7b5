/**
 * Reads the short visible texts of a page and the rows of its lists, each with its XPath. With these, a task
 * finds the row of the object that it names.
 */
import type { PageTexts } from "../../../machines/session/page/session-page-links-and-forms.ts";
import { fullXPath } from "../parse/css-and-xpath-locators.ts";
import { type HtmlElement, parseHtml } from "../parse/parse-html-document.ts";
import { isHidden, textOf } from "../parse/visible-text-of-html-element.ts";
import { roleOf } from "./describe-element-as-control.ts";

/** Maximum length in characters of a text that may be the name of an object. */
const TEXT_LENGTH = 120;
/** Maximum number of texts that are read from a page. The same number applies to rows. */
const MOST = 5_000;

const ROW_TAGS: ReadonlySet<string> = new Set(["tr", "li", "article"]);
const ROW_ROLES: ReadonlySet<string> = new Set(["row", "listitem"]);

export function readTexts(html: string): PageTexts {
  const { body } = parseHtml(html, false);
  const texts: { text: string; xpath: string }[] = [];
  const rows: string[] = [];
  const visit = (element: HtmlElement): void => {
    if (element.silent || isHidden(element) || texts.length >= MOST) return;
    if (isRow(element) && rows.length < MOST) rows.push(fullXPath(element));
    const inner = element.children.filter((child) => typeof child !== "string" || child.trim() !== "");
    // An element around a single other element has the same text as that element, so its text is not read
    // twice.
    if (inner.length !== 1 || typeof inner[0] === "string") {
      const text = textOf(element, TEXT_LENGTH);
      const xpath = fullXPath(element);
      if (text !== "" && !text.endsWith("…")) texts.push({ text, xpath });
      if (inner.length > 1) texts.push(...ownTexts(element, xpath));
    }
    for (const child of element.children) if (typeof child !== "string") visit(child);
  };
  visit(body);
  return { texts, rows };
}

/**
 * Returns the texts that an element has beside its child elements: "Alpha" of `<div>Alpha<br><span>A host</span></div>`, in
 * which no element has the name alone (SQLPad).
 */
function ownTexts({ children }: HtmlElement, xpath: string): readonly { text: string; xpath: string }[] {
  const own = children.filter((child) => typeof child === "string");
  return own.flatMap((child, at) => {
    const text = child.replace(/\s+/gu, " ").trim();
    const isName = /[\p{L}\p{N}]/u.test(text) && text.length <= TEXT_LENGTH;
    return isName ? [{ text, xpath: `${xpath}/text()[${at + 1}]` }] : [];
  });
}

function isRow(element: HtmlElement): boolean {
  return ROW_TAGS.has(element.tag) || ROW_ROLES.has(roleOf(element));
}
