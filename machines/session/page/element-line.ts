/**
 * Writes an element as one line for a language model, such as `[12]<a href="/home">Home</a>`. The line
 * contains only what helps to choose the element.
 */
import type { HighlightedElement } from "./page-snapshot.ts";
import { isRandom } from "./recognise-random-identifier.ts";

const HREF_MOST = 60;
const NAME_MOST = 120;
const VALUE_MOST = 60;
const OPTIONS_MOST = 12;
const AROUND_MOST = 40;
const TYPED = /^(input|textarea|textbox|searchbox|spinbutton|combobox)$/;
/**
 * Matches a text that contains a word: three letters in a row, or two letters of a script without upper and
 * lower case, such as Chinese.
 */
const WORD = /\p{L}{3}|\p{Lo}{2}/u;
const SAYS = /[\p{L}\p{N}]/u;

/** Returns a text on one line, without control characters and with replaced quotes. */
function plain(text: string, most: number): string {
  const clean = text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replaceAll('"', "'")
    .trim();
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean;
}

/**
 * Shortens the address of a link: relative to the page, or as the page itself writes it. Returns "" for a
 * link to the page itself.
 */
function shortHref(href: string, pageUrl: string): string {
  // A link to the page itself acts as a button, so its address is left out.
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
  // An address in the folder of the current page is shortened: on the page `/docs/api/get`, `/docs/api/list`
  // becomes `list`.
  const folder = page?.pathname.slice(0, page.pathname.lastIndexOf("/") + 1) ?? "/";
  const inner = folder.length > 1 && path.startsWith(folder) ? path.slice(folder.length) : "";
  return plain(/^[^/?#:]+([/?#]|$)/.test(inner) ? inner : path, HREF_MOST);
}

/**
 * The address of a named link. It is shown only if it leads to another site, or if another link has the same
 * name.
 */
function hrefOf(
  { attributes, namesake: sameName }: HighlightedElement,
  named: string,
  pageUrl: string,
): string {
  const { href = "" } = attributes;
  return named === "" || sameName || isElsewhere(href, pageUrl) ? shortHref(href, pageUrl) : "";
}

function isElsewhere(href: string, pageUrl: string): boolean {
  // A relative address needs no parsing. This saves time, because a page may have thousands.
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
  // The type `text` is the default of an input, so the line leaves it out.
  const showsType = tag === "input" ? type !== "text" : element.interactionType === "submit";
  if (showsType) put("type", type);
  if (role !== undefined && role !== tag && !/^(none|presentation)$/.test(role)) put("role", plain(role, 30));
  // If the tag and role of an element do not show that a caller can type into it, `editable` is added to its
  // line.
  if (element.interactionType === "input" && !TYPED.test(role ?? tag)) parts.push("editable");
  if (element.placeholder !== undefined && element.placeholder !== named)
    put("placeholder", plain(element.placeholder, VALUE_MOST));
  if (!isNamedByValue(element, named)) put("value", plain(shownValue(element), VALUE_MOST));
  put("range", rangeOf(element));
  // States such as `checked` are written without a value, as boolean attributes in HTML are. `checked="true"`
  // would take three times as many tokens.
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
  if (!/\p{L}/u.test(named)) put("icon", element.icon);
  if (named === "" || element.namesake) put("in", plain(element.around ?? "", AROUND_MOST));
  // A radio button without a text, such as a picture, has no name except that of its group, which is the same for all
  // buttons of the group. So its value is added.
  if (type === "radio" && !element.around && named === attributes.name)
    put("value", plain(attributes.value ?? "", VALUE_MOST));
  if (named === "" && !NAMING.test(parts.join(" "))) put(...standIn(element));
  return parts.length === 0 ? "" : ` ${parts.join(" ")}`;
}

/** Returns the value of a field as the page displays it. */
const shownValue = ({ value = "", value_label = value }: HighlightedElement): string => value_label;

/** Matches attributes in an element's line that describe the element well enough if it has no name. */
const NAMING = /(?:href|placeholder|value|icon|in)="/;

/**
 * Returns what the line of an element shows if the element has no name: its id, or otherwise its size in
 * pixels.
 */
function standIn({ attributes, box }: HighlightedElement): [name: string, value: string] {
  const id = plain(attributes.id ?? "", VALUE_MOST);
  return id === "" || isRandom(id)
    ? ["size", `${Math.round(box.width)}x${Math.round(box.height)}`]
    : ["id", id];
}

/**
 * Whether the element's name already contains its value, so that the line of the element need not repeat the
 * value.
 */
function isNamedByValue(element: HighlightedElement, named: string): boolean {
  const { tagName, role = "", textContent = "" } = element;
  const value = shownValue(element);
  if (tagName === "button" || value === named) return true;
  // An editor without a name is named by its text.
  if (element.interactionType === "input") return textContent !== "" && textContent === named;
  return HOLDING.test(role) && textContent.includes(value);
}

/** The range of an element's value, such as `0..10` for a slider; empty for the default range. */
function rangeOf({ role, type, attributes }: HighlightedElement): string {
  const { min, max, "aria-valuemin": least = min, "aria-valuemax": most = max } = attributes;
  const slides = role === "slider" || role === "spinbutton" || type === "range";
  const hasRange = slides && least !== undefined && most !== undefined;
  // The default range of a slider, 0 to 100, is left out.
  return hasRange && (least !== "0" || most !== "100") ? `${least}..${most}` : "";
}

/**
 * Whether the element represents the current page, step or item, according to `aria-current`. Without this
 * attribute, the element counts as current if it has a class such as `current` and no other state such as
 * `selected`.
 */
function isCurrent({ attributes, current, selected, checked, mixed }: HighlightedElement): boolean {
  const { "aria-current": aria } = attributes;
  if (aria !== undefined) return /^(true|page|step|location|date|time)$/.test(aria);
  return current === true && selected === undefined && checked === undefined && !mixed;
}

const isReadOnly = (attributes: HighlightedElement["attributes"]): boolean =>
  attributes.readonly !== undefined || attributes["aria-readonly"] === "true";

/** Roles of elements whose text is their value, and not their name. */
const HOLDING = /^(combobox|slider|spinbutton|listbox|gridcell)$/;

const isButton = ({ tagName, role }: HighlightedElement): boolean =>
  tagName === "button" || role === "button";

/**
 * Combines an element's own text with the name that a label or an attribute gives to it. If this name
 * contains the text, or the text has neither letters nor digits, returns the name. Otherwise, returns the
 * text; with `holds`, returns both, as in "Birthday: Pick a date".
 *
 * @param called the name that a label or an attribute gives to the element
 * @param holds whether the text of the element is its value
 */
function joined(own: string, called: string, holds: boolean): string {
  if (own === "" || called === "") return own || called;
  const [one, other] = [own.toLowerCase(), called.toLowerCase()];
  if (one !== other && one.includes(other)) return own;
  // A text without letters, such as an arrow or a cross, is left out of the element's name.
  if (other.includes(one) || !SAYS.test(own)) return called;
  return holds ? `${called}: ${own}` : own;
}

/** Returns the name of an element for its text line (`elementLine`), from its text and its label. */
export function nameOf(element: HighlightedElement): string {
  const typed = element.interactionType === "input" || element.interactionType === "select";
  const own = typed ? undefined : element.textContent;
  // The text of a day in a calendar is only its number, so the complete date is added.
  const day = element.role === "gridcell" ? element.attributes["data-date"] : undefined;
  const called = element.labelText || element.ariaLabel || day || "";
  // The tooltip of an element is added to its name when the element's text is only a symbol, a letter or a
  // number. The tooltip then explains the text.
  const isWordless = own !== undefined && own !== "" && !WORD.test(own);
  const hint = isWordless && called === "" ? element.attributes.title?.trim() : undefined;
  // The text of a button with a label is its value, so both are in its name: "Birthday: Pick a date".
  const holds = HOLDING.test(element.role ?? "") || (isButton(element) && !!element.labelText);
  return (
    joined(own ?? "", hint || called, holds || isWordless) ||
    (typed ? element.placeholder : undefined) ||
    (element.interactionType === "submit" ? element.value : undefined) ||
    (element.tagName === "select" ? "" : element.textContent) ||
    element.attributes.title ||
    element.attributes.alt ||
    nameAttributeOf(element) ||
    ""
  );
}

/** Returns the attribute `name`, unless it is random. */
function nameAttributeOf({ attributes: { name = "" } }: HighlightedElement): string {
  return isRandom(name) ? "" : name;
}

/**
 * Returns the text line of an element for a model.
 *
 * @param pageUrl address of the page; addresses of the same origin are written without the origin
 */
export function elementLine(element: HighlightedElement, pageUrl: string): string {
  const { tagName, highlight_index, options } = element;
  const chosen = options?.length
    ? ` (${options.slice(0, OPTIONS_MOST).join("|")}${options.length > OPTIONS_MOST ? "|…" : ""})`
    : "";
  const named = nameOf(element);
  // An editor may be named by its text. This text is also its value, so it is cut to the maximum length of a value.
  const holds = element.interactionType === "input" && named === element.textContent;
  const text = plain(named, holds ? VALUE_MOST : NAME_MOST) + chosen;
  const mark = element.new ? "*" : "";
  return `${mark}[${highlight_index}]<${tagName}${attributesOf(element, pageUrl)}>${text}</${tagName}>`;
}
