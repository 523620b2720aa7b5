/**
 * Describes in numbers how well each control of a page fits a task clause, even if the clause uses other words than
 * the control. The numbers come from word vectors, from the words of the control's row or card, and from its kind.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { withoutTwins } from "../elements/elements-with-same-effect.ts";
import { isPlaceholder } from "../elements/option-named-in-task.ts";
import {
  captionOf,
  isField,
  isList,
  isTick,
  namesOf,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { inEnglish } from "../words/translated-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import { similarity, textVector, type WordVectors } from "../words/word-vectors.ts";

/** A control that a task clause may mean, or an option of a list. */
export interface Candidate {
  readonly element: HighlightedElement;
  /** The option of the list `element`; `undefined` for a control that is clicked. */
  readonly option: string | undefined;
  readonly features: Features;
}

/** How well a candidate (a control or a list option) fits a task clause. Similarities are from -1 to 1. */
export interface Features {
  /**
   * Similarity of the name of the control or option to the words of the task clause. Words of the clause that are in
   * the row of the control are left out.
   */
  readonly name: number;
  /** Similarity between the name of the control or option and the complete task clause. */
  readonly whole: number;
  /**
   * Similarity between the complete task clause and a text that consists of the control's name, its row and its
   * nearest heading.
   */
  readonly place: number;
  /**
   * Number of words that the task clause shares with the row or card of the control. A word counts less if many rows
   * contain it.
   */
  readonly row: number;
  /** Share (0 to 1) of the words of the candidate's name that the task clause contains, or has a synonym of. */
  readonly words: number;
  /** Mean similarity of the words in the control's name to the nearest words of the task clause. */
  readonly named: number;
  /**
   * Mean similarity of the words of the task clause to the nearest words in the name or the surroundings of the
   * control.
   */
  readonly explained: number;
  /**
   * Similarity between the task clause's first word, which is often a verb, and the nearest word of the control's
   * name.
   */
  readonly first: number;
  /**
   * Each of these three numbers is 1 if the candidate is of the kind, otherwise 0. `tick`: a checkbox. `option`: an
   * option of a list. `plain`: an element without a role.
   */
  readonly tick: number;
  readonly option: number;
  readonly plain: number;
  /**
   * 1 if the control is a link or a tab, and the task clause asks a question or asks to show something; otherwise 0.
   */
  readonly shows: number;
  /** Logarithm of the number of words in the name of the control or option. */
  readonly length: number;
  /** 1 if the control has no visible text, but only an icon or a tooltip; otherwise 0. */
  readonly nameless: number;
}

/**
 * Words that occur in requests for any control, such as "please" and "show". They are not compared with the
 * names of controls.
 */
const FRAME: ReadonlySet<string> = new Set(
  (
    "i a an the please to my me we our you your it this that is are be of and can could would like want need " +
    "just now some for do does did in on at with what which who when where " +
    "show open see view display look go take let get bring have has so too also how about from by as or there here " +
    "then them they he she his her us s t m ll d re ve don"
  ).split(" "),
);
/** Matches a task clause that asks a question or asks to show something. */
const SHOWS =
  /\?|^(?:show|open|see|view|let me|what|where|when|which|who|how|go|take me|zeig|öffne|montre|ouvre|muestra|abre|mostra|apri|vedi|visualizza)/iu;
/** Whether a task clause asks a question or asks to show something. */
export const isShowing = (clause: string): boolean => SHOWS.test(clause);
/**
 * Minimum weight (0 to 1) of a name that is compared with the task clause. The weight says how surely the name refers
 * to its element.
 */
const MIN_WEIGHT = 0.6;
/** Maximum value of the feature `row`. Further words that a task clause shares with a row do not increase it. */
const MAX_ROW = 2;
/** Minimum of the features `name` and `whole`. They have this value for an element without any name. */
const NO_NAME = -0.1;
/** Tags of elements that have no role of their own. */
const PLAIN_TAGS = /^(?:td|th|tr|li|div|span|label)$/u;

/**
 * Returns the words of a text in lower case, without words such as "the" and "please". Before each word of
 * another language, the result has its English translation.
 */
export function meaningWords(text: string): readonly string[] {
  const words = (plainText(text).match(/\p{L}+|\p{N}+/gu) ?? []).flatMap((word) => [
    ...new Set([...inEnglish(word).split(" "), word]),
  ]);
  const own = words.filter((word) => !FRAME.has(word));
  return own.length > 0 ? own : words;
}

/**
 * Returns each control that is used by a click, and each option of a list, with the numbers by which its similarity to
 * the task clause is computed.
 */
