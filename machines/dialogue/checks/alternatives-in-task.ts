/** Detects a task that leaves a choice open, such as "Set the priority to high or urgent". */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isTick, namesOf } from "../elements/texts-that-may-name-element.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { contentWords } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";

/**
 * Matches "or" with the word before it and the word after it, such as "high or urgent". An article after "or"
 * is skipped.
 */
const OR =
  /([\p{L}\p{N}]+),?\s+(?:or|oder|ou|o)\s+(?:(?:the|an?|die|das|den|der|eine?n?|la|le|les|une?|el|los|las|una|il|lo|gli)\s+)?(?!(?:else|so|not|something|similar|higher|lower|more|less)\b)([\p{L}\p{N}]+)/giu;
/** Minimum similarity (0 to 1) at which a word of the task counts as the same as a word of an option. */
const SAME_WORD = 0.9;

/**
 * Whether the task has "or" between two things and the plan uses only one of them. The other thing may be an
 * option that the page does not have.
 */
export function choosesAlternative(
  task: string,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): boolean {
  const chosen = steps.flatMap(({ action, targetId, value }): readonly (readonly string[])[] => {
    const element = elements.find((one) => one.highlight_index === targetId);
    if (action === "select_dropdown") return [contentWords(value ?? "")];
    return element && isTick(element) && action === "click"
      ? [namesOf(element).flatMap(({ text }) => contentWords(text))]
      : [];
  });
  return [...task.matchAll(OR)].some(([, before = "", after = ""]) => {
    const isOf = (said: string, words: readonly string[]): boolean =>
      contentWords(said).some((word) => wordScore(word, words) >= SAME_WORD);
    const isChosen = (said: string): boolean => chosen.some((words) => isOf(said, words));
    return isChosen(before) !== isChosen(after);
  });
}
