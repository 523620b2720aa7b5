/**
 * Reads a page that shows a single message with labelled fields such as From and Date, as archives of mailing
 * lists do.
 */
import { findDate } from "../../../machines/reading/date-in-text.ts";
import type { Post } from "../../../machines/reading/forum-thread-post.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, isDeclaredHidden } from "../parse/visible-text-of-html-element.ts";
import { readDate } from "./page-date-parser.ts";

const FROM = /^(?:from|von|de|da|van|от|author|autor|auteur|sender|absender)\s*[:：]?$/i;
const DATE = /^(?:date|datum|fecha|data|sent|gesendet|envoyé|дата)\s*[:：]?$/i;
const SUBJECT = /^(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|тема)\s*[:：]?$/i;
/** Matches a text that consists of a label and the subject, such as "Subject: Noisy pump". */
const SUBJECT_FIELD =
  /^\s*(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|тема)\s*[:：]\s*(\S.*)$/i;
/** Matches a labelled field within one text, such as "From: Ada <ada@example.org>". */
const FIELD = /^\s*(from|von|de|author|date|datum|fecha|sent)\s*[:：]\s*(\S.*)$/i;
/**
 * Matches a line that ends a message: the line before a signature (RFC 3676), or a link that archives put
 * below the text.
 */
const SIGNATURE = /^-- ?$|^\^ permalink\b/;
/** Maximum number of lines between the date and the sender of a message, when the date comes first. */
const HEADER_LINES = 6;
const FIELD_LENGTH = 160;
const TEXT_LENGTH = 20_000;
/** Minimum number of characters of a message's text. */
const LEAST_TEXT = 12;

/** A message of a mailing list, with its subject; `null` if the page shows no subject. */
export interface Message extends Post {
  readonly subject: string | null;
}

/**
 * Returns the message of the page. Returns `undefined` when the page has no fields for sender and date, or no
 * text after them.
 */
export function readMessage({ body }: HtmlDocument, main: HtmlElement, now: number): Message | undefined {
  const texts = textsOf(body);
  let author: string | undefined;
  let date: string | undefined;
  let after = -1;
  const fields: HtmlElement[] = [];
  for (const [index, { text, element }] of texts.entries()) {
    if (text.length > FIELD_LENGTH) continue;
    const [, name = "", value = ""] = FIELD.exec(text) ?? [];
    const next = texts[index + 1]?.text ?? "";
    if (author === undefined && (FROM.test(text) || FROM.test(name))) {
      author = nameOf(value || next.replace(/^[:：]\s*/, ""));
      after = Math.max(after, index);
      fields.push(element);
    }
    if (date === undefined && (DATE.test(text) || DATE.test(name))) {
      const written = value || next.replace(/^[:：]\s*/, "");
      date = readDate(written, now)?.slice(0, 10) ?? findDate(written.slice(0, FIELD_LENGTH), now)?.day;
      after = Math.max(after, index);
      fields.push(element);
    }
    if (author !== undefined && date !== undefined) break;
  }
  if (author === undefined || date === undefined) return undefined;
  const header = headerOf(fields);
  const subject = header ? subjectIn(textsOf(header).map(({ text }) => text)) : null;
  const whole = preformattedIn(body).flatMap((element) => preformattedMessage([element], now) ?? [])[0];
  if (whole) return { ...whole, subject };
  const text = messageText(body, main, texts[after]?.element, header);
  return text.length < LEAST_TEXT ? undefined : { author, date, text, subject };
}

/**
 * Returns the subject of the message: from one text such as "Subject: Noisy pump", or from the text after a
 * label "Subject".
 */
function subjectIn(texts: readonly string[]): string | null {
  for (const [index, text] of texts.entries()) {
    const own = SUBJECT_FIELD.exec(text)?.[1];
    const value = own ?? (SUBJECT.test(text) ? (texts[index + 1] ?? "").replace(/^[:：]\s*/, "") : "");
    if (value !== "") return value.slice(0, FIELD_LENGTH);
  }
  return null;
}

/**
 * Returns the name of a sender: "Ada Kern" for "Ada Kern <ada@example.org>" and for "ada at example.org (Ada
 * Kern)".
 */
