/**
 * Replaces a relative change of a number, such as "Increase the guests by 2", by the new number. The current
 * number is read from the page's field.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { hasWord } from "../elements/elements-described-by-task-words.ts";
import { isField } from "../elements/texts-that-may-name-element.ts";
import { splitUnquoted } from "../task/split-task-at-imperatives.ts";
import { contentWords } from "../words/normalised-words.ts";
import { withoutOwnUnit } from "./units-of-values.ts";
import { inDigits } from "./value-in-format-of-field.ts";

const MORE = "increase|raise|bump(?:\\s+up)?|erhöhe|augmente[rz]?|aumenta|sube|alza";
const LESS = "decrease|reduce|lower|cut|verringere|senke|réduis|baisse|reduce|baja|riduci|diminuisci|abbassa";
/**
 * Matches a change of a number by an amount. It captures the verb, the name of the number, the word "by", the
 * amount and the unit.
 */
const CHANGE = new RegExp(
  `^\\s*(?:please\\s+)?(${MORE}|${LESS})\\s+(.+?)\\s+(by|um|de|en|di)\\s+(\\d+(?:[.,]\\d+)*|one|two|three|four|five|six)(?!\\d)\\s*(%|percent|per\\s+cent|prozent|pour\\s*cent|por\\s+ciento|per\\s+cento|[€$£]|\\p{L}+)?\\s*[.!]?\\s*$`,
  "iu",
);
const IS_MORE = new RegExp(`^(?:${MORE})$`, "iu");
/**
 * Matches the amount at the end of a part that has no verb of its own: "by 2" in "Increase the price by 1 and
 * the stock by 2". Such a part gets the verb of the part before it.
 */
const SHARED = /\s(?:by|um|de|en|di)\s+\S+\s*$/iu;
/**
 * Matches what separates two parts of a task. A comma before a digit is part of a number and no separator.
 */
const BETWEEN =
  /(\s*[,;](?!\d)\s*(?:and\s+)?(?:then\s+)?|\s+(?:(?:and|und|et|y|e)(?:\s+then)?|then|dann|puis|luego|poi)\s+)/iu;
/** Matches a number in digits, without separators of thousands, with a point before its decimals. */
const NUMBER = /^-?\d+(?:\.\d+)?$/u;

export interface NumberChange {
  /** The words of the task for the number that changes, such as "the guests". */
  readonly named: string;
  /** The amount of the change, as the task writes it. */
  readonly written: string;
  /** The amount in digits, with a point before its decimals. */
  readonly amount: string;
  /** The unit after the amount, such as "%" or "kg"; empty if there is none. */
  readonly unit: string;
  readonly isMore: boolean;
}

/** Returns the changes of numbers that a task asks for, such as "Increase the guests by 2". */
export const changesIn = (task: string): readonly NumberChange[] =>
  [task, ...partsOfChanges(task)].flatMap((part) => changeIn(part) ?? []);

function changeIn(part: string): NumberChange | undefined {
  const [, verb, named, by, written, unit = ""] = CHANGE.exec(part) ?? [];
  if (verb === undefined || named === undefined || by === undefined || written === undefined)
    return undefined;
  const isEnglish = by.toLowerCase() === "by";
  const amount = inPoints(inDigits(written), isEnglish);
  return { named, written, amount, unit: unit.toLowerCase(), isMore: IS_MORE.test(verb) };
}

/**
 * Returns a number with a point before its decimals, and without separators of thousands. Three digits follow
 * such a separator: "1,000" is 1000 in English. In the other languages, "1.000" is 1000 and "1,5" is 1.5.
 */
function inPoints(number: string, isEnglish: boolean): string {
  const thousands = isEnglish ? /,(?=\d{3}(?!\d))/gu : /\.(?=\d{3}(?!\d))/gu;
  return number.replace(thousands, "").replace(",", ".");
}

/**
 * Splits a task into its parts and the texts between the parts. A part without a verb gets the verb of the
 * last part that changes a number.
 */
function partsOfChanges(task: string): readonly string[] {
  let verb: string | undefined;
  return splitUnquoted(task, BETWEEN).map((part, at) => {
    if (at % 2 === 1) return part;
    const own = CHANGE.exec(part)?.[1];
    const shared = own === undefined && verb !== undefined && SHARED.test(part) ? `${verb} ${part}` : part;
    verb = CHANGE.exec(shared)?.[1];
    return shared;
  });
}

/**
 * Returns the task with the new numbers: "Set the guests to 5" for "Increase the guests by 2", if the page has
 * exactly one field for the guests and its value is 3. A change that has no such field, or whose new number the
 * field does not accept, stays as it is.
 */
export function withNewNumber(task: string, elements: readonly HighlightedElement[]): string {
  const whole = changed(task, elements);
  return (
    whole ??
    partsOfChanges(task)
      .map((part) => changed(part, elements) ?? part)
      .join("")
  );
}

function changed(part: string, elements: readonly HighlightedElement[]): string | undefined {
  const change = changeIn(part);
  if (change === undefined) return undefined;
  const words = contentWords(change.named.replace(/\bnumber\s+of\b/iu, " "));
  const fields = elements.filter(
    (one) => isField(one) && NUMBER.test(one.value ?? "") && words.every((word) => hasWord(one, word)),
  );
  const [field] = fields;
  if (!field || fields.length > 1) return undefined;
  const number = newNumber(change, field);
  return number !== undefined && accepts(field, number)
    ? `Set ${nameOf(field)} to ${Number(number.toFixed(6))}`
    : undefined;
}

/** Matches a unit such as "%", with which the amount of a change is relative to the number in the field. */
const PERCENT = /^(?:%|per\s*cent|prozent|pour\s*cent|por\s+ciento|per\s*cento)$/u;

/**
 * Returns the number of a field after a change. Returns `undefined` in two cases: the field has another unit,
 * or a change by a percentage would turn a whole number into a fraction.
 */
function newNumber({ amount, unit, isMore }: NumberChange, field: HighlightedElement): number | undefined {
  const old = Number(field.value);
  const sign = isMore ? 1 : -1;
  if (!PERCENT.test(unit)) {
    const isOwn = unit === "" || withoutOwnUnit(`1 ${unit}`, field) !== undefined;
    return isOwn ? old + sign * Number(amount) : undefined;
  }
  const changed = Number((old + (sign * old * Number(amount)) / 100).toFixed(6));
  return Number.isInteger(old) && !Number.isInteger(changed) ? undefined : changed;
}

/**
 * Whether the limits of a field allow a new number. Without a lower limit, a number may become negative only
 * if the old number is negative.
 */
function accepts({ attributes: { min, max }, value }: HighlightedElement, number: number): boolean {
  const limit = (text: string | undefined): number | undefined =>
    text !== undefined && NUMBER.test(text) ? Number(text) : undefined;
  const lowest = limit(min) ?? (Number(value) < 0 ? Number.NEGATIVE_INFINITY : 0);
  return number >= lowest && number <= (limit(max) ?? Number.POSITIVE_INFINITY);
}
