/**
 * Chooses which controls of a page an exploration presses: those that open, switch or show something.
 * Controls that submit, delete, pay, send or sign out are pressed only if the request explicitly allows that
 * class of risk.
 */
import { operationOfName } from "../../knowledge/screens/operation-and-thing-of-task.ts";
import { type RiskClass, riskOf } from "../../risk/risk-classes.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { explorationLimits } from "../exploration-limits.ts";
import { controlsOfCalendarHeads } from "./controls-in-calendar-heads.ts";
import { pagesThroughDates } from "./names-of-date-navigation.ts";
import { isMenuEntry, nameOf, placeOf, rowPlaces } from "./page-state-by-visible-controls.ts";

/**
 * How the element is pressed. `search`: a harmless word is typed into the search field and sent. `advance`:
 * the required fields are filled in, then the button for the next step of the form is clicked.
 */
export type PressKind = "click" | "hover" | "search" | "advance";

/**
 * A control that the exploration presses (clicks). In a later snapshot, it is found again by role and name,
 * or else by its place in the DOM tree (`xpath`).
 */
export interface PressStep {
  readonly kind: PressKind;
  readonly name: string;
  readonly role: string;
  readonly xpath: string;
}

export interface Candidate {
  /**
   * Identifies the control by its role, its place in the DOM tree and its name. A control that several pages
   * contain has the same key on each page.
   */
  readonly key: string;
  /**
   * Identifies a group of similar controls, such as the buttons in the rows of a list. `null` if the control
   * belongs to no group.
   */
  readonly group: string | null;
  /**
   * Present if the control switches between views, as a tab does. Pressing the current view's control changes
   * nothing, and pressing an earlier view's control returns to that view.
   */
  readonly switches?: true;
  /**
   * Whether the element resembles a cell, a line of text or a picture more than a control. Such elements are
   * pressed last.
   */
  readonly vague?: true;
  /**
   * Present if the name of the control says that it opens a form for something new, such as "New project". Such
   * controls are pressed first, because tasks need these forms.
   */
  readonly creates?: true;
  /** Present if the control changes data, and the request of the exploration allows such changes. */
  readonly allowed?: true;
  readonly step: PressStep;
}

export interface PressChoice {
  /** Controls to press. The elements that are most likely controls come first. */
  readonly press: readonly Candidate[];
  /** Elements that are not pressed, because they may change data. */
  readonly unsafe: readonly HighlightedElement[];
}

/**
 * Returns the controls of a page that an exploration presses, and the elements that it does not press because they
 * may change data.
 *
 * @param allowed the classes of risky controls that the request allows to press
 */
export function choosePresses(
  elements: readonly HighlightedElement[],
  allowed: ReadonlySet<RiskClass> = new Set(),
): PressChoice {
  const rows = rowPlaces(elements);
  const creating = new Map<string, number>();
  for (const element of elements)
    if (createsThing(nameOf(element)))
      creating.set(placeOf(element), (creating.get(placeOf(element)) ?? 0) + 1);
  const found = new Map<string, { readonly candidate: Candidate; readonly rank: number }>();
  const unsafe: HighlightedElement[] = [];
  const counts = new Map<string, number>();
  const pagers = controlsOfCalendarHeads(elements);
  for (const element of elements) {
    if (pagers.has(element)) continue;
    for (const kind of kindsOf(element, allowed.has("submit"))) {
      const name = nameOf(element);
      const risk = riskOf({ name, icon: element.icon, attributes: element.attributes });
      if (risk !== undefined && !allowed.has(risk)) {
        unsafe.push(element);
        break;
      }
      const place = placeOf(element);
      const rank = rankOf(element, kind);
      const isVague = rank >= VAGUE;
      const isRow = (rows.has(place) || isVague) && rank >= PLAIN;
      const isCreating = kind === "click" && !isVague && createsThing(name);
      const creates = isCreating && (creating.get(place) ?? 0) <= MOST_CREATING;
      const group = isRow && !creates && !isMenuEntry(element) ? place : null;
      // A picture without a name differs from other pictures only by its exact place in the document, so the key
      // contains this place.
      const key = `${kind} ${name === "" ? `${element.role ?? element.tagName} ${element.xpath}` : `${place}\n${name}`}`;
      if (found.has(key)) continue;
      if (group !== null) {
        const count = (counts.get(group) ?? 0) + 1;
        counts.set(group, count);
        if (count > explorationLimits.pressing.triesOfGroup) continue;
      }
      const step = { kind, name, role: element.role ?? element.tagName, xpath: element.xpath };
      const switches =
        kind === "click" && (isMenuEntry(element) || isTab(element)) ? ({ switches: true } as const) : {};
      const permitted = risk === undefined ? {} : ({ allowed: true } as const);
      const vague = isVague ? ({ vague: true } as const) : {};
      const candidate = {
        key,
        group,
        ...switches,
        ...vague,
        ...(creates ? ({ creates: true } as const) : {}),
        ...permitted,
        step,
      };
      found.set(key, { candidate, rank: creates ? CREATES : rank });
    }
  }
  const press = [...found.values()]
    .sort((a, b) => a.rank - b.rank)
    .map(({ candidate }) => candidate)
    .slice(0, explorationLimits.pressing.candidates);
  return { press, unsafe };
}

