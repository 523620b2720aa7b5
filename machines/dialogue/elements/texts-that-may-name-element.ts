/**
 * Returns the texts by which a task may name an element: name, text, label, icon, attributes and address.
 * Each text has a weight from 0 to 1, which is a factor of the match's score.
 */

import { implicitRole } from "../../session/controls/implicit-aria-role.ts";
import { isSaveIconButton } from "../../session/controls/save-icon-in-title-bar.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import { opensMenuByClass } from "../../session/page/menus-opened-by-class.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { meaningsOfIcon } from "../words/icon-meanings.ts";

/** Score factor of an element that matches by its icon or an attribute instead of its name. */
const HINT = 0.9;
/**
 * Score factor of a link that matches by the last part of its address. An address says less about a link than
 * its icon.
 */
const ADDRESS = 0.8;
/**
 * Score factor for a control without a name, if the task has a search word of its icon, such as "like" for a
 * heart. The name of the icon ("heart") is stronger evidence.
 */
export const MEANING = 0.66;

export function roleOf({ role, tagName, type, interactionType }: HighlightedElement): string {
  return role ?? implicitRole({ tag: tagName, type, isEditable: interactionType === "input" });
}

/**
 * Whether an element is a read-only combobox: nothing can be typed into it, and a click opens its options.
 */
export const isOpener = ({ role, attributes }: HighlightedElement): boolean =>
  role === "combobox" && attributes.readonly !== undefined;

/** Whether a person types into an element. */
export const isField = (element: HighlightedElement): boolean =>
  element.interactionType === "input" && !isTick(element) && !isOpener(element);

export function isTick(element: HighlightedElement): boolean {
  const role = roleOf(element);
  return role === "checkbox" || role === "radio" || role === "switch" || role === "menuitemcheckbox";
}

/** Whether two elements are radio buttons of one group, so that only one of them can be chosen. */
export function isSameChoice(one: HighlightedElement, other: HighlightedElement): boolean {
  const { name } = one.attributes;
  return one.type === "radio" && other.type === "radio" && Boolean(name) && other.attributes.name === name;
}

/**
 * Matches words such as "only" in a checkbox that filters a list, or in a task for it: "Unread only", "Nur
 * ungelesene".
 */
export const FILTER_NAME = /\b(?:only|nur|seulement|uniquement|solo|sólo)\b/iu;

/** Whether an element is a checkbox that filters a list. Such a checkbox changes no entry of the list. */
export const isFilterTick = (element: HighlightedElement): boolean =>
  isTick(element) && FILTER_NAME.test(nameOf(element));

export function isList(element: HighlightedElement): boolean {
  return element.interactionType === "select" || element.tagName === "select";
}

/** Returns the words of the element's row or card; empty if the element has none. */
export function rowText({ around, row }: HighlightedElement): string {
  return around ?? row ?? "";
}

/**
 * Returns the lines of text before an element that describe the element. The result is empty for an element
 * in a row, because the text before a row may be the title of the whole list.
 */
export const captionOf = (element: HighlightedElement): readonly string[] =>
  rowText(element) === "" ? placeOf(element).caption : [];

/** Returns the XPath of the table row around an element; `undefined` if there is none. */
export function rowPath({ xpath }: HighlightedElement): string | undefined {
  return /^.*\/tr(?:\[\d+\])?(?=\/)/u.exec(xpath)?.[0];
}

/** A name by which a task may refer to an element. `weight` (0 to 1) is the score of an exact match. */
export interface Name {
  readonly text: string;
  readonly weight: number;
}

/**
 * Matches a word for an action among the classes of an element without a name: `close` and `btn-close` in
 * Bootstrap, `next` and `prev` in date pickers and calendars, `ql-bold` in Quill, `note-btn-bold` in
 * Summernote. The word may have an object, such as `add-image`.
 */
const ACTION_CLASS =
  /(?:^|[\s_-])(close|dismiss|remove|edit|delete|next|prev(?:ious)?|bold|italic|underline|add|(?:add|edit|remove|delete)-\p{L}+)(?=$|\s)/u;
/** Attributes in which AdminLTE and other dashboard libraries name the action of a control. */
const ACTION_ATTRIBUTES = ["data-widget", "data-card-widget", "data-action"] as const;
/**
 * Matches the ligatures of an icon font at the start of a text, such as `thumb_up` in Material Icons. A
 * ligature with an underscore is never a word of the name.
 */
const LIGATURES = /^(?:\p{Ll}+(?:_\p{Ll}+)+\s+)+/u;
/**
 * Matches a tooltip with an instruction and an explanation: "Click to open (Ctrl+M)". It captures the action:
 * "open".
 */
