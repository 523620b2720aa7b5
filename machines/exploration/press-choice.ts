/**
 * Chooses which controls of a page an exploration presses: those that open, switch or show something. A
 * control that submits, deletes, pays, sends or signs out is not pressed unless the request allows it by
 * name.
 */
import { type RiskClass, riskOf } from "../risk/risk-classes.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { explorationLimits } from "./limits.ts";
import { isMenu, nameOf, placeOf, rowPlaces } from "./visible-state.ts";

/**
 * How an element is tried. `search`: a harmless word is typed and sent. `advance`: it leads to the next step
 * of a form, whose required fields are filled in first.
 */
export type PressKind = "click" | "hover" | "search" | "advance";

/** A pressed control. It is found again by its role and name, or by its place in the DOM tree. */
export interface PressStep {
  readonly kind: PressKind;
  readonly name: string;
  readonly role: string;
  readonly xpath: string;
}

/** An element that may be pressed. */
export interface Candidate {
  /**
   * Identifies the control by its role, its place in the DOM tree and its name. The same control has the same
   * key on different pages.
   */
  readonly key: string;
  /** The group that controls of the same look share, such as those in the rows of a list. */
  readonly group: string | null;
  /**
   * The control switches between views of the application, as a tab does. Pressing the control of the shown
   * view changes nothing. Pressing it in another view leads back to its view.
   */
  readonly switches?: true;
  /**
   * The element has no sign that it is a control, such as a cell, a line of text or a picture. Such elements
   * are pressed last.
   */
  readonly vague?: true;
  /** The control changes data, and the request allows that. */
  readonly allowed?: true;
  readonly step: PressStep;
}

export interface PressChoice {
  /** Controls to press, with the most certain ones first. */
  readonly press: readonly Candidate[];
  /** Elements that are not pressed because they may change data. */
  readonly unsafe: readonly HighlightedElement[];
}

/** @param allowed classes of risky controls that the request allows */
export function choosePresses(
  elements: readonly HighlightedElement[],
  allowed: ReadonlySet<RiskClass> = new Set(),
): PressChoice {
  const rows = rowPlaces(elements);
  const found = new Map<string, { readonly candidate: Candidate; readonly rank: number }>();
  const unsafe: HighlightedElement[] = [];
  const counts = new Map<string, number>();
  for (const element of elements) {
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
      const group = isRow && !isMenu(element) ? place : null;
      // Pictures without a name are distinguished by their exact place in the DOM tree.
      const key = `${kind} ${name === "" ? `${element.role ?? element.tagName} ${element.xpath}` : `${place}\n${name}`}`;
      if (found.has(key)) continue;
      if (group !== null) {
        const count = (counts.get(group) ?? 0) + 1;
        counts.set(group, count);
        if (count > explorationLimits.pressing.triesOfGroup) continue;
      }
      const step = { kind, name, role: element.role ?? element.tagName, xpath: element.xpath };
      const switches = kind === "click" && isMenu(element) ? ({ switches: true } as const) : {};
      const permitted = risk === undefined ? {} : ({ allowed: true } as const);
      const vague = isVague ? ({ vague: true } as const) : {};
      found.set(key, { candidate: { key, group, ...switches, ...vague, ...permitted, step }, rank });
    }
  }
  const press = [...found.values()]
    .sort((a, b) => a.rank - b.rank)
    .map(({ candidate }) => candidate)
    .slice(0, explorationLimits.pressing.candidates);
  return { press, unsafe };
}

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
  // A link to a place on the same page is a tab in older libraries, but usually an entry of a table of
  // contents.
  if (tagName === "a" && /^#./.test(attributes.href ?? "")) return VAGUE;
  const isButton = tagName === "button" || tagName === "a" || role === "button" || role === "link";
  return isButton && /[\p{L}\p{N}]/u.test(name) ? PLAIN : VAGUE;
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

/** Names of controls that lead to the next step of a form without sending it. */
const ADVANCES =
  /^(?:next|continue|proceed|weiter|fortfahren|suivant|continuer|siguiente|continuar)(?:$|[^\p{L}])/iu;

/** Whether a control with this name leads to the next step of a form. */
export function advances(name: string): boolean {
  return ADVANCES.test(name);
}

/** Interaction types of elements that are pressed. The submit button of a form has the type `submit`. */
const PRESSED: ReadonlySet<string> = new Set(["click", "navigate", "submit"]);

/** @param submits whether forms may be submitted */
function kindsOf(element: HighlightedElement, submits: boolean): readonly PressKind[] {
  const { disabled, covered, attributes, tagName, interactionType, type, role, formId, formName } = element;
  if (disabled || covered !== undefined || attributes.target === "_blank") return [];
  if (attributes.download !== undefined) return [];
  const tag = tagName.toLowerCase();
  if (tag === "input" && isSearch(element)) return ["search"];
  const opens = opensOnHover(element);
  const href = attributes.href;
  // A link is followed by its address. A link without an address counts as a button.
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
  // A button in a form submits the form unless it has another type.
  const inForm = formId !== undefined || formName !== undefined;
  const isSubmit = type === "submit" || attributes.type === "submit";
  if ((interactionType === "submit" || (tag === "button" && isSubmit && inForm)) && !submits)
    return advances(nameOf(element)) ? ["advance"] : [];
  return opens ? ["hover", "click"] : ["click"];
}

/** Whether an attribute of the element states that it opens something when the pointer is over it. */
function opensOnHover({ attributes, role, tagName }: HighlightedElement): boolean {
  const popup = attributes["aria-haspopup"];
  const announces = popup !== undefined && popup !== "false";
  const isItem = role === "menuitem" || tagName.toLowerCase() === "a";
  return (
    (announces && isItem) ||
    /(?:^|[-_ ])(?:dropdown|submenu|has-children|menu-item-has-children)(?:$|[-_ ])/i.test(
      attributes.class ?? "",
    )
  );
}

function isSearch({ type, role, attributes, placeholder, ariaLabel }: HighlightedElement): boolean {
  if (type === "search" || role === "searchbox") return true;
  const named = `${attributes.name ?? ""} ${attributes.id ?? ""} ${placeholder ?? ""} ${ariaLabel ?? ""}`;
  return (
    (type === "text" || type === "") &&
    /(?:^|[-_ ])(?:search|suche|suchen|rechercher|recherche|buscar|query|q)(?:$|[-_ .…])/i.test(named)
  );
}
