/**
 * Reads the texts that a press (click) has added to a page, such as the words of a dialog or a tab. The
 * search of a map finds the state of the page by these texts.
 */
import { tidy } from "../../knowledge/screens/screen-name-from-title.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { nameOf, placeOf, rowPlaces } from "./page-state-by-visible-controls.ts";

interface View {
  readonly elements: readonly HighlightedElement[];
  /** The text of the page between its elements, one text a line. */
  readonly text: string;
}

/** Maximum total length of the texts of one state in characters. A tab may show a whole list. */
const LONGEST = 4_000;

/**
 * Returns the texts and the names of controls that the page shows only after the press. Links are left out, because
 * they name other pages, and so are the controls in the rows of lists, whose texts are data.
 */
export function textsAddedByPress(before: View, after: View): readonly string[] {
  const known = new Set([...linesOf(before.text), ...before.elements.map(textOf)]);
  const rows = rowPlaces(after.elements);
  const own = after.elements.filter((element) => !isLink(element) && !rows.has(placeOf(element)));
  const texts = new Set([...linesOf(after.text), ...own.map(textOf)]).difference(known);
  const kept: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    if (length > LONGEST) break;
    if (text !== "") kept.push(text);
  }
  return kept;
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => tidy(line.replace(/^#{1,6} /, "")));
}

function textOf(element: HighlightedElement): string {
  return tidy(nameOf(element));
}

function isLink({ tagName, attributes }: HighlightedElement): boolean {
  return tagName.toLowerCase() === "a" && Boolean(attributes.href);
}