export function candidatesFor(
  clause: string,
  elements: readonly HighlightedElement[],
  vectors: WordVectors,
): readonly Candidate[] {
  const vector = remembered(vectors);
  const distinct = withoutTwins(
    elements.map((element) => ({ element, score: 1 })),
    elements,
  ).map(({ element }) => element);
  const places = new Map(
    distinct.map((one) => {
      const text = [rowText(one), ...captionOf(one), ...placeOf(one).headings.slice(-1)].join(" ");
      return [one, { text, words: new Set(contentWords(text)) }] as const;
    }),
  );
  const said = contentWords(clause);
  const asked = meaningWords(clause);
  const [first = ""] = asked;
  const rows = new Map(
    said.map((word) => [word, [...places.values()].filter(({ words }) => words.has(word)).length] as const),
  );
  const showsThing = isShowing(clause);
  const whole = vector(asked);
  const pairs = new Map<string, number>();
  const pair = (one: string, other: string): number => {
    const key = `${one} ${other}`;
    const known = pairs.get(key) ?? similarity(vector([one]), vector([other]));
    pairs.set(key, known);
    return known;
  };
  const nearest = (word: string, others: readonly string[]): number =>
    others.reduce((best, other) => Math.max(best, pair(word, other)), 0);
  const meanNearest = (words: readonly string[], others: readonly string[]): number =>
    words.reduce((sum, word) => sum + nearest(word, others), 0) / Math.max(1, words.length);
  const featuresOf = (
    element: HighlightedElement,
    names: readonly { readonly text: string; readonly weight: number }[],
    option: string | undefined,
  ): Features => {
    const place = places.get(element) ?? { text: "", words: new Set<string>() };
    const own = new Set(names.flatMap(({ text }) => contentWords(text)));
    const shared = new Set(said.filter((word) => place.words.has(word) && !own.has(word)));
    const rest = asked.filter((word) => !shared.has(contentWords(word)[0] ?? ""));
    const left = shared.size > 0 ? vector(rest) : whole;
    const best = (score: (text: string) => number, lowest: number): number =>
      names.reduce((most, { text, weight }) => Math.max(most, weight * score(text)), lowest);
    const [shown] = names;
    const around = meaningWords(place.text);
    const role = roleOf(element);
    const called = names.flatMap(({ text }) => meaningWords(text));
    return {
      name: best((text) => similarity(left, vector(meaningWords(text))), NO_NAME),
      whole: best((text) => similarity(whole, vector(meaningWords(text))), NO_NAME),
      place: similarity(whole, vector([...meaningWords(shown?.text ?? ""), ...around])),
      row: Math.min(
        MAX_ROW,
        [...shared].reduce((sum, word) => sum + 1 / Math.sqrt(Math.max(1, rows.get(word) ?? 1)), 0),
      ),
      words: best((text) => {
        const words = contentWords(text);
        return words.reduce((sum, word) => sum + wordScore(word, said), 0) / Math.max(1, words.length);
      }, 0),
      named: best((text) => meanNearest(meaningWords(text), rest), 0),
      explained: meanNearest(asked, [...new Set([...called, ...around])]),
      first: nearest(first, called),
      tick: isTick(element) ? 1 : 0,
      option: option === undefined ? 0 : 1,
      plain: role === "" || (element.role === undefined && PLAIN_TAGS.test(element.tagName)) ? 1 : 0,
      shows: showsThing && /^(?:link|tab|menuitem)$/u.test(role) ? 1 : 0,
      length: Math.log(1 + (shown?.text ?? "").split(/\s+/u).length),
      nameless: nameOf(element) === "" ? 1 : 0,
    };
  };
  return distinct.flatMap((element): readonly Candidate[] => {
    if (isField(element)) return [];
    if (isList(element))
      return (element.options ?? []).flatMap((option, at) =>
        isPlaceholder(option, at) || option.trim() === ""
          ? []
          : {
              element,
              option,
              features: featuresOf(
                element,
                [option, `${nameOf(element)} ${option}`].map((text) => ({ text, weight: 1 })),
                option,
              ),
            },
      );
    const names = namesOf(element).filter(({ weight }) => weight >= MIN_WEIGHT);
    return [{ element, option: undefined, features: featuresOf(element, names, undefined) }];
  });
}

/** Returns a function that computes the vector of words. Each vector is computed only once, and then cached. */
function remembered(vectors: WordVectors): (words: readonly string[]) => Float32Array {
  const known = new Map<string, Float32Array>();
  return (words) => {
    const key = words.join(" ");
    const vector = known.get(key) ?? textVector(words, vectors);
    known.set(key, vector);
    return vector;
  };
}
