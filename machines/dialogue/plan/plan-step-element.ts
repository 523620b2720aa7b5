/**
 * Finds the element for a step of the plan on the page that is open when the step runs. The index in the plan
 * is used only if the element with this index still has the planned name.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isEntryTag } from "../../session/page/tags-of-entries.ts";
import { findTargets, type Match, NEAR, type Use } from "../elements/elements-described-by-task-words.ts";
import { submitsOf } from "../elements/elements-of-one-form.ts";
import { optionOf } from "../elements/option-named-in-task.ts";
import { isField, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { plainText } from "../words/normalised-words.ts";
import { isRiskyElement, stepTargetOf } from "./build-plan-step.ts";
import type { SimilarElement } from "./failed-step-explanation.ts";
import type { PlanStep, StepTarget } from "./plan-schemas.ts";

export type FoundElement =
  | {
      readonly element: HighlightedElement;
      /**
       * The plan's step for the found element. A step that types a value selects it instead, if the element
       * is a list.
       */
      readonly step: PlanStep;
    }
  | {
      readonly code: "element_not_found" | "element_ambiguous" | "element_disabled";
      readonly similar: SimilarElement | undefined;
      readonly candidates: readonly HighlightedElement[];
    };

/**
 * Minimum score (0 to 1) of an element that is proposed to the person when the element of a step is missing.
 */
const MIN_SIMILAR = 0.5;
/**
 * Minimum score (0 to 1) at which an element on a later page is the target of a step. It is high, because the
 * plan has described this element only by words.
 */
const MIN_DEFERRED = 0.75;

export function stepElement(step: PlanStep, elements: readonly HighlightedElement[]): FoundElement {
  const { target, targetId, deferred } = step;
  if (!target) return notFound(step, elements);
  const named = uncovered(elements.filter((one) => isCalled(one, target)));
  const called = named.length > 0 ? named : uncovered(linksTo(step, target, elements));
  const same =
    called.find((one) => one.highlight_index === targetId) ??
    (called.length === 0 ? counting(step, target, elements) : undefined);
  if (same) return usable(same, step);
  if (target.submits !== undefined) return submitOf(step, target, elements);
  if (!deferred && target.role !== "" && isAnonymous(target)) return notFound(step, elements);
  if (deferred || target.role === "") return byWords(step, target, elements);
  const [only] = called.length === 1 ? called : narrowed(called, target);
  if (only) return usable(only, step);
  if (called.length > 1)
    return { code: "element_ambiguous", similar: undefined, candidates: called.slice(0, MOST_CANDIDATES) };
  return notFound(step, elements);
}

/** Matches a number in parentheses at the end of a name: "(1)" of "Delete selected (1)". */
const COUNT = /\s*\((\d+)\)\s*$/u;

/**
 * Returns the planned element if only a number of ticked rows was added to its name: the button "Delete selected" is
 * called "Delete selected (1)" after one row was ticked (pretix, and many tables made with React and Bootstrap). A
 * step of high risk accepts only the number 1. A greater number means that the click would also act on other rows.
 */
function counting(
  { targetId, risk }: PlanStep,
  target: StepTarget,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const element = elements.find(({ highlight_index, covered }) => highlight_index === targetId && !covered);
  const [counted, number] = (element && COUNT.exec(nameOf(element))) ?? [];
  if (!element || counted === undefined || (risk === "high" && number !== "1")) return undefined;
  const name = nameOf(element).slice(0, -counted.length);
  const isSame = plainText(name) !== "" && plainText(name) === plainText(target.name.replace(COUNT, ""));
  return isSame && (target.role === "" || roleOf(element) === target.role) ? element : undefined;
}

const MOST_CANDIDATES = 5;

function usable(element: HighlightedElement, step: PlanStep): FoundElement {
  if (!element.disabled) return { element, step };
  return { code: "element_disabled", similar: undefined, candidates: [element] };
}

/**
 * Whether an element has the role and the name of a step's target. Elements without words in their names, such as "×" and
 * buttons with an icon, are only equal if their names and icons are equal: a back button is not the save button.
 */
