/** Builds the steps of a plan, each with a target (an element), a risk and a description. */

import { isHighRisk, removesAccess } from "../../risk/risk-words.ts";
import { hasNativePicker } from "../../session/controls/inputs-with-native-picker.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isField, isTick, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { hasEmail } from "../task/values-in-task.ts";
import { inFormOfField } from "../values/value-in-format-of-field.ts";
import { targetScore } from "./plan-confidence.ts";
import type { PlanStep, StepTarget } from "./plan-schemas.ts";

/**
 * Returns a description of an element in words and attributes. When the step runs, the element is found by
 * this description on the page that is then open.
 */
export function stepTargetOf(element: HighlightedElement): StepTarget {
  const { attributes } = element;
  const around = rowText(element);
  const kept = Object.entries(attributes).filter(([name]) => /^(?:data-testid|id|name|href)$/u.test(name));
  // An element without words in its name is identified by its icon.
  if (element.icon !== undefined && !/\p{L}/u.test(nameOf(element))) kept.push(["icon", element.icon]);
  return {
    role: roleOf(element),
    name: nameOf(element),
    ...(around === "" ? {} : { around }),
    ...(kept.length > 0 ? { attributes: Object.fromEntries(kept) } : {}),
  };
}

interface PlannedAction {
  readonly action: string;
  /** Score (0 to 1) of the action's target element. */
  readonly target: number;
  readonly part: string;
  /**
   * If the action's element answers a question on the page, the element that shows the question. For the
   * button "Yes", it is the element with "Cancel the order?".
   */
  readonly question?: HighlightedElement | undefined;
  /**
   * All elements of the page. A click on "Reset" is risky if the page has filled-in fields, because their
   * values would be lost.
   */
  readonly elements?: readonly HighlightedElement[];
}

export function plannedStep(
  order: Order,
  element: HighlightedElement,
  { action: given, target, part, question, elements = [] }: PlannedAction,
): PlanStep {
  // Nothing can be typed into a read-only field. A click opens its list (Directus, Element UI, Vuetify 2).
  const action = given === "input" && isDrawnList(element) ? "select_dropdown" : given;
  const name = nameOf(element) || (element.icon ?? "");
  const { value: said, secret = null } = order;
  const value = action === "input" && said !== null ? inFormOfField(said, element) : said;
  const isRisky =
    action === "click" &&
    [part, `${part} ${order.target}`].some((said) =>
      isRiskyClick(element, { said, isCheck: order.kind === "check", question, elements }),
    );
  const isTyped = action === "input" || action === "select_dropdown";
  return {
    action,
    targetId: element.highlight_index,
    target: stepTargetOf(element),
    value: isTyped ? value : null,
    secret,
    expectedResult:
      isTyped && secret === null ? { type: "value", expected: value } : { type: "effect", expected: null },
    description:
      stepDescription({ action, name, value, secret }) + (question ? ` for "${nameOf(question)}"` : ""),
    risk: isRisky ? "high" : "low",
    reversible: !isRisky,
    confidence: target,
    deferred: false,
    dependsOn: [],
  };
}

/** Whether an element is a read-only text field, which shows the chosen option of a drawn list. */
const isDrawnList = ({ tagName, type, attributes }: HighlightedElement): boolean =>
  tagName === "input" && attributes.readonly !== undefined && !hasNativePicker(type);

interface Click {
  /** The words of the task, or of the step's description, that ask for this click. */
  readonly said: string;
  /** Whether the words of the step ask to set a checkbox or a switch. */
  readonly isCheck: boolean;
  /** The element with the question that a click on the target answers. */
  readonly question?: HighlightedElement | undefined;
  /** All elements of the page. They show whether fields have values that a click on "Reset" would discard. */
  readonly elements: readonly HighlightedElement[];
}

/**
 * Whether a click on an element is of high risk. This depends on the element and on the words that ask for
 * the click.
 */
