/**
 * Finds the element of a step on the page that is open when the step runs. The element index in the plan is
 * used only if the element with this index still has the planned name.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { stepTargetOf } from "./build-plan-step.ts";
import type { SimilarElement } from "./failure-analysis.ts";
import type { PlanStep, StepTarget } from "./plan-schemas.ts";
import { findTargets, type Match, NEAR, roleOf, type Use } from "./target-match.ts";
import { plainText } from "./target-words.ts";

export type FoundElement =
  | { readonly element: HighlightedElement }
  | {
      readonly code: "element_not_found" | "element_ambiguous" | "element_disabled";
      readonly similar: SimilarElement | undefined;
      readonly candidates: readonly HighlightedElement[];
    };

/** Minimum score of a similar element that is proposed for a retry. */
const MIN_SIMILAR = 0.5;
/**
 * Minimum score of an element on a later page. It is high, because the plan describes elements of later pages
 * only by words.
 */
const MIN_DEFERRED = 0.75;

export function stepElement(step: PlanStep, elements: readonly HighlightedElement[]): FoundElement {
  const { target, targetId, deferred } = step;
  if (!target) return notFound(step, elements);
  const same = elements.find((one) => one.highlight_index === targetId);
  if (same && isCalled(same, target)) return usable(same);
  if (deferred || target.role === "") return byWords(step, target, elements);
  const called = elements.filter((one) => isCalled(one, target));
  const [only] = called.length === 1 ? called : narrowed(called, target);
  if (only) return usable(only);
  if (called.length > 1)
    return { code: "element_ambiguous", similar: undefined, candidates: called.slice(0, MOST_CANDIDATES) };
  return notFound(step, elements);
}

const MOST_CANDIDATES = 5;

function usable(element: HighlightedElement): FoundElement {
  if (!element.disabled) return { element };
  return { code: "element_disabled", similar: undefined, candidates: [element] };
}

function isCalled(element: HighlightedElement, { role, name }: StepTarget): boolean {
  return plainText(nameOf(element)) === plainText(name) && (role === "" || roleOf(element) === role);
}

/**
 * Chooses among elements with the same name: by address or identifier, otherwise by the row that contains the
 * element.
 */
function narrowed(called: readonly HighlightedElement[], { around, attributes = {} }: StepTarget) {
  for (const key of ["data-testid", "id", "name", "href"]) {
    const wanted = attributes[key];
    const same = wanted === undefined ? [] : called.filter((one) => one.attributes[key] === wanted);
    // All links to the same address have the same effect, so the first one is used.
    if (same.length === 1 || (key === "href" && same.length > 0 && !wanted?.startsWith("#")))
      return same.slice(0, 1);
  }
  const inRow = around === undefined ? [] : called.filter((one) => one.around === around);
  return inRow.length === 1 ? inRow : [];
}

function useOf({ action }: PlanStep): Use {
  if (action === "input") return "input";
  return action === "select_dropdown" ? "select" : "click";
}

function byWords(step: PlanStep, target: StepTarget, elements: readonly HighlightedElement[]): FoundElement {
  const enabled = elements.filter(({ disabled }) => !disabled);
  const matches = findTargets({ words: target.name, use: useOf(step) }, enabled);
  const [best, next] = matches;
  if (!best || best.score < MIN_DEFERRED) return notFound(step, elements);
  const isTie = next !== undefined && best.score - next.score < NEAR && !(best.score === 1 && next.score < 1);
  if (!isTie) return usable(best.element);
  const candidates = matches.slice(0, MOST_CANDIDATES).map(({ element }) => element);
  return { code: "element_ambiguous", similar: undefined, candidates };
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