const CREATES = -1;
/**
 * Maximum number of controls that create something and whose places differ only in a position. If there are more,
 * they belong to the rows of a list, such as "Add experiment flag to filter" (Unleash), and not to a toolbar.
 */
const MOST_CREATING = 3;
const PLAIN = 3;
const HOVER = 4;
const SEARCH = 5;
const VAGUE = 6;
/** Tag names of parts of drawings, such as points of a plot or cells of a heat map. */
const DRAWN = new Set("g path rect circle ellipse line polygon polyline text tspan use canvas".split(" "));

function rankOf(element: HighlightedElement, kind: PressKind): number {
  const { role, attributes, xpath } = element;
  const tagName = element.tagName.toLowerCase();
  const name = nameOf(element);
  if (kind === "hover") return HOVER;
  if (kind === "search") return SEARCH;
  if (role === "tab" || role === "treeitem" || /\/nav\b/.test(xpath)) return 0;
  if (attributes["aria-haspopup"] !== undefined || attributes["aria-expanded"] !== undefined) return 1;
  if (tagName === "summary" || attributes["aria-controls"] !== undefined || role === "menuitem") return 2;
  if (tagName === "a" && /^#./.test(attributes.href ?? "")) {
    if (isTabLink(element)) return 0;
    if (!isIconLink(element)) return VAGUE;
  }
  const isButton = tagName === "button" || tagName === "a" || role === "button" || role === "link";
  return isButton && /[\p{L}\p{N}]/u.test(name) ? PLAIN : VAGUE;
}

/** Matches the word "tab" or "pill" in a class or in a Bootstrap attribute, such as `ui-tabs-anchor`. */
const TAB_WORD = /(?:^|[-_ ])(?:tabs?|pills?)(?:$|[-_ ])/i;

/** Whether the element is a tab: by its role, or because it is a link to a panel of the page. */
export function isTab(element: HighlightedElement): boolean {
  const isLink = element.tagName.toLowerCase() === "a" && /^#./.test(element.attributes.href ?? "");
  return element.role === "tab" || (isLink && isTabLink(element));
}

/**
 * Whether a tab is selected. A link that serves as a tab is selected if the page marks it as current
 * (`aria-current`).
 */
export function isSelected({ role, selected, current, attributes }: HighlightedElement): boolean {
  if (selected === true || attributes["aria-selected"] === "true") return true;
  return role !== "tab" && current === true;
}

/**
 * Whether a link to a position on the same page serves as a tab, by classes and attributes of jQuery UI and
 * Bootstrap. Other such links are entries of a table of contents.
 */
function isTabLink({ attributes }: HighlightedElement): boolean {
  const { class: classes = "", "data-toggle": toggle = "", "data-bs-toggle": bootstrap = "" } = attributes;
  return [classes, toggle, bootstrap].some((text) => TAB_WORD.test(text));
}

/** Matches the names of the icons by which headings link to themselves, such as a chain or "#". */
const PERMALINK = /^(?:link|anchor|hash|hashtag|permalink|paragraph)\b/i;

/**
 * Whether a link to a position on the same page shows only an icon. The links in a table of contents show
 * text.
 */
function isIconLink({ textContent, icon, xpath, attributes }: HighlightedElement): boolean {
  const isDrawn = textContent === undefined || textContent === attributes.title;
  const name = icon ?? textContent ?? attributes.title ?? "";
  return isDrawn && name !== "" && !PERMALINK.test(name) && !/\/h[1-6]\b/.test(xpath);
}

/**
 * Whether a press pages through the dates of a calendar. A tab or a menu entry with a name such as "Next
 * week" does not count, because it selects a period.
 */
function isDatePager(element: HighlightedElement): boolean {
  const isPeriod = isTab(element) || element.role === "menuitem" || element.role === "option";
  return !isPeriod && pagesThroughDates(nameOf(element));
}

/**
 * Whether the element is a column header that sorts its table (DataTables, AG Grid). It is not pressed,
 * because it only changes the order of the rows. A header that opens a menu does not count, and neither does
 * the header of a row.
 */
