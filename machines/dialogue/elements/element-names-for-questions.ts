/**
 * Names elements so that a person can distinguish them: by their row, form or region of the page, by the heading or
 * the text before them, and otherwise by their position.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { roleOf, rowText } from "./texts-that-may-name-element.ts";

/**
 * For each region of a page, a pattern for the XPaths of elements in it, and its description. Inner regions
 * come first.
 */
const REGIONS: readonly (readonly [RegExp, string])[] = [
  [/^.*\/dialog(?:\[|\/)/u, "in the dialog"],
  [/^.*\/nav(?:\[|\/)/u, "in the navigation"],
  [/^.*\/aside(?:\[|\/)/u, "in the sidebar"],
  [/^.*\/header(?:\[|\/)/u, "in the header"],
  [/^.*\/footer(?:\[|\/)/u, "in the footer"],
  [/^.*\/main(?:\[|\/)/u, "in the main part"],
];

type Detail = (element: HighlightedElement) => string | undefined;

const DETAILS: readonly Detail[] = [
  (element) => rowText(element),
  ({ formName }) => (formName === undefined ? undefined : `in the form "${formName}"`),
  ({ xpath }) => REGIONS.find(([pattern]) => pattern.test(xpath))?.[1],
  ({ value }) => (value === undefined || value === "" ? undefined : `with "${value}"`),
  (element) => {
    const heading = placeOf(element).headings.at(-1);
    return heading === undefined ? undefined : `under "${heading}"`;
  },
];

/** Returns for each element a text by which a person can distinguish it from the others. */
export function distinctTexts(elements: readonly HighlightedElement[]): readonly string[] {
  const [row, ...others] = DETAILS;
  const base = elements.map((element) =>
    [nameOf(element) || (element.icon ?? roleOf(element)), row?.(element)].filter(Boolean).join(", "),
  );
  const detailed = others.reduce<readonly string[]>(
    (texts, detail) => withDetail(texts, elements, detail),
    base,
  );
  const named = withOwnLines(detailed, elements);
  return named.map((text, at) => {
    const alike = named.filter((one) => one === text).length;
    if (alike === 1) return text;
    const position = named.slice(0, at + 1).filter((one) => one === text).length;
    return `${text}, number ${position} of ${alike} on the page`;
  });
}

/**
 * If several elements share a text, adds a detail of each element, such as its row or form, provided that the
 * details differ.
 */
function withDetail(
  texts: readonly string[],
  elements: readonly HighlightedElement[],
  detail: Detail,
): readonly string[] {
  const details = elements.map(detail);
  return texts.map((text, at) => {
    const alike = texts.flatMap((one, index) => (one === text ? [details[index]] : []));
    const own = details[at];
    return own !== undefined && new Set(alike).size > 1 ? `${text}, ${own}` : text;
  });
}

/**
 * If several elements have the same text, adds to each a line of text near it that the others lack. For example, a
 * page has a small table for each key, with the key's name in the first row and the button "Remove" in the last. If
 * one element has no such line, all texts stay unchanged.
 */
function withOwnLines(texts: readonly string[], elements: readonly HighlightedElement[]): readonly string[] {
  const lines = elements.map((element) => {
    const { opening = [], caption } = placeOf(element);
    return [...opening, ...caption];
  });
  return texts.map((text, at) => {
    const alike = texts.flatMap((one, index) => (one === text ? [lines[index] ?? []] : []));
    const isShared = (line: string | undefined): boolean =>
      line !== undefined && alike.every((all) => all.includes(line));
    const ownOf = (all: readonly string[]): string | undefined => {
      const own = all.filter((line) => !isShared(line));
      // All elements have a label such as "Description" near them. The line after the label, such as "Import script",
      // is probably a value that belongs to this element alone, so it is preferred.
      return own.find((line) => isShared(all[all.indexOf(line) - 1])) ?? own[0];
    };
    const owns = alike.map(ownOf);
    const own = ownOf(lines[at] ?? []);
    const isDistinct = !owns.includes(undefined) && new Set(owns).size === owns.length;
    return alike.length > 1 && own !== undefined && isDistinct ? `${text}, ${own}` : text;
  });
}
