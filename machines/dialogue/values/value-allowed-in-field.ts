/** Checks whether a field takes a value by its type, and removes a unit that the field already names. */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { plainText } from "../words/normalised-words.ts";
import { kindOf } from "./fit-of-value-kind-to-field.ts";
import { inDigits, inFormOfField, takesDate, takesNumber } from "./value-in-format-of-field.ts";

/**
 * Matches a number with the counted thing after it, such as "2 pallets" for the field "Pallets". Units of
 * measure are removed by `inFormOfField`.
 */
const COUNTED = /^([$€£]?\s?\d[\d.,]*|\p{L}+)\s*(\p{L}+|%|°\p{L}?)$/u;

/** Returns the value that is entered into a field; `undefined` if the field does not take it. */
export function valueForField(
  text: string,
  element: HighlightedElement,
  label: readonly string[],
): string | undefined {
  const { type } = element;
  if (type === "password") return /^secret\s+\w+$/iu.test(text) ? text : undefined;
  if (takesNumber(element)) {
    const [, number = "", thing = ""] = COUNTED.exec(text) ?? [];
    const digits = inDigits(number);
    const isNamed = label.some((word) => thing !== "" && word.startsWith(plainText(thing).slice(0, 3)));
    if (isNamed && /\d/u.test(digits)) return inFormOfField(digits, element);
    const value = inFormOfField(text, element);
    return /^-?\d+(?:\.\d+)?$/u.test(value) ? value : undefined;
  }
  if (type === "email") return kindOf(text) === "email" ? text : undefined;
  if (type === "date" || takesDate(element)) return /\d/u.test(text) ? text : undefined;
  if (type === "time") return /\d/u.test(text) ? text : undefined;
  return text;
}
