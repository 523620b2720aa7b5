/**
 * Joins the parts of a date field, such as month, day and year, to one element (React Aria, Material UI). A date that is
 * entered into the first part fills in all parts.
 */
import type { HighlightedElement } from "./page-snapshot.ts";

/** Minimum number of parts of a date: its year, month and day. */
const MIN_PARTS = 3;
const MONTHS = 12;
/**
 * The largest day of the shortest month, and that of the longest months. The maximum of the part for the day is
 * between these numbers.
 */
const [LEAST_DAYS, MOST_DAYS] = [28, 31];

/** Returns the elements of a page, with one element of the type `date` for the parts of each date field. */
export function withWholeDates(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  const joined: HighlightedElement[] = [];
  for (let at = 0; at < elements.length; ) {
    const parts = partsFrom(elements, at);
    const [first] = parts;
    const element = elements[at];
    if (first) joined.push(wholeDate(first, parts));
    else if (element) joined.push(element);
    at += Math.max(1, parts.length);
  }
  return joined;
}

/** Whether the largest values of parts are those of a month and of a day. */
export const areDateParts = (maxima: readonly number[]): boolean =>
  maxima.length >= MIN_PARTS &&
  maxima.includes(MONTHS) &&
  maxima.some((most) => most >= LEAST_DAYS && most <= MOST_DAYS);

/** Returns the parts of the date field that begins with the given element; empty if none begins there. */
function partsFrom(elements: readonly HighlightedElement[], at: number): readonly HighlightedElement[] {
  // In React Aria, the parts have one parent. In Material UI, each part has a box of its own.
  for (const levels of [1, 2]) {
    const box = boxOf(elements[at], levels);
    const end = elements.findIndex(
      (one, index) => index > at && (!isPart(one) || boxOf(one, levels) !== box),
    );
    const parts = elements.slice(at, end < 0 ? undefined : end);
    if (parts.every(isPart) && areDateParts(parts.map(largest))) return parts;
  }
  return [];
}

const isPart = ({ role, tagName }: HighlightedElement): boolean =>
  role === "spinbutton" && tagName !== "input";
const largest = ({ attributes }: HighlightedElement): number => Number(attributes["aria-valuemax"]);
const boxOf = (element: HighlightedElement | undefined, levels: number): string =>
  (element?.xpath ?? "").split("/").slice(0, -levels).join("/");

function wholeDate(first: HighlightedElement, parts: readonly HighlightedElement[]): HighlightedElement {
  const { role: _, value: __, ariaLabel: ___, ...kept } = first;
  const name = commonEnd(parts.map(nameOfPart)) || first.around || first.row || "date";
  return { ...kept, type: "date", labelText: name, associatedLabels: [name] };
}

const nameOfPart = ({ labelText, ariaLabel }: HighlightedElement): readonly string[] =>
  (labelText ?? ariaLabel ?? "").trim().split(/\s+/u);

/** Returns the words at the end that all names have: "Publish Date" for "month, Publish Date" and "day, Publish Date". */
function commonEnd(names: readonly (readonly string[])[]): string {
  const [first = []] = names;
  let words = 0;
  while (
    words < first.length &&
    names.every((name) => name.length > words && name.at(-1 - words) === first.at(-1 - words))
  )
    words++;
  return words === 0 ? "" : first.slice(-words).join(" ");
}
