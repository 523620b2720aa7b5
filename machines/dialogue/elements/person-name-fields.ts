/** Finds the two fields of a page for the first and the last name of a person, also on pages in other languages. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import { isField } from "./texts-that-may-name-element.ts";

export interface PersonNameFields {
  readonly first: HighlightedElement;
  readonly last: HighlightedElement;
}

/**
 * Minimum score (0 to 1) at which a word of a field's name counts as a word for the first or the last name.
 */
const SAME = 0.75;
/**
 * Matches the complete name of a field "Name" in five languages. Beside a field "Apellidos" (last name), such a field
 * takes the first name. Beside a field "Prénom" (first name), it takes the last name.
 */
const NAME = /^(?:name|nom|nombre|nome)$/u;

/** Returns the fields for first and last name; `undefined` if the page lacks one of them. */
export function personNameFields(elements: readonly HighlightedElement[]): PersonNameFields | undefined {
  const fields = elements.filter((one) => isField(one) && !one.disabled);
  const named = (word: string): HighlightedElement | undefined =>
    fields.find((one) => contentWords(nameOf(one)).some((own) => wordScore(own, [word]) >= SAME));
  const [given, family] = [named("firstname"), named("lastname")];
  const other = fields.find(
    (one) =>
      one !== given &&
      one !== family &&
      NAME.test(
        plainText(nameOf(one))
          .replace(/[^\p{L}\s]/gu, "")
          .trim(),
      ),
  );
  const [first, last] = [given ?? other, family ?? other];
  return first && last && first !== last ? { first, last } : undefined;
}