export function isRiskyClick(
  element: HighlightedElement,
  { said, isCheck, question, elements }: Click,
): boolean {
  if ([element, question].some((one) => one && isRiskyElement(one))) return true;
  if (discardsEntries(element, said, elements)) return true;
  // Ticking a checkbox is a risk only if the words say that a person loses access. "Stop sending me updates" is no
  // risk, although it contains the word "sending": the tick itself sends nothing.
  return isCheck && isTick(element) ? removesAccess(said) : isHighRisk(said);
}

/** Returns a step that needs no element, such as pressing a key or opening an address. */
export function plainStep(
  action: string,
  value: string | null,
  description: string,
  type: PlanStep["expectedResult"]["type"] = "effect",
): PlanStep {
  return {
    action,
    targetId: null,
    target: null,
    value,
    secret: null,
    expectedResult: { type, expected: type === "effect" ? null : value },
    description,
    risk: "low",
    reversible: true,
    confidence: 1,
    deferred: false,
    dependsOn: [],
  };
}

/** Returns a step whose element is not on the page yet. The step describes the element by words only. */
export function deferredStep(order: Order, others: readonly string[] = []): PlanStep {
  const { kind, target, value, also, secret = null } = order;
  const name = (target === "" ? (value ?? also ?? "") : target).replace(/^(?:the|my|our|your)\s+/iu, "");
  const isTyped = kind === "input" || kind === "set" || kind === "search" || kind === "sign_in";
  const action = isTyped ? "input" : kind === "select" && target !== "" ? "select_dropdown" : "click";
  const isEntry = action !== "click";
  return {
    ...wordStep(action, { role: "", name, ...(others.length > 0 ? { also: [...others] } : {}) }),
    value: isEntry ? value : null,
    secret,
    description: stepDescription({ action, name, value, secret }),
    ...riskOf(!isEntry && isHighRisk(`${name} ${also ?? ""}`)),
  };
}

/** Returns the step that submits a form whose fields are not on the page yet. */
export function submitStep({ target, also = "", entries = [] }: Order): PlanStep {
  const last = entries.at(-1);
  const field = last?.target ?? "";
  return {
    ...wordStep("click", {
      role: "",
      name: also,
      also: [target],
      submits: [field, ...(last?.also ? [last.also] : [])],
    }),
    description: `Click "${also}" in the form of "${field}"`,
    ...riskOf(isHighRisk(target)),
  };
}

function wordStep(action: string, target: StepTarget): Omit<PlanStep, "description" | "risk" | "reversible"> {
  return {
    action,
    targetId: null,
    target,
    value: null,
    secret: null,
    expectedResult: { type: "effect", expected: null },
    confidence: targetScore(0),
    deferred: true,
    dependsOn: [],
  };
}

const riskOf = (isRisky: boolean): Pick<PlanStep, "risk" | "reversible"> => ({
  risk: isRisky ? "high" : "low",
  reversible: !isRisky,
});

/**
 * Whether any name of the element indicates a risk, including its icon and tooltip. Some elements have no
 * visible name.
 */
export function isRiskyElement(element: HighlightedElement): boolean {
  const { textContent, labelText, ariaLabel, icon, value, attributes, interactionType } = element;
  const said = [
    textContent,
    labelText,
    ariaLabel,
    icon,
    attributes.title,
    attributes.alt,
    attributes["data-action"],
    attributes["data-original-title"],
    interactionType === "submit" ? value : undefined,
  ];
  return said.some((text) => text !== undefined && isHighRisk(text)) || cancelsEntry(element);
}

/** Matches the complete name of a control that cancels something, such as "Cancel". */
const CANCEL = /^(?:cancel|stornieren|absagen|annule[rz]?|cancelar?|anular?)$/i;

/**
 * Whether a click on an element "Cancel" cancels a record, such as a booking in a list. In a form, such a
 * button usually just closes the form. It cancels a record only if it submits the form.
 */
function cancelsEntry(element: HighlightedElement): boolean {
  if (!CANCEL.test(nameOf(element).trim()) || rowText(element) === "") return false;
  return formPath(element) === undefined || element.interactionType === "submit";
}

/**
 * Matches an order to begin again, such as "Start the wizard over". Such an order discards what was entered.
 */
