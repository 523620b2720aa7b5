/**
 * Ranks pages by BM25 (Robertson and Zaragoza, k1 = 1.2, b = 0.75), with twice the weight for the head of a
 * page (title, URL, headings). Pages that contain more words of the query, or contain them close together,
 * get a higher score. Texts are only scanned for words of the query, because splitting them is slow.
 */
export const FIELDS = ["head", "body"] as const;
export type Field = (typeof FIELDS)[number];

export const WEIGHT: Readonly<Record<Field, number>> = { head: 2, body: 1 };
const K1 = 1.2;
const B = 0.75;
/**
 * Share (0 to 1) of a page's score that depends on how many of the query's words the page contains. Rare
 * words count more.
 */
const COVERAGE = 0.7;
/**
 * Maximum distance between query words that count as close, in characters of the page's stemmed body (about
 * 16 words). Close words increase the page's score. If all query words are close, the score doubles.
 */
const PROXIMITY = 96;

export type RankedTexts = Readonly<Record<Field, string>>;

/**
 * Maps a field and a word to the word's inverse document frequency. A word that no page contains is absent.
 */
export type Rarity = ReadonlyMap<string, number>;

export function termKey(field: Field, word: string): string {
  return `${field} ${word}`;
}

/** Returns the search scores of the pages, in the order of the pages. */
export function rank(
  pages: readonly RankedTexts[],
  words: readonly string[],
  rarity: Rarity,
): readonly number[] {
  const weights = weightsOf(words, rarity);
  if (weights.size === 0) return pages.map(() => 0);
  const pattern = new RegExp(`(?<![^ ])(?:${[...weights.keys()].map(escaped).join("|")})(?![^ ])`, "g");
  const scores = pages.map(() => 0);
  const held = pages.map(() => new Set<string>());
  const near = pages.map(() => 0);
  for (const field of FIELDS) {
    const average = pages.reduce((sum, page) => sum + page[field].length, 0) / Math.max(1, pages.length);
    for (const [at, page] of pages.entries()) {
      const text = page[field];
      const relative = 1 - B + (B * text.length) / Math.max(1, average);
      const places = placesOf(text, pattern);
      const counts = new Map<string, number>();
      for (const { word } of places) counts.set(word, (counts.get(word) ?? 0) + 1);
      let score = 0;
      for (const [word, times] of counts) {
        held[at]?.add(word);
        score += ((rarity.get(termKey(field, word)) ?? 0) * times * (K1 + 1)) / (times + K1 * relative);
      }
      scores[at] = (scores[at] ?? 0) + WEIGHT[field] * score;
      if (field === "body") near[at] = shareOf(closestWords(places, weights), weights);
    }
  }
  return scores.map((score, at) => {
    const coverage = shareOf(held[at] ?? [], weights);
    return score * (1 - COVERAGE + COVERAGE * coverage) * (1 + (near[at] ?? 0));
  });
}

/**
 * Returns the weight of each word of the query, without words that no page contains. A rare word has a high weight.
 * Its rarity (inverse document frequency) is computed for the heads of pages and for their bodies, and the lower of
 * the two values is the weight.
 */
function weightsOf(words: readonly string[], rarity: Rarity): ReadonlyMap<string, number> {
  return new Map(
    words.flatMap((word) => {
      const found = FIELDS.flatMap((field) => rarity.get(termKey(field, word)) ?? []);
      return found.length > 0 ? [[word, Math.min(...found)] as const] : [];
    }),
  );
}

/** Returns the share (0 to 1) of the query's total word weight that the given words have together. */
function shareOf(words: Iterable<string>, weights: ReadonlyMap<string, number>): number {
  let all = 0;
  for (const each of weights.values()) all += each;
  let sum = 0;
  for (const word of words) sum += weights.get(word) ?? 0;
  return all === 0 ? 0 : sum / all;
}

interface Place {
  readonly word: string;
  /** Index of the first character of a query word in the text. */
  readonly at: number;
}

function placesOf(text: string, pattern: RegExp): readonly Place[] {
  const places: Place[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text))
    places.push({ word: found[0], at: found.index });
  return places;
}

/**
 * Returns the query words that occur close to each other in the text. Of several such places, the words of the
 * place with the greatest total weight are returned. Empty for a query of one word.
 */
function closestWords(places: readonly Place[], weights: ReadonlyMap<string, number>): readonly string[] {
  if (weights.size < 2) return [];
  const within = new Map<string, number>();
  let sum = 0;
  let most = 0;
  let best: readonly string[] = [];
  let first = 0;
  for (const { word, at } of places) {
    const times = within.get(word) ?? 0;
    within.set(word, times + 1);
    if (times === 0) sum += weights.get(word) ?? 0;
    for (let gone = places[first]; gone && at - gone.at >= PROXIMITY; gone = places[++first]) {
      const left = (within.get(gone.word) ?? 1) - 1;
      if (left > 0) {
        within.set(gone.word, left);
      } else {
        within.delete(gone.word);
        sum -= weights.get(gone.word) ?? 0;
      }
    }
    if (sum <= most) continue;
    most = sum;
    best = [...within.keys()];
  }
  return best;
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