function isCalled(element: HighlightedElement, { role, name, attributes }: StepTarget): boolean {
  if (role !== "" && roleOf(element) !== role) return false;
  const words = plainText(name);
  if (words !== "") return plainText(nameOf(element)) === words;
  return nameOf(element).trim() === name.trim() && element.icon === attributes?.icon;
}

/** Whether nothing but its index identifies the target of a step. */
const isAnonymous = ({ name, around, attributes = {} }: StepTarget): boolean =>
  name.trim() === "" && around === undefined && Object.keys(attributes).length === 0;

/**
 * Matches an address that says nothing about the effect of its link: a script, or the page itself. Many different
 * links have such an address. A client-side route such as `#/members/new` (Ghost, Camunda) is an address.
 */
const NO_ADDRESS = /^(?:#(?![!/]+[^!/])|\?|javascript:|$)/iu;

/**
 * Returns the first link with the address of a step's link, because the text of a link may have changed, and
 * some links have no text. Two links may have one address, such as "Show" and "Destroy" of Ruby on Rails. So
 * only a step of high risk uses a link that looks risky.
 */
function linksTo(
  { risk }: PlanStep,
  { role, attributes }: StepTarget,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const href = attributes?.href?.trim() ?? "";
  if (role !== "link" || NO_ADDRESS.test(href)) return [];
  return elements
    .filter((one) => one.attributes.href === href && (risk === "high" || !isRiskyElement(one)))
    .slice(0, 1);
}

/**
 * Leaves out elements that another element covers, such as a button below a dialog (Material UI, Cloud
 * Commander). If all are covered, returns the disabled ones: the pointer often passes through disabled
 * buttons, so they wrongly count as covered.
 */
function uncovered(called: readonly HighlightedElement[]): readonly HighlightedElement[] {
  const free = called.filter(({ covered }) => covered === undefined);
  const disabled = called.filter((one) => one.disabled);
  return [free, disabled].find((some) => some.length > 0) ?? called;
}

/**
 * Chooses among elements with the same name: by an identifying attribute or the address, and then by the text
 * of each element's row.
 */
function narrowed(called: readonly HighlightedElement[], { around, attributes = {} }: StepTarget) {
  for (const key of ["data-testid", "id", "name", "href"]) {
    const wanted = attributes[key];
    const same = wanted === undefined ? [] : called.filter((one) => one.attributes[key] === wanted);
    // All links to the same address have the same effect, so the first one is used.
    if (same.length === 1 || (key === "href" && same.length > 0 && !NO_ADDRESS.test(wanted ?? "")))
      return same.slice(0, 1);
  }
  const inRow = around === undefined ? [] : called.filter((one) => rowText(one) === around);
  return inRow.length === 1 ? inRow : [];
}

function useOf({ action }: PlanStep): Use {
  if (action === "input") return "input";
  return action === "select_dropdown" ? "select" : "click";
}

/**
 * An element that matches the words of a step, and the step adapted to this element: in a list, for example, the
 * value is selected instead of typed.
 */
interface Usable extends Match {
  readonly step: PlanStep;
}

/**
 * Finds an element for the words of a step. A value is typed into a field. Without a matching field, it is
 * selected in a list that contains it. Otherwise a checkbox or button with the value in its name is clicked.
 */
function byWords(step: PlanStep, target: StepTarget, elements: readonly HighlightedElement[]): FoundElement {
  const called = [target.name, ...(target.also ?? [])];
  // The tag "archive-me" of an entry does not archive the entry. A tag is only clicked by its whole name.
  const isOtherTag = (one: HighlightedElement): boolean =>
    isEntryTag(one) && !called.some((words) => plainText(words) === plainText(nameOf(one)));
  const enabled = elements.filter((one) => !one.disabled && !isOtherTag(one));
  // Words that are the whole name of a field are tried first. If a step has the words "user name" and "name",
  // they mean the field "Name" rather than the field "Login name".
  const isWhole = (words: string): boolean =>
    step.action !== "click" &&
    enabled.some((one) => isField(one) && plainText(nameOf(one)) === plainText(words));
  const names = [...called.filter(isWhole), ...called.filter((words) => !isWhole(words))];
  for (const words of names) {
    const matches = usableMatches(step, words, enabled).filter(({ score }) => score >= MIN_DEFERRED);
    const [best] = matches;
    if (!best) continue;
    const near = matches.filter(({ score }) => best.score - score < NEAR && !(best.score === 1 && score < 1));
    const [only, other] = inFront(near);
    if (only && !other) return usable(only.element, only.step);
    const candidates = near.slice(0, MOST_CANDIDATES).map(({ element }) => element);
    return { code: "element_ambiguous", similar: undefined, candidates };
  }
  return notFound(step, elements);
}

function usableMatches(
  step: PlanStep,
  words: string,
  elements: readonly HighlightedElement[],
): readonly Usable[] {
  const { action, value, secret } = step;
  const as = (changed: Partial<PlanStep>, matches: readonly Match[]): readonly Usable[] =>
    matches.map((match) => ({ ...match, step: { ...step, ...changed } }));
  if (action === "click")
    return [
      ...as({}, findTargets({ words, use: "click" }, elements)),
      ...as({}, findTargets({ words, use: "check" }, elements)),
    ].toSorted((one, other) => other.score - one.score);
  // A password is typed only if it is stored as a secret and the step names this secret.
  const fields = elements.filter(({ type }) => secret !== null || type !== "password");
  const typed = as({ action: "input" }, findTargets({ words, use: "input" }, fields));
  if (value === null) return typed;
  const lists = findTargets({ words, use: "select", option: value }, elements).flatMap((match) => {
    const option = optionOf(match.element, value);
    return option === undefined ? [] : as({ action: "select_dropdown", value: option }, [match]);
  });
  const entries = [...(action === "input" ? typed : []), ...lists, ...(action === "input" ? [] : typed)];
  if (entries.some(({ score }) => score >= MIN_DEFERRED))
    return entries.toSorted((one, other) => other.score - one.score);
  return as({ action: "click" }, findTargets({ words: `${value} in ${words}`, use: "check" }, elements));
}

/**
 * Chooses among elements that match equally well. Uncovered elements are preferred, and among these, elements
 * that are new on the page.
 */
function inFront<M extends Match>(matches: readonly M[]): readonly M[] {
  const among = (all: readonly M[], isKept: (one: HighlightedElement) => boolean): readonly M[] => {
    const kept = all.filter(({ element }) => isKept(element));
    return all.length > 1 && kept.length > 0 ? kept : all;
  };
  const open = among(matches, ({ covered }) => covered === undefined);
  return among(open, (element) => element.new === true);
}

/** Finds the submit button of the form that contains the field of an earlier step. */
function submitOf(step: PlanStep, target: StepTarget, elements: readonly HighlightedElement[]): FoundElement {
  const holders = (target.submits ?? [])
    .flatMap((words) => [
      ...findTargets({ words, use: "input" }, elements),
      ...findTargets({ words, use: "select" }, elements),
    ])
    .filter(({ score }) => score >= MIN_DEFERRED);
  const [holder] = inFront(holders);
  const [button] = holder ? submitsOf(holder.element, [...(target.also ?? []), target.name], elements) : [];
  return button ? usable(button, step) : notFound(step, elements);
}

function notFound(step: PlanStep, elements: readonly HighlightedElement[]): FoundElement {
  const matches: readonly Match[] = step.target
    ? findTargets({ words: step.target.name, use: useOf(step) }, elements)
    : [];
  const best = matches.find(({ score, element }) => score >= MIN_SIMILAR && !element.disabled);
  return {
    code: "element_not_found",
    similar: best && { element: best.element, target: stepTargetOf(best.element) },
    candidates: matches.slice(0, MOST_CANDIDATES).map(({ element }) => element),
  };
}