function isSortingHeader({ role, tagName, attributes }: HighlightedElement): boolean {
  if (role === "rowheader" || /^row/.test(attributes.scope ?? "")) return false;
  if (attributes["aria-haspopup"] !== undefined || attributes["aria-expanded"] !== undefined) return false;
  return role === "columnheader" || tagName.toLowerCase() === "th" || attributes["aria-sort"] !== undefined;
}

const FIELDS = new Set(["input", "select", "textarea", "option", "label"]);
const FIELD_ROLES = new Set([
  "checkbox",
  "radio",
  "switch",
  "textbox",
  "combobox",
  "searchbox",
  "slider",
  "spinbutton",
]);

/** Names of controls that lead to the next step of a form and do not submit the form. */
const ADVANCES =
  /^(?:next|continue|proceed|weiter|fortfahren|suivant|continuer|siguiente|continuar)(?:$|[^\p{L}])/iu;

/** Whether a control with this name, such as "Continue", leads to the next step of a form. */
export function advances(name: string): boolean {
  return ADVANCES.test(name);
}

/** Matches the name of an icon that stands for something new, such as `fa-plus` and `mdi-plus`. */
const PLUS = /^plus(?:$|[-_ ](?:circle|square|box|thick)\b)/i;

/**
 * Whether a control with this name creates something, such as "New feature flag" (Unleash), "Create" (doccano), or
 * only the icon of a plus sign.
 */
export function createsThing(name: string): boolean {
  return operationOfName(name) === "create" || PLUS.test(name);
}

/**
 * Interaction types of elements that are pressed. The submit button of a form has the separate type `submit`.
 */
const PRESSED: ReadonlySet<string> = new Set(["click", "navigate", "submit"]);

/**
 * Returns the ways in which an exploration may press an element; empty if it must not press the element.
 *
 * @param submits whether forms may be submitted
 */
function kindsOf(element: HighlightedElement, submits: boolean): readonly PressKind[] {
  const { disabled, covered, attributes, tagName, interactionType, type, role, formId, formName } = element;
  if (disabled || covered !== undefined || attributes.target === "_blank") return [];
  // A selected tab is not pressed, because its panel is shown already.
  if (isTab(element) && isSelected(element)) return [];
  if (attributes.download !== undefined || isDatePager(element)) return [];
  if (isSortingHeader(element)) return [];
  const tag = tagName.toLowerCase();
  if (tag === "input" && isSearch(element)) return ["search"];
  const opens = opensOnHover(element);
  const href = attributes.href;
  // The crawl opens links by their addresses, so a link is not pressed. An `<a>` without an address counts as
  // a button.
  const isLink = tag === "a" && href !== undefined && !/^(?:#(?!!?\/)|#!?\/?$|javascript:)/i.test(href);
  if (isLink) return opens ? ["hover"] : [];
  if (!PRESSED.has(interactionType)) return [];
  if (
    FIELDS.has(tag) ||
    DRAWN.has(tag) ||
    role === "tabpanel" ||
    (role !== undefined && FIELD_ROLES.has(role))
  )
    return [];
  // A button inside a form submits the form if its `type` is `submit` or absent.
  const inForm = formId !== undefined || formName !== undefined;
  const isSubmit = type === "submit" || attributes.type === "submit";
  if ((interactionType === "submit" || (tag === "button" && isSubmit && inForm)) && !submits)
    return advances(nameOf(element)) ? ["advance"] : [];
  return opens ? ["hover", "click"] : ["click"];
}

/**
 * Matches a class of an element that opens a menu when the mouse pointer is over it. Classes of the menu's
 * entries do not match (`dropdown-item` of Bootstrap and Bulma), because an entry opens nothing.
 */
const OPENING_CLASS =
  /(?:^|[-_ ])(?:dropdown(?![-_](?:item|link|divider))|submenu|has-children|menu-item-has-children)(?:$|[-_ ])/i;

/** Whether an attribute states that the element opens something when the mouse pointer is over it. */
function opensOnHover({ attributes, role, tagName }: HighlightedElement): boolean {
  const popup = attributes["aria-haspopup"];
  const announces = popup !== undefined && popup !== "false";
  const isItem = role === "menuitem" || tagName.toLowerCase() === "a";
  return (announces && isItem) || OPENING_CLASS.test(attributes.class ?? "");
}

function isSearch({ type, role, attributes, placeholder, ariaLabel }: HighlightedElement): boolean {
  if (type === "search" || role === "searchbox") return true;
  const named = `${attributes.name ?? ""} ${attributes.id ?? ""} ${placeholder ?? ""} ${ariaLabel ?? ""}`;
  return (
    (type === "text" || type === "") &&
    /(?:^|[-_ ])(?:search|suche|suchen|rechercher|recherche|buscar|query|q)(?:$|[-_ .…])/i.test(named)
  );
}
