/**
 * Which elements of a state an exploration presses: what opens, switches and shows. What submits, deletes, pays, sends
 * or signs out is left alone, and of look-alikes one is pressed.
 */
import { isHighRisk } from "../risk/risk-words.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { nameOf, placeOf, rowPlaces } from "./ui-state.ts";

/** Attributes by which pages mark what changes something. */
const UNSAFE_ATTRIBUTES = [
  "data-method",
  "formmethod",
  "formaction",
  "data-confirm",
  "data-delete",
  "download",
];
/** Words in ids and classes of what changes something. */
const UNSAFE_NAMES =
  /(?:^|[-_ ])(?:delete|remove|destroy|trash|logout|signout|pay|buy|purchase|checkout|send|publish|submit|save|danger)(?:$|[-_ ])/i;

export interface PressChoice {
  readonly press: readonly HighlightedElement[];
  /** Left alone because it may change something. */
  readonly unsafe: readonly HighlightedElement[];
}

export function choosePresses(elements: readonly HighlightedElement[]): PressChoice {
  const rows = rowPlaces(elements);
  const pressed = new Set<string>();
  const press: HighlightedElement[] = [];
  const unsafe: HighlightedElement[] = [];
  for (const element of elements) {
    if (!isPressable(element)) continue;
    if (isUnsafe(element)) {
      unsafe.push(element);
      continue;
    }
    const place = placeOf(element);
    const isRow = rows.has(place) && rank(element) === PLAIN;
    const key = isRow ? place : `${place}\n${nameOf(element)}`;
    if (pressed.has(key)) continue;
    pressed.add(key);
    press.push(element);
  }
  // What certainly shows something first.
  return { press: [...press].sort((a, b) => rank(a) - rank(b)), unsafe };
}

const PLAIN = 3;

function rank({ role, attributes, tagName }: HighlightedElement): number {
  if (role === "tab") return 0;
  if (attributes["aria-haspopup"] !== undefined || attributes["aria-expanded"] !== undefined) return 1;
  if (tagName === "summary" || attributes["aria-controls"] !== undefined || role === "menuitem") return 2;
  return PLAIN;
}

function isPressable({
  interactionType,
  tagName,
  type,
  disabled,
  covered,
  attributes,
  role,
  formId,
  formName,
}: HighlightedElement): boolean {
  if (disabled || covered !== undefined || attributes.target === "_blank") return false;
  const tag = tagName.toLowerCase();
  const href = attributes.href;
  // Links are followed by their address; those without one are buttons.
  if (tag === "a" && href !== undefined && !/^(?:#|javascript:)/i.test(href)) return false;
  if (tag === "a" && href !== undefined && /^#!?\//.test(href)) return false;
  if (interactionType !== "click" && interactionType !== "navigate") return false;
  if (tag === "input" || tag === "select" || tag === "textarea" || tag === "option" || tag === "label")
    return false;
  if (
    role === "checkbox" ||
    role === "radio" ||
    role === "switch" ||
    role === "textbox" ||
    role === "combobox"
  )
    return false;
  // A button in a form submits it unless it says otherwise.
  const inForm = formId !== undefined || formName !== undefined;
  return !(tag === "button" && (type === "submit" || attributes.type === "submit") && inForm);
}

function isUnsafe(element: HighlightedElement): boolean {
  const { attributes } = element;
  if (isHighRisk(nameOf(element)) || isHighRisk(attributes.title ?? "")) return true;
  if (UNSAFE_ATTRIBUTES.some((name) => attributes[name] !== undefined)) return true;
  return UNSAFE_NAMES.test(
    `${attributes.id ?? ""} ${attributes.class ?? ""} ${attributes["data-testid"] ?? ""}`,
  );
}