const TOOLTIP = /^(?:click|press|tap)\s+to\s+([^(.,:;]+).*$/isu;

/** Returns the text of a control without ligatures of icons and without the explanation of a tooltip. */
function shortText(text: string | undefined): string | undefined {
  return text?.replace(LIGATURES, "").replace(TOOLTIP, "$1").trim();
}

/**
 * Matches words that only name the style of an icon, such as "outline" in `trash-can-outline` and "circle" in
 * `x-circle`.
 */
const ICON_STYLE =
  /(?<=\S)[\s_-]+(?:outlined?|filled?|solid|regular|line|circle|square|can|alt|rounded?|sharp|o)(?=$|[\s_-])/giu;

/** For each symbol that a control may have as its text, the name of the symbol. */
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "«": "previous",
    "‹": "previous",
    "<": "previous",
    "←": "previous",
    "»": "next",
    "›": "next",
    ">": "next",
    "→": "next",
    "×": "close",
    "✕": "close",
    "✖": "close",
    "+": "add",
    "➕": "add",
    "−": "minus",
    "-": "minus",
    "☰": "menu",
    "⋮": "more options",
    "⋯": "more options",
    "…": "more options",
    "...": "more options",
    "🔔": "notifications",
    "🗑": "delete",
    "✏": "edit",
    "✎": "edit",
    "⚙": "settings",
    "🔍": "search",
    "🔎": "search",
    "♥": "like heart",
    "♡": "like heart",
    "❤": "like heart",
    "★": "star",
    "☆": "star",
    "⭐": "star",
    "👍": "like",
    "👎": "dislike",
    "📎": "attach file",
    "📅": "calendar",
    "🏠": "home",
    "👤": "profile account",
    "🛒": "cart",
    "⬇": "download",
    "⬆": "upload",
    "🖨": "print",
    "▶": "play",
    "⏸": "pause",
    "⏹": "stop",
    "⏭": "next",
    "⏮": "previous",
    "🔄": "refresh",
    "↻": "refresh",
    "⟳": "refresh",
    "↺": "undo",
    "↶": "undo",
    "↷": "redo",
    "✓": "done",
    "✔": "done",
    "🔒": "lock",
    "💾": "save",
    "📧": "mail",
    "✉": "mail",
    "📞": "phone",
    "🔗": "link",
    "👁": "view",
    "🌙": "dark",
    "☀": "light",
    "?": "help",
    ℹ: "info",
    "⛶": "fullscreen",
  }),
);
/**
 * First Unicode code point of characters that are symbols in any text. Characters before it, such as "-" and
 * "?", are symbols only if they are the complete text of a control.
 */
const FIRST_SYMBOL = 0x2190;
/**
 * The Unicode variation selector for the coloured form of a symbol. It is removed, so that both forms of a
 * symbol are equal.
 */
const COLOURED = "\uFE0F";

/** Returns the names of the symbols in a text, such as "star" for "★ 4"; `undefined` if it has none. */
function symbolNames(text: string): string | undefined {
  const plain = text.replaceAll(COLOURED, "").trim();
  const whole = SYMBOLS.get(plain);
  if (whole !== undefined) return whole;
  const names = [...plain].flatMap((one) =>
    one.charCodeAt(0) < FIRST_SYMBOL ? [] : (SYMBOLS.get(one) ?? []),
  );
  return names.length > 0 ? names.join(" ") : undefined;
}

/**
 * If a name starts with a plus sign, returns it with the verb "add" instead: "add Table" for "+ Table". Otherwise
 * returns `undefined`.
 */
function withVerbForPlus(name: string): string | undefined {
  const [, thing] = /^\s*[+➕]\s*(\p{L}.*)$/su.exec(name) ?? [];
  return thing && `add ${thing}`;
}

/** Whether the element opens a menu by its attributes: those of ARIA, or of Bootstrap 4 and 5. */
export function opensMenu(element: HighlightedElement): boolean {
  const { attributes } = element;
  const toggles = attributes["data-toggle"] ?? attributes["data-bs-toggle"];
  const says = toggles === "dropdown" || /^(?:true|menu)$/u.test(attributes["aria-haspopup"] ?? "");
  return says || opensMenuByClass(element);
}

/** Whether the element is in the head of a table. A checkbox there selects all rows. */
export const isInHead = ({ xpath }: HighlightedElement): boolean =>
  /\/(?:thead|th)(?:\[\d+\])?\//u.test(xpath);

/**
 * Matches the whole name of a button that does not say what it does, such as "Confirm". The heading above its
 * form says it: "Sign up for this shift". The names are in the languages of the words in `risk-words.ts`.
 */
const GENERIC_BUTTON =
  /^(?:confirm|submit|send|ok|okay|go|yes|continue|bestätigen|absenden|senden|weiter|ja|confirmer|valider|envoyer|oui|confirmar|enviar|aceptar|sí|conferma|invia|sì)$/iu;