function nameOf(written: string): string | undefined {
  const inBrackets = /\(([^()@]{2,40})\)\s*$/.exec(written)?.[1];
  const name = (inBrackets ?? written.replace(/\s*[<[(].*$/, "")).replace(/^["'\s]+|["'\s,;]+$/g, "");
  return name.length < 2 || name.length > 60 ? undefined : name;
}

/**
 * Returns the smallest element that contains all fields of the message. If this element has much text, it
 * contains more than the fields, and the result is `undefined`.
 */
function headerOf(fields: readonly HtmlElement[]): HtmlElement | undefined {
  let header: HtmlElement | undefined = fields[0];
  while (header && !fields.every((field) => contains(header as HtmlElement, field)))
    header = header.parent ?? undefined;
  return header && textOf(header).length <= HEADER_LINES * FIELD_LENGTH ? header : undefined;
}

/**
 * Returns the text of a message after its header fields. The text ends at a signature or a horizontal rule.
 * Mail archives (Sympa, MHonArc) draw such a rule before the answers, and mail programs before a quoted
 * message.
 */
function textBehind(scope: HtmlElement, header: HtmlElement): string {
  const lines: string[] = [];
  let state: "before" | "in" | "after" = "before";
  const walk = (element: HtmlElement) => {
    for (const child of element.children) {
      if (state === "after") return;
      if (typeof child === "string") {
        if (SIGNATURE.test(child.trim())) state = state === "in" ? "after" : state;
        else if (state === "in") lines.push(child);
      } else if (child === header) state = "in";
      else if (child.tag === "hr") state = collapse(lines.join("")).length < LEAST_TEXT ? state : "after";
      else if (!child.silent && !isDeclaredHidden(child)) {
        walk(child);
        if (child.block || child.tag === "br") lines.push("\n");
      }
    }
  };
  walk(scope);
  return collapse(lines.join(""));
}

/**
 * Returns the text of a message: the longest preformatted text after the header fields. If the message has no
 * preformatted text, returns all text after the fields, or the page's main content.
 */
function messageText(
  body: HtmlElement,
  main: HtmlElement,
  field: HtmlElement | undefined,
  header: HtmlElement | undefined,
): string {
  let behind = field === undefined;
  let best = "";
  const walk = (element: HtmlElement) => {
    if (element === field) behind = true;
    if (element.tag === "pre" && (behind || contains(element, field))) {
      const text = collapse(textOf(element));
      if (text.length > best.length) best = text;
      return;
    }
    for (const child of element.children)
      if (typeof child !== "string" && !child.silent && !isDeclaredHidden(child)) walk(child);
  };
  walk(body);
  if (best !== "") return best.slice(0, TEXT_LENGTH);
  const own = header === undefined ? "" : textBehind(contains(main, header) ? main : body, header);
  return (own.length < LEAST_TEXT ? collapse(textOf(main)) : own).slice(0, TEXT_LENGTH);
}

/**
 * Reads a message from a `pre` element that begins with fields such as `From:` and `Date:`, followed by the
 * text. Returns `undefined` for other elements.
 */
export function preformattedMessage(parts: readonly HtmlElement[], now: number): Post | undefined {
  if (parts[0]?.tag !== "pre") return undefined;
  const lines = parts.map(textOf).join("\n").split("\n");
  const from = lines.findIndex((line) => FROM.test(FIELD.exec(line)?.[1] ?? ""));
  const start = from < 0 ? -1 : lines.findIndex((line, index) => index > from && line.trim() === "");
  if (start < 0) return undefined;
  const fields = lines.slice(Math.max(0, from - HEADER_LINES), start);
  const dates = fields.filter((line) => DATE.test(FIELD.exec(line)?.[1] ?? ""));
  const date = [...dates, lines[from] ?? ""]
    .flatMap((line) => findDate(line.slice(0, FIELD_LENGTH), now)?.day ?? [])
    .at(0);
  const author = nameOf((FIELD.exec(lines[from] ?? "")?.[2] ?? "").replace(/\s+@\s+\d.*$/, ""));
  if (date === undefined || author === undefined) return undefined;
  const end = lines.findIndex((line, index) => index > start && SIGNATURE.test(line));
  const text = collapse(lines.slice(start, end < 0 ? undefined : end).join("\n")).slice(0, TEXT_LENGTH);
  return text.length < LEAST_TEXT ? undefined : { author, date, text };
}

function preformattedIn(root: HtmlElement): readonly HtmlElement[] {
  if (root.tag === "pre") return [root];
  return root.children.flatMap((child) =>
    typeof child === "string" || child.silent || isDeclaredHidden(child) ? [] : preformattedIn(child),
  );
}

function contains(element: HtmlElement, inner: HtmlElement | undefined): boolean {
  for (let at = inner; at; at = at.parent ?? undefined) if (at === element) return true;
  return false;
}

function textOf(element: HtmlElement): string {
  let text = "";
  for (const child of element.children) {
    if (typeof child === "string") text += child;
    else if (child.tag === "br") text += "\n";
    else if (!child.silent && !isDeclaredHidden(child))
      text += child.block ? `\n${textOf(child)}\n` : textOf(child);
  }
  return text;
}

function textsOf(root: HtmlElement): readonly { readonly text: string; readonly element: HtmlElement }[] {
  const texts: { readonly text: string; readonly element: HtmlElement }[] = [];
  const walk = (element: HtmlElement, preformatted: boolean) => {
    for (const child of element.children) {
      if (typeof child !== "string") {
        if (!child.silent && !isDeclaredHidden(child)) walk(child, preformatted || child.tag === "pre");
        continue;
      }
      for (const line of preformatted ? child.split("\n") : [child]) {
        const text = collapse(line);
        if (text !== "") texts.push({ text, element });
      }
    }
  };
  walk(root, false);
  return texts;
}
