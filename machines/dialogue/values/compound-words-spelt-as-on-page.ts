/**
 * Spells the compound words of a task as the page does: "test plan", "testplan" and "TestPlan" are one thing to a person,
 * but different words to a comparison of names.
 */
import { withCamelCaseParts } from "../../compound-words.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { namesOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { replaceQuotes } from "../task/split-task-at-imperatives.ts";
import { plainText, stem } from "../words/normalised-words.ts";

/** Minimum length of each part of a compound word, in letters. Shorter parts are often prefixes, such as "un" and "re". */
const PART_LETTERS = 3;

/** Matches words with a space or a hyphen between them. The second one may be the first one of the next pair. */
const PAIR = /(?<!\p{L})(\p{L}{3,})[ -](?=(\p{L}{3,}))/gu;
const WORD = /(?<!\p{L})\p{L}{6,}(?!\p{L})/gu;

const wordsIn = (text: string): readonly string[] => (plainText(text).match(/\p{L}+/gu) ?? []).map(stem);

const key = (one: string, other: string): string => `${stem(plainText(one))} ${stem(plainText(other))}`;

/** Whether `plainText` spells the two words as one term, as it does with "zip code". */
const isTerm = (one: string, other: string): boolean =>
  plainText(`${one} ${other}`) !== `${plainText(one)} ${plainText(other)}`;

/** The words of a page, and its pairs of words that follow each other. */
interface Spelling {
  readonly words: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
}

function spellingOf(elements: readonly HighlightedElement[]): Spelling {
  const texts = elements.flatMap((one) => [
    ...namesOf(one).map(({ text }) => withCamelCaseParts(text)),
    rowText(one),
    ...(one.options ?? []),
  ]);
  const runs = texts.map(wordsIn);
  const pairs = runs.flatMap((run) => run.slice(1).map((word, at) => `${run[at]} ${word}`));
  return { words: new Set(runs.flat()), pairs: new Set(pairs) };
}

/**
 * Returns the task with its compound words spelt as on the page: "test plan" becomes "testplan" if the page
 * has the word "Testplan".
 */
export function speltAsOnPage(task: string, elements: readonly HighlightedElement[]): string {
  if (!/\p{L}{6,}|\p{L}{3,}[ -]\p{L}{3,}/u.test(task)) return task;
  const { words, pairs } = spellingOf(elements);
  // Quoted texts are values or names, so their spelling stays.
  const quotes: string[] = [];
  const open = replaceQuotes(task, (quote) => `⟦${quotes.push(quote) - 1}⟧`);
  const joined = open.replace(PAIR, (text, one: string, other: string) =>
    !pairs.has(key(one, other)) && !isTerm(one, other) && words.has(stem(plainText(one + other)))
      ? one
      : text,
  );
  const split = joined.replace(WORD, (word) => {
    if (words.has(stem(plainText(word)))) return word;
    for (let at = PART_LETTERS; at <= word.length - PART_LETTERS; at++) {
      const [one, other] = [word.slice(0, at), word.slice(at)];
      if (pairs.has(key(one, other))) return `${one} ${other}`;
    }
    return word;
  });
  return split.replace(/⟦(\d+)⟧/gu, (_, at: string) => quotes[Number(at)] ?? "");
}