/** Maximum number of words of a heading that says what a form does. A longer one describes it. */
const HEADING_WORDS = 8;

/**
 * Returns the name and the heading of the form around a button such as "Confirm", whose own name does not say what it
 * does. Returns none for other buttons.
 */
function namesOfForm(element: HighlightedElement): readonly (string | undefined)[] {
  const isGeneric = roleOf(element) === "button" && GENERIC_BUTTON.test(nameOf(element).trim());
  if (!isGeneric || rowText(element) !== "") return [];
  const texts = [element.formName, placeOf(element).headings.at(-1)];
  return texts.filter((text) => (text ?? "").split(/\s+/u).length <= HEADING_WORDS);
}

/** Maximum number of words of the text before a field that names the field. A longer text describes it. */
const CAPTION_WORDS = 4;

/**
 * Returns the text before a field that neither has a label nor a name, as in forms of Directus and Uptime Kuma. In a row
 * of a table or a list, this text names the thing of the row, and not the field.
 */
function captionNameOf(element: HighlightedElement): string | undefined {
  const {
    labelText,
    ariaLabel,
    associatedLabels = [],
    placeholder = "",
    attributes,
    xpath,
    around,
  } = element;
  const isLabelled = [labelText, ariaLabel, ...associatedLabels, attributes.name].some((text) =>
    text?.trim(),
  );
  const isRow = rowPath(element) !== undefined || /\/li(?:\[\d+\])?\//u.test(xpath);
  if (isLabelled || isRow || nameOf(element).trim() !== placeholder.trim()) return undefined;
  const texts = [around, captionOf(element).at(-1)];
  return texts.find((text) => text !== undefined && text.trim().split(/\s+/u).length <= CAPTION_WORDS);
}

const knownNames = new WeakMap<HighlightedElement, readonly Name[]>();

/** Returns the names by which a task may refer to an element, with their weights. */
export function namesOf(element: HighlightedElement): readonly Name[] {
  const known = knownNames.get(element);
  if (known) return known;
  const names = computeNames(element);
  knownNames.set(element, names);
  return names;
}

function computeNames(element: HighlightedElement): readonly Name[] {
  const { textContent, labelText, ariaLabel, placeholder, icon, attributes, associatedLabels = [] } = element;
  const typed = isField(element) || isList(element);
  const isNameless = !/\p{L}/u.test(nameOf(element));
  const own = [
    shortText(nameOf(element)),
    typed ? undefined : shortText(textContent),
    labelText,
    ariaLabel,
    ...associatedLabels,
    isSaveIconButton(element) ? "save" : undefined,
  ];
  const hints = [
    typed ? captionNameOf(element) : undefined,
    placeholder,
    icon?.replace(ICON_STYLE, "").trim() || icon,
    shortText(attributes.title),
    attributes.alt,
    attributes.name,
    symbolNames(nameOf(element)),
    typed ? undefined : withVerbForPlus(nameOf(element)),
    isTick(element) && nameOf(element) === "" && isInHead(element) ? "select all everything" : undefined,
    ...(typed ? [] : ACTION_ATTRIBUTES.map((name) => attributes[name])),
    attributes.id?.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("-", " "),
    typed && element.type === "search" ? "search" : undefined,
    // If a list has no label, its first option often names the list: "Month", "All countries".
    isList(element) && nameOf(element) === "" ? element.options?.[0] : undefined,
    element.type === "number" && nameOf(element) === "" ? "quantity" : undefined,
    element.tagName === "textarea" && nameOf(element) === "" ? "message" : undefined,
    nameOf(element) === "" && opensMenu(element) ? "menu" : undefined,
    isNameless ? ACTION_CLASS.exec(attributes.class ?? "")?.[1]?.replace("-", " ") : undefined,
    typed && (element.type === "password" || element.type === "email") ? element.type : undefined,
    ...namesOfForm(element),
  ];
  const meanings = isNameless && icon !== undefined ? meaningsOfIcon(icon.replace(ICON_STYLE, "")) : [];
  const address = lastPart(attributes.href) ?? "";
  return [
    ...own.map((text) => ({ text: text ?? "", weight: 1 })),
    ...hints.map((text) => ({ text: text ?? "", weight: HINT })),
    ...meanings.map((text) => ({ text, weight: MEANING })),
    { text: address, weight: ADDRESS },
  ].filter(({ text }) => text !== "");
}

/** Returns the last part of a link's path without its extension: `billing` for `pages/billing.html`. */
function lastPart(href: string | undefined): string | undefined {
  const path = href?.replace(/[?#].*$/u, "").replace(/\/+$/u, "");
  return path
    ?.slice(path.lastIndexOf("/") + 1)
    .replace(/\.\w+$/u, "")
    .replace(/[-_]+/gu, " ");
}