const STARTS_OVER = /\bstart\b.*\b(?:over|afresh|from\s+scratch)\b/iu;
/**
 * Matches the name of a control that discards what was entered, such as "Reset wizard". "Reset zoom" discards
 * nothing, so it does not match.
 */
const RESETS = /\b(?:reset|start\s+(?:over|again))\b(?!.*\b(?:filters?|zoom|view|search|sort(?:ing)?)\b)/iu;

/**
 * Whether a click on the element, such as "Reset", discards entered values. True if the task says "start
 * over", or if a field of the same form has a value.
 */
function discardsEntries(
  element: HighlightedElement,
  part: string,
  elements: readonly HighlightedElement[],
): boolean {
  if (!RESETS.test(nameOf(element))) return false;
  const isFilled = elements.some(
    (one) => isField(one) && (one.value ?? "") !== "" && formPath(one) === formPath(element),
  );
  return STARTS_OVER.test(part) || isFilled;
}

interface DescribedStep {
  readonly action: string;
  /** The name of the step's element. It is not used if the action has no element. */
  readonly name: string;
  readonly value: string | null;
  readonly secret: string | null;
}

/** Says in words what a step does. A person reads it before approving the step. */
export function stepDescription({ action, name, value, secret }: DescribedStep): string {
  const text = value ?? "";
  switch (action) {
    case "input":
      return secret === null ? `Type "${text}" into "${name}"` : `Type the secret ${secret} into "${name}"`;
    case "select_dropdown":
      return `Select "${text}" in "${name}"`;
    case "hover":
      return `Point at "${name}"`;
    case "navigate":
      return `Open ${text}`;
    case "send_keys":
      return `Press ${text}`;
    case "go_back":
      return "Go back";
    case "refresh":
      return "Reload the page";
    case "scroll":
      return `Scroll ${text}`;
    default:
      return `Click "${name}"`;
  }
}

/** Matches the whole name of a control that adds a person: "Add", "Add member", "Add to team". */
const ADDS_PERSON =
  /^(?:add|hinzufügen|ajouter|añadir|agregar)(?:\s+to\s+(?:the\s+)?\p{L}+|\s+(?:an?\s+)?(?:people|person|members?|users?|friends?|guests?|participants?|attendees?|collaborators?|mitglied|person(?:en)?|nutzer|membre|personne|miembro|persona|usuario))?$/iu;

/**
 * Whether a click adds a person whose e-mail address an earlier step has typed, so that this person may see or
 * receive something. A form that also takes the name only saves a record of the person (members of Ghost, customers
 * of pretix). If this form is not on the page yet, its button does not count, because the name "Add" is only a word
 * of the task. The button of the page is judged when it is pressed.
 */
function addsPerson({ action, target }: PlanStep, earlier: readonly PlanStep[]): boolean {
  if (action !== "click" || !ADDS_PERSON.test(target?.name.trim() ?? "")) return false;
  const typed = earlier.filter((step) => step.action === "input");
  const isAddress = ({ value }: PlanStep): boolean => hasEmail(value ?? "");
  const isRecord = target?.submits !== undefined && !typed.every(isAddress);
  return typed.some(isAddress) && !isRecord;
}

/**
 * Adds dependencies and risks to the steps of a plan. A click depends on values that were entered before it.
 * A step on a later page depends on the click that opens this page.
 */
export function withDependencies(steps: readonly PlanStep[]): readonly PlanStep[] & PlanStep[] {
  const isEntry = ({ action }: PlanStep): boolean => action === "input" || action === "select_dropdown";
  let entered: number[] = [];
  let lastClick: number | undefined;
  return steps.map((one, at) => {
    const needs = one.deferred && lastClick !== undefined ? [lastClick] : [];
    if (isEntry(one)) {
      entered.push(at);
      return { ...one, dependsOn: needs };
    }
    const dependsOn = [...needs, ...entered];
    entered = [];
    lastClick = at;
    return { ...one, ...(addsPerson(one, steps.slice(0, at)) ? riskOf(true) : {}), dependsOn };
  });
}

/** Returns the summary of a plan with the given steps: their descriptions in order. */
export const summaryOf = (steps: readonly PlanStep[]): string =>
  steps.map(({ description }) => description).join("; ");
