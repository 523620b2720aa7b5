/**
 * Writes a date, a time or a number as the field needs it: "30 November 2026" becomes `2026-11-30` in a date
 * field.
 */
import { MONTHS } from "../../reading/month-names.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { withoutOwnUnit } from "./units-of-values.ts";

/** Whether a field expects a complete date, by its type or its placeholder. */
export const takesDate = ({ type, placeholder = "" }: HighlightedElement): boolean =>
  type === "date" || PLACEHOLDER.test(placeholder);

/** Whether an element takes only numbers. */
export const takesNumber = ({ type, role }: HighlightedElement): boolean =>
  type === "number" || type === "range" || role === "spinbutton" || role === "slider";

/**
 * Matches the label of a field for the date of birth. No other date of a task is entered into such a field.
 */
const BIRTH =
  /\b(?:birth\p{L}*|born|dob|geburt\p{L}*|geboren|naissance|né|nacimiento|nacid[oa])(?![\p{L}])/iu;
export const namesBirth = (text: string): boolean => BIRTH.test(text);

/**
 * Matches a placeholder that shows the form of a date: "YYYY-MM-DD", "DD/MM/YYYY", "TT.MM.JJJJ". The letters
 * are those of English, German, French and Spanish.
 */
const PLACEHOLDER =
  /^(?:([yja]{4})([-./])([mdtj]{1,2})\2([mdtj]{1,2})|([mdtj]{1,2})([-./])([mdtj]{1,2})\6[yja]{4})$/iu;

/** Returns a date such as `2026-11-30` in the form that the placeholder shows. */
function asShown(date: string, placeholder: string): string {
  if (!PLACEHOLDER.test(placeholder)) return date;
  const [year = "", month = "", day = ""] = date.split("-");
  const short = (number: string, mask: string): string => (mask.length > 1 ? number : String(Number(number)));
  return placeholder.replace(/\p{L}+/gu, (mask) =>
    mask.length > 2 ? year : short(/^m/iu.test(mask) ? month : day, mask),
  );
}

/** Matches an amount of money with a sign or a word for the currency: "$5", "5 euros". */
const MONEY = /^(?:[$€£]\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:[$€£]|euros?|dollars?|pounds?))$/iu;
/** Matches a number with commas or points between thousands, and perhaps decimals: "1,200.50" and "1.200,50". */
const THOUSANDS = /^\d{1,3}(?:(,\d{3})+(?:\.\d+)?|(?:\.\d{3})+(?:,\d+)|(?:\.\d{3}){2,})$/u;
/** Matches a number with a comma before its decimals: "1,50". Three digits after a comma are thousands. */
const DECIMAL_COMMA = /^\d+,(?:\d{1,2}|\d{4,})$/u;

/**
 * Returns a number in the form that a number field accepts: without thousands separators, and with a decimal
 * point.
 */
function plainNumber(number: string): string {
  const [, commas] = THOUSANDS.exec(number) ?? [];
  if (commas !== undefined) return number.replaceAll(",", "");
  return THOUSANDS.test(number) || DECIMAL_COMMA.test(number)
    ? number.replaceAll(".", "").replace(",", ".")
    : number;
}

const DATE_WITH_YEAR =
  /^(?:(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(\p{L}+)\.?|(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?),?\s+(\d{4})$/iu;

/**
 * Returns a value in the form that the browser requires for the type of a field: `2026-11-30` for a date, `05:45`
 * for a time, and a number without its currency.
 */
export function inFormOfField(value: string, element: HighlightedElement): string {
  const text = value.trim();
  const { type } = element;
  if (takesDate(element)) {
    const date = dateOf(text);
    return date === undefined ? value : asShown(date, type === "date" ? "" : (element.placeholder ?? ""));
  }
  if (type === "time") return timeOf(text) ?? value;
  const isNumeric = /^(?:numeric|decimal)$/u.test(element.attributes.inputmode ?? "");
  if (!takesNumber(element)) return isNumeric && MONEY.test(text) ? amountOf(text) : value;
  const counted = NUMBER_WORDS[text.toLowerCase()];
  if (counted !== undefined) return String(counted);
  return amountOf(withoutOwnUnit(text, element) ?? text);
}

/** Returns a number or an amount of money without its currency. */
function amountOf(text: string): string {
  const [, before, after] = MONEY.exec(text) ?? [];
  return plainNumber(before ?? after ?? text);
}

/** Returns a date as `2026-11-30`, or `undefined` if the text is no complete date. */
function dateOf(text: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/u.test(text)) return text;
  const [, before, month, otherMonth, after, year] = DATE_WITH_YEAR.exec(text) ?? [];
  const number = MONTHS.get((month ?? otherMonth ?? "").toLowerCase());
  const day = before ?? after;
  if (number === undefined || day === undefined || year === undefined) return ofNumbers(text);
  return isoDate(year, number, Number(day));
}

/** Numbers that are said as words: "Set the quantity to two". */
const NUMBER_WORDS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    "zero one two three four five six seven eight nine ten eleven twelve",
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici",
  ].flatMap((words) => words.split(" ").map((word, number) => [word, number] as const)),
);

/** Returns a number word in digits, and any other text as it is. */
export function inDigits(text: string): string {
  const counted = NUMBER_WORDS[text.toLowerCase()];
  return counted === undefined ? text : String(counted);
}

/** Matches a time of the day: "5:45", "19.30", "19h30", "7 pm", "7:30 pm". */
const TIME_OF_DAY = /^(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d{2}))?(?:\s?(am|pm|uhr|h))?$/iu;
const HOURS_OF_DAY = 24;
const NOON = 12;

/** Returns a time as `19:30`, or `undefined` if the text is no time. A single number is no time. */
function timeOf(text: string): string | undefined {
  const [, hours, minutes, half] = TIME_OF_DAY.exec(text) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const isHalf = half !== undefined && /m$/iu.test(half);
  const hour = isHalf ? (Number(hours) % NOON) + (/^p/iu.test(half) ? NOON : 0) : Number(hours);
  if (hour >= HOURS_OF_DAY || Number(minutes ?? 0) >= 60) return undefined;
  return `${String(hour).padStart(2, "0")}:${minutes ?? "00"}`;
}

/** Matches a date of numbers: "30.11.2026", "30/11/2026" and "11/30/2026". */
const DATE_OF_NUMBERS = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/u;
const MONTHS_OF_YEAR = 12;

/**
 * Converts a date of numbers to the form `2026-11-30`. In a date with slashes, one number must be above 12,
 * because otherwise day and month cannot be distinguished.
 */
function ofNumbers(text: string): string | undefined {
  const [, first, separator, second, year] = DATE_OF_NUMBERS.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [one, other] = [Number(first), Number(second)];
  if (separator === "." || one > MONTHS_OF_YEAR) return isoDate(year, other, one);
  return other > MONTHS_OF_YEAR ? isoDate(year, one, other) : undefined;
}

/** Returns a date as `2026-11-30`, or `undefined` if it does not exist, such as 31 February. */
function isoDate(year: string, month: number, day: number): string | undefined {
  const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}
