/**
 * Scores how well a text matches a request, by the words of both. The score is BM25 without a corpus. A name
 * in the request does not match a longer name in the text: "Marico" does not match "Marico Kaya".
 */
import { wordsOf } from "../knowledge/screens/screen-name-index.ts";
import { stem } from "../word-stem.ts";
import type { Intent } from "./navigation-run-schemas.ts";

/** Minimum share (0 to 1) of the topic's words that a relevant text must contain. */
const ENOUGH = 0.6;
/**
 * A line that only refers to other pages has at most this number of words outside of links. Such lines start
 * with "See also" in wikis (MediaWiki, DokuWiki) or "Related" in documentation and news.
 */
const REFERENCE_WORDS = 3;
/** Matches a link in Markdown. */
const LINK = /\[(?:[^[\]\\]|\\.)*\]\((?:[^()\\]|\\.)*\)/g;
/** The constant k1 of BM25. The higher it is, the more a repeated word increases the score. */
const SATURATION = 1.2;
/**
 * Words that may follow a company's name without naming another company: "Marico Ltd" is Marico, but "Marico
 * Kaya" is another company.
 */
const LEGAL_FORMS =
  /^(?:ltd|limited|inc|corp|corporation|co|company|plc|llc|gmbh|ag|sa|nv|spa|group|holdings?|shares?|stock|industries)$/i;

export interface Relevance {
  readonly relevant: boolean;
  /** Relevance of a text for the request, from 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

/** @param about link text and titles of listings that led to the text */
export function judgeRelevance(
  { topic, entities }: Pick<Intent, "topic" | "entities">,
  { title, content, about }: { readonly title: string; readonly content: string; readonly about: string },
): Relevance {
  const terms = termsOf(topic);
  if (terms.length === 0) return { relevant: true, score: 1, reason: "The request names no topic." };
  const other = entities.find((entity) => onlyQualified(entity, `${title}\n${content}`));
  if (other !== undefined) {
    return { relevant: false, score: 0, reason: `It is about another name that begins with "${other}".` };
  }
  const own = coverage(terms, `${title} ${title} ${withoutReferences(content)}`);
  if (own.share >= ENOUGH)
    return { relevant: true, score: own.score, reason: `It has ${named(topic, own.found)}.` };
  // A listing may name the topic only in its title. Its articles are then relevant, although they do not name
  // the topic.
  const above = coverage(terms, about);
  if (above.share >= ENOUGH) {
    return {
      relevant: true,
      score: 0.5 + own.score / 2,
      reason: `It is listed under ${named(topic, above.found)}.`,
    };
  }
  const missing = terms.filter((term) => !own.found.includes(term));
  return { relevant: false, score: own.score, reason: `It lacks ${named(topic, missing)}.` };
}

/**
 * Returns the content without lines that only refer to other pages, such as "See also". A topic that occurs
 * only in such lines is not the subject of the page. If no line would remain, the content is returned
 * unchanged.
 */
function withoutReferences(content: string): string {
  const isReference = (line: string) => {
    const rest = line.replace(LINK, " ");
    return rest !== line && wordsOf(rest).length <= REFERENCE_WORDS;
  };
  const own = content.split("\n").filter((line) => !isReference(line));
  return own.some((line) => wordsOf(line).length > 0) ? own.join("\n") : content;
}

/** Returns the stems of the meaningful words, each once. */
export function termsOf(topic: string): readonly string[] {
  return [
    ...new Set(
      wordsOf(topic)
        .filter((word) => word.length > 1)
        .map(stem),
    ),
  ];
}

export type TermWeights = ReadonlyMap<string, number>;

/**
 * Returns a weight for each term. The fewer of the texts contain the term, the higher its weight (inverse
 * document frequency, as in BM25).
 */
export function rarityOf(terms: readonly string[], texts: readonly string[]): TermWeights {
  const words = texts.map((text) => new Set(wordsOf(text).map(stem)));
  return new Map(
    terms.map((term) => {
      const holders = words.filter((some) => some.has(term)).length;
      return [term, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))] as const;
    }),
  );
}

/**
 * Finds which terms occur in a text. Returns them, their share of all terms, and a score (0 to 1) that grows with the
 * weights of the terms and with their number of occurrences.
 *
 * @param weights weights of the terms; without them, all terms have the same weight
 */
export function coverage(terms: readonly string[], text: string, weights?: TermWeights) {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) {
    const key = stem(word);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const found = terms.filter((term) => counts.has(term));
  let score = 0;
  let all = 0;
  for (const term of terms) {
    const weight = weights?.get(term) ?? 1;
    const count = counts.get(term) ?? 0;
    score += (weight * count) / (count + SATURATION);
    all += weight;
  }
  return {
    found,
    share: terms.length === 0 ? 1 : found.length / terms.length,
    score: terms.length === 0 ? 1 : score / all,
  };
}

/** Returns the words of a topic whose stems are in `stems`, without duplicates. */
function named(topic: string, stems: readonly string[]): string {
  return [...new Set(wordsOf(topic).filter((word) => stems.includes(stem(word))))].join(", ");
}

/**
 * Whether the text contains the name only as the first word of longer names, as "Marico" in "Marico Kaya".
 */
function onlyQualified(entity: string, text: string): boolean {
  const name = entity.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const uses = [
    ...text.matchAll(
      new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])(?:[ \\t]+(\\p{Lu}[\\p{L}\\p{N}]*))?`, "gu"),
    ),
  ];
  if (uses.length === 0) return false;
  return uses.every(
    ([, next]) =>
      next !== undefined && !LEGAL_FORMS.test(next) && next.length > 1 && next !== next.toUpperCase(),
  );
}
