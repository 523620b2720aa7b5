/** Computes the new number of a field from a task that only names the change: "Increase the guests by 2". */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { isField } from "./element-names.ts";
import { contentWords } from "./normalised-words.ts";
import { hasWord } from "./target-match.ts";
import { inDigits } from "./value-in-form-of-field.ts";

const MORE = "increase|raise|bump(?:\\s+up)?|erhöhe|augmente[rz]?|aumenta|sube";
const LESS = "decrease|reduce|lower|cut|verringere|senke|réduis|baisse|reduce|baja";
/** Matches a change of a number by an amount. Its groups are the verb, the name of the number and the amount. */
const CHANGE = new RegExp(
  `^\\s*(?:please\\s+)?(${MORE}|${LESS})\\s+(.+?)\\s+(?:by|um|de|en)\\s+(\\d+(?:[.,]\\d+)?|one|two|three|four|five|six)(?!\\s*[%\\d])\\s*[.!]?\\s*$`,
  "iu",
);
const IS_MORE = new RegExp(`^(?:${MORE})$`, "iu");
/** Matches a number without separators of thousands, as fields for numbers have it. */
const NUMBER = /^-?\d+(?:\.\d+)?$/u;

export interface NumberChange {
  /** The words of the task that name the number, such as "the guests". */
  readonly named: string;
  /** The amount by which the number changes, in digits. */
  readonly amount: string;
  readonly isMore: boolean;
}

/**
 * Returns how a task changes a number, as in "Increase the guests by 2". Returns `undefined` for any other
 * task.
 */
export function changeIn(task: string): NumberChange | undefined {
  const [, verb, named, amount] = CHANGE.exec(task) ?? [];
  if (verb === undefined || named === undefined || amount === undefined) return undefined;
  return { named, amount: inDigits(amount).replace(",", "."), isMore: IS_MORE.test(verb) };
}

/**
 * Returns the task with the new number: "Set the guests to 5" for "Increase the guests by 2", if the page has exactly
 * one field for the guests and its value is 3. Other tasks are returned unchanged.
 */
export function withNewNumber(task: string, elements: readonly HighlightedElement[]): string {
  const change = changeIn(task);
  if (change === undefined) return task;
  const words = contentWords(change.named.replace(/\bnumber\s+of\b/iu, " "));
  const fields = elements.filter(
    (one) => isField(one) && NUMBER.test(one.value ?? "") && words.every((word) => hasWord(one, word)),
  );
  const [field] = fields;
  if (!field || fields.length > 1) return task;
  const number = Number(field.value) + (change.isMore ? 1 : -1) * Number(change.amount);
  return `Set ${nameOf(field)} to ${Number(number.toFixed(6))}`;
}
