/** Finds the words of a task that name a field or list of the page, such as "the purchase order number". */
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isField, isList, isTick, rowPath } from "../elements/texts-that-may-name-element.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS, plainText } from "../words/normalised-words.ts";
import { CREATING, SENDING, SUBMITTING, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";

export interface Label {
  readonly element: HighlightedElement;
  /** The label in lower case, without accents and without text in parentheses. */
  readonly plain: string;
  /** The words of the label without fillers such as "the". */
  readonly words: readonly string[];
}

/** A part of a task that names the label of a field. */
export interface Mention {
  readonly label: Label;
  readonly from: number;
  readonly to: number;
  /** Share (0 to 1) of the label's words that the task contains. */
  readonly share: number;
  /** Whether the label is a single word that may be a verb, such as "Message". */
  readonly isVerb: boolean;
}

/**
 * Minimum score (0 to 1) at which a word of a task counts as a word of a label. Synonyms score 0.8, so they do not
 * count.
 */
const SAME = 0.85;
/** Maximum number of words of a label. A longer label is a sentence, which no task repeats. */
const LABEL_WORDS = 8;
/** Minimum share (0 to 1) of the words of a label that the task must contain. */
const MIN_SHARE = 0.5;

/** Words in the labels of fields that find things. A task that names such a field searches for a thing. */
const FINDING: ReadonlySet<string> = new Set(contentWords("search find filter query"));

const isEntry = (element: HighlightedElement): boolean =>
  (isField(element) || isList(element)) &&
  !isTick(element) &&
  !element.disabled &&
  element.type !== "search" &&
  rowPath(element) === undefined;

const labelsOfPages = new WeakMap<readonly HighlightedElement[], readonly Label[]>();

/** Returns the labels of the fields and lists of a page. */
export function labelsOf(elements: readonly HighlightedElement[]): readonly Label[] {
  const known = labelsOfPages.get(elements);
  if (known) return known;
  const labels = elements.filter(isEntry).flatMap((element): readonly Label[] => {
    const name = nameOf(element) === "" ? (placeOf(element).caption.at(-1) ?? "") : nameOf(element);
    const plain = plainText(name.replace(/\([^)]*\)|[*:?…]|\.{2,}/gu, " ")).trim();
    const words = contentOf(plain);
    const isOther = words.length > LABEL_WORDS || words.some((word) => FINDING.has(word));
    return plain === "" || isOther ? [] : [{ element, plain, words }];
  });
  labelsOfPages.set(elements, labels);
  return labels;
}

const contentOf = (text: string): readonly string[] =>
  contentWords(text).filter((word) => !FILLERS.has(word));
const isContent = (token: Token | undefined): boolean =>
  token !== undefined && token.kind !== "separator" && contentOf(token.plain).length > 0;

/**
 * Returns the labels of fields that a task contains. Where several labels fit, the one with the most words is
 * returned.
 */
export function labelsIn(tokens: readonly Token[], labels: readonly Label[]): readonly Mention[] {
  const found: Mention[] = [];
  let at = 0;
  while (at < tokens.length) {
    const best = bestAt(at, tokens, labels);
    if (best) found.push(best);
    at = best ? best.to : at + 1;
  }
  return found;
}

/**
 * Returns the label that starts at a token and fits the most tokens; `undefined` if no label fits, or if it is
 * unclear which one is meant.
 */
function bestAt(at: number, tokens: readonly Token[], labels: readonly Label[]): Mention | undefined {
  for (let to = Math.min(tokens.length, at + LABEL_WORDS); to > at; to--) {
    const part = tokens.slice(at, to);
    if (part.some(({ isQuoted }) => isQuoted)) continue;
    const plain = plainText(
      textOf(part).replace(/\s*[.,;:]\s*/gu, (mark) => (mark.trim() === "." ? " " : mark)),
    );
    const words = contentOf(plain);
    // In "parking zone Zone A", the label is "parking zone", and the second "Zone" belongs to the value "Zone
    // A".
    const isRepeated = part.filter(isContent).length > words.length;
    const isBounded = isContent(part[0]) && isContent(part.at(-1)) && !isRepeated;
    const [best, next] = labels
      .flatMap((label) => {
        const share = label.plain === plain ? 1 : isBounded ? shareOf(words, label) : 0;
        return share === 0 ? [] : [{ label, share }];
      })
      .toSorted((one, other) => other.share - one.share);
    if (best === undefined || best.share < MIN_SHARE) continue;
    // "The name" may mean the field "First name" or the field "Company name". If it is unclear which label is
    // meant, none is returned.
    if (next !== undefined && (next.share === best.share || best.share < 1)) return undefined;
    const isVerb = part.length === 1 && words.some((word) => MAY_BE_VERB.has(word));
    const end = FIELD_NOUN.test(tokens[to]?.plain ?? "") ? to + 1 : to;
    return { ...best, from: at, to: end, isVerb };
  }
  return undefined;
}

/** Nouns that continue the label of a field: "VAT number" for the field "VAT". */
const FIELD_NOUN = /^(?:number|no|code|field|box|nummer|feld|numero|champ|campo)$/u;

/**
 * Returns which share of a label's words is in `words`. Returns 0 if `words` contains any word that is not in
 * the label.
 */
function shareOf(words: readonly string[], label: Label): number {
  const isOf = (word: string): boolean => wordScore(word, label.words) >= SAME;
  if (words.length === 0 || words.length > label.words.length || !words.every(isOf)) return 0;
  return label.words.filter((word) => wordScore(word, words) >= SAME).length / label.words.length;
}

const MAY_BE_VERB: ReadonlySet<string> = new Set([
  ...Object.values(VERBS).flatMap((set) => [...set]),
  ...CREATING,
  ...SENDING,
  ...SUBMITTING,
]);
