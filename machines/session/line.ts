/**
 * An element as a line of text for a model: `[12]<a href="/home">Home</a>`, only with what helps to choose it.
 *
 * Neighbour: `answer.ts` puts the lines together.
 */
import type { HighlightedElement } from "./analysis.ts";

const HREF_MOST = 60;
const NAME_MOST = 120;
const VALUE_MOST = 60;
const OPTIONS_MOST = 12;
const AROUND_MOST = 40;
const TYPED = /^(input|textarea|textbox|searchbox|spinbutton|combobox)$/;
/** Of three letters, or two that are words in scripts without small letters. */
const WORD = /\p{L}{3}|\p{Lo}{2}/u;
const SAYS = /[\p{L}\p{N}]/u;

/** One line, without control characters, quotes inside values replaced. */
function plain(text: string, most: number): string {
  const clean = text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replaceAll('"', "'")
    .trim();
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean;
}

/** As short as it can be told: without the origin and the folder of the page, or as it is written there. */
function shortHref(href: string, pageUrl: string): string {
  // A link that leads nowhere is a button: the page is no address of it.
  if (/^\s*#?\s*$/.test(href)) return "";
  const short = resolvedHref(href, pageUrl);
  const written = plain(href, HREF_MOST);
  return written.length < short.length ? written : short;
}

function resolvedHref(href: string, pageUrl: string): string {
  if (!URL.canParse(href, pageUrl)) return plain(href, HREF_MOST);
  const url = new URL(href, pageUrl);
  const page = URL.canParse(pageUrl) ? new URL(pageUrl) : undefined;
  if (url.protocol === "javascript:") return "";
  const local = url.origin === page?.origin;
  if (local && url.pathname === page?.pathname && url.search === page?.search && url.hash) return url.hash;
  if (!local) return plain(url.href, HREF_MOST);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // From the folder of the page, as the page itself would write it.
  const folder = page?.pathname.slice(0, page.pathname.lastIndexOf("/") + 1) ?? "/";
  const inner = folder.length > 1 && path.startsWith(folder) ? path.slice(folder.length) : "";
  return plain(/^[^/?#:]+([/?#]|$)/.test(inner) ? inner : path, HREF_MOST);
}

/** Of a link that is called something the address is told where it says more: another site, or which of its namesakes it is. */
function hrefOf({ attributes, namesake }: HighlightedElement, named: string, pageUrl: string): string {
  const { href = "" } = attributes;
  return named === "" || namesake || isElsewhere(href, pageUrl) ? shortHref(href, pageUrl) : "";
}

function isElsewhere(href: string, pageUrl: string): boolean {
  // Most are written without a scheme and a site, and there may be thousands.
  if (!/^\s*([a-z][a-z\d+.-]*:|[\\/]{2})/i.test(href)) return false;
  return URL.parse(href, pageUrl)?.origin !== URL.parse(pageUrl)?.origin;
}

function attributesOf(element: HighlightedElement, pageUrl: string): string {
  const { tagName: tag, type, role, attributes } = element;
  const parts: string[] = [];
  const put = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") parts.push(`${name}="${value}"`);
  };
  const named = nameOf(element);
  if (tag === "a") put("href", hrefOf(element, named, pageUrl));
  // A field is one for text unless it says otherwise.
  const told = tag === "input" ? type !== "text" : element.interactionType === "submit";
  if (told) put("type", type);
  if (role !== undefined && role !== tag && !/^(none|presentation)$/.test(role)) put("role", plain(role, 30));
  // Neither its tag nor its role says that it is typed into.
  if (element.interactionType === "input" && !TYPED.test(role ?? tag)) parts.push("editable");
  if (element.placeholder !== undefined && element.placeholder !== named)
    put("placeholder", plain(element.placeholder, VALUE_MOST));
  if (!isNamedByValue(element, named)) put("value", plain(element.value ?? "", VALUE_MOST));
  put("range", rangeOf(element));
  // In one word, as HTML writes what is so: a pair of name and value is three times as long.
  if (element.mixed) parts.push("mixed");
  else if (element.checked) parts.push("checked");
  else if (element.checked === false && tag !== "input") parts.push("unchecked");
  if (element.selected) parts.push("selected");
  const { "aria-expanded": expanded, "aria-haspopup": opens } = attributes;
  if (expanded === "true") parts.push("expanded");
  if (expanded === "false") parts.push("collapsed");
  if (opens === "true") parts.push("haspopup");
  else if (opens !== "false") put("haspopup", opens);
  if (isCurrent(element)) parts.push("current");
  put("sorted", element.sorted);
  if (element.required) parts.push("required");
  if (element.disabled) parts.push("disabled");
  if (element.interactionType === "input" && isReadOnly(attributes)) parts.push("readonly");
  if (element.covered !== undefined) parts.push("covered");
  if (element.scroll) parts.push("scrollable");
  if (!SAYS.test(named)) put("icon", element.icon);
  if (named === "" || element.namesake) put("in", plain(element.around ?? "", AROUND_MOST));
  return parts.length === 0 ? "" : ` ${parts.join(" ")}`;
}

/** Its value is what it is called, or is in that: it is not told twice. */
function isNamedByValue(element: HighlightedElement, named: string): boolean {
  const { tagName, role = "", value = "", textContent = "" } = element;
  if (tagName === "button" || value === named) return true;
  // What is typed into and called nothing else is told by its text.
  if (element.interactionType === "input") return textContent !== "" && textContent === named;
  return HOLDING.test(role) && textContent.includes(value);
}

/** Of what is set between two ends. */
function rangeOf({ role, type, attributes }: HighlightedElement): string {
  const { min, max, "aria-valuemin": least = min, "aria-valuemax": most = max } = attributes;
  const slides = role === "slider" || role === "spinbutton" || type === "range";
  const told = slides && least !== undefined && most !== undefined;
  // Those that a slider has unless it says otherwise.
  return told && (least !== "0" || most !== "100") ? `${least}..${most}` : "";
}

/** A class that marks it says nothing where an attribute does. */
function isCurrent({ attributes, current, selected, checked, mixed }: HighlightedElement): boolean {
  const { "aria-current": aria } = attributes;
  if (aria !== undefined) return /^(true|page|step|location|date|time)$/.test(aria);
  return current === true && selected === undefined && checked === undefined && !mixed;
}

const isReadOnly = (attributes: HighlightedElement["attributes"]): boolean =>
  attributes.readonly !== undefined || attributes["aria-readonly"] === "true";

/** What is written in these is what they hold, beside what they are called. */
const HOLDING = /^(combobox|slider|spinbutton|listbox|gridcell)$/;

/** Of what is written in an element and what it is called otherwise, as much as says something. */
function joined(own: string, called: string, holds: boolean): string {
  if (own === "" || called === "") return own || called;
  const [one, other] = [own.toLowerCase(), called.toLowerCase()];
  if (one !== other && one.includes(other)) return own;
  // A mere sign: an arrow, a cross.
  if (other.includes(one) || !SAYS.test(own)) return called;
  return holds ? `${called}: ${own}` : own;
}

/** What an element is called: its own text, and what stands for it. */
export function nameOf(element: HighlightedElement): string {
  const typed = element.interactionType === "input" || element.interactionType === "select";
  const own = typed ? undefined : element.textContent;
  // A day of a calendar says only its number.
  const day = element.role === "gridcell" ? element.attributes["data-date"] : undefined;
  const called = element.labelText || element.ariaLabel || day || "";
  // A sign, a letter, a number: what the page says beside the pointer tells what it is for.
  const hint = own && called === "" && !WORD.test(own) ? element.attributes.title?.trim() : undefined;
  // Of a button with a label of its own the text is what it holds: "Birthday: Pick a date".
  const holds = HOLDING.test(element.role ?? "") || (element.tagName === "button" && !!element.labelText);
  return (
    joined(own ?? "", hint || called, holds || hint !== undefined) ||
    (typed ? element.placeholder : undefined) ||
    (element.interactionType === "submit" ? element.value : undefined) ||
    (element.tagName === "select" ? "" : element.textContent) ||
    element.attributes.title ||
    element.attributes.alt ||
    element.attributes.name ||
    ""
  );
}

/** @param pageUrl addresses of its origin are told without it */
export function elementLine(element: HighlightedElement, pageUrl: string): string {
  const { tagName, highlight_index, options } = element;
  const chosen = options?.length
    ? ` (${options.slice(0, OPTIONS_MOST).join("|")}${options.length > OPTIONS_MOST ? "|…" : ""})`
    : "";
  const named = nameOf(element);
  // Of what is written in it as much as of any field.
  const holds = element.interactionType === "input" && named === element.textContent;
  const text = plain(named, holds ? VALUE_MOST : NAME_MOST) + chosen;
  const mark = element.new ? "*" : "";
  return `${mark}[${highlight_index}]<${tagName}${attributesOf(element, pageUrl)}>${text}</${tagName}>`;
}
