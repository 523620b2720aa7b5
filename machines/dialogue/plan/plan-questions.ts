/**
 * Builds the questions to a person about a plan: which element, option or secret is right, and whether a
 * risky step is intended.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { distinctTexts } from "../elements/element-names-for-questions.ts";
import type { Match } from "../elements/elements-described-by-task-words.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { plainText } from "../words/normalised-words.ts";
import { targetScore } from "./plan-confidence.ts";
import type { Question } from "./plan-schemas.ts";

export function freeform(id: string, question: string): Question {
  return { id, type: "freeform", question, options: [], allowFreeform: true };
}

export function optionQuestion(id: string, called: string, matches: readonly Match[]): Question {
  const offered = matches.slice(0, dialogueLimits.options);
  const texts = distinctTexts(offered.map(({ element }) => element));
  const options = offered.map(({ element, score }, at) => ({
    id: String(element.highlight_index),
    text: texts[at] ?? nameOf(element),
    confidence: targetScore(score),
  }));
  return { id, type: "option_select", question: `Which "${called}" is meant?`, options, allowFreeform: true };
}

export function valueQuestion(at: number, { value }: Order, element: HighlightedElement): Question {
  const name = nameOf(element);
  const options = (element.options ?? [])
    .filter((one) => plainText(one) !== "")
    .slice(0, dialogueLimits.options)
    .map((text) => ({ id: text, text, confidence: 0.5 }));
  const question = `"${name}" has no option "${value ?? ""}". Which one should be selected?`;
  return { id: `value-${at}`, type: "option_select", question, options, allowFreeform: true };
}

export function secretQuestion(at: number, field: string): Question {
  const question = `Which stored secret should be typed into "${field}"? Give its name, not its value.`;
  return freeform(`secret-${at}`, question);
}

/**
 * Returns the question about a value of the task that no step of the plan uses. It asks into which field the value
 * should be entered. If the part of the task with the value is a click, the question asks what to do instead.
 */
export function unusedQuestion(partIndex: number, value: string, isClick: boolean): Question {
  return isClick
    ? freeform(`part-${partIndex}`, `No element that fits is called "${value}". What should be done?`)
    : freeform(`place-${partIndex}`, `Where does "${value}" belong? Name the field for it.`);
}

export function confirmation(at: number, element: HighlightedElement, target: number): Question {
  const name = nameOf(element) || (element.icon ?? "");
  return {
    id: `target-${at}`,
    type: "confirm",
    question: `"${name}" may not be undone. Is it meant?`,
    options: [
      { id: String(element.highlight_index), text: "Yes", confidence: target },
      { id: "no", text: "No", confidence: 1 - target },
    ],
    allowFreeform: true,
  };
}
