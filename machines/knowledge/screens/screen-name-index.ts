/**
 * Finds screens by a person's words, in the names and URLs of screens. An exact name is the best match.
 * Otherwise the score is the share of the requested words that a screen contains, with rare words weighted
 * higher.
 */
import { knownParts, withCamelCaseParts } from "../../compound-words.ts";
import { percentDecoded } from "../../percent-decoding.ts";
import { Postings } from "./ids-by-key-index.ts";

/** Words of an instruction that never name a screen, such as articles. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "a an the to of in on at for and or with page pages screen view tab site go goto open show find navigate please " +
    "that which who whose where is are was were be been"
  ).split(" "),
);

/** Matches the words after a preposition, which say more about the thing before it: "of the application". */
const COMPLEMENT =
  /\s(?:of|in|for|from|von|vom|für|du|des|del|della)\s+(?:the\s+|this\s+|my\s+|our\s+)?(.+)$/iu;
/**
 * Factor for the weight of a word that only follows a preposition. In "email settings of the application", a screen with
 * "email settings" fits better than one with "application settings".
 */
const COMPLEMENT_WEIGHT = 0.7;

/** Matches a preposition and the words after it, which say by what means something is done: "from a CSV file". */
const MEANS = /\s((?:from|with|by|via|using|as|into|through)\s.+)$/iu;
/**
 * Maximum weight of all words for a means that no screen has, as a share of the weight of the other words. "Import members
 * from a CSV file" is done on the screen "Import members".
 */
const UNKNOWN_MEANS = 0.25;

/** Words for the owner of a thing: "my profile" may be the screen "User profile", and also the screen "My profile". */
const OWNERS: ReadonlySet<string> = new Set(["my", "our", "your"]);

/**
 * A screen matches the requested words if its name contains at least this share (0 to 1) of them. With a
 * smaller share, the screen is only suggested to the caller.
 */
export const MIN_NAME_SCORE = 0.6;

/** Maximum score of a name that contains all requested words, but is not equal to the requested text. */
const ALL_WORDS = 0.99;
/**
 * Maximum deduction from the score of a name that contains words besides the requested ones. So if several
 * names contain all requested words, the name with the fewest other words gets the highest score.
 */
const OTHER_WORDS = 0.2;
/**
 * A name with this number of words that the query does not contain gets half of the deduction `OTHER_WORDS`.
 */
const HALF = 8;

/**
 * If more screens than this number have a word in their names, the word alone adds no screens to the result;
 * it only increases the scores of screens that other words have found.
 */
const COMMON = 500;

/**
 * Splits a text into lower-case words without accents. Words are sequences of letters and digits of any
 * script.
 */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/**
 * Returns the words of a text by which it is compared with requested words: without plural endings, and with the parts
 * of words in camel case.
 */
export function comparedWords(text: string): ReadonlySet<string> {
  return new Set(wordsOf(withCamelCaseParts(text)).map(stem));
}

/**
 * Maximum deduction from the score of a screen whose name has none of the requested words, because its address has
 * them: "Dashboards – Settings" comes before "Settings" at `/config/dashboard`.
 */
const ONLY_IN_ADDRESS = 0.02;
/** Number of the best screens whose names are compared again without their addresses. */
const COMPARED_BY_NAME = 20;

function byScore(a: NameMatch, b: NameMatch): number {
  return b.score - a.score || (a.screen_id < b.screen_id ? -1 : 1);
}

export interface NameMatch {
  readonly screen_id: string;
  /** Score of the match: 1 if the requested text is the exact name of the screen, and less otherwise. */
  readonly score: number;
}

export class NameIndex {
  readonly #entries = new Map<string, { readonly name: string; readonly words: ReadonlySet<string> }>();
  readonly #byName = new Postings();
  readonly #byWord = new Postings();

  put(screenId: string, name: string, url: string): void {
    this.remove(screenId);
    const words = new Set([...comparedWords(name), ...urlWords(url).map(stem)]);
    const entry = { name: plainName(name), words };
    this.#entries.set(screenId, entry);
    this.#byName.add(entry.name, screenId);
    for (const word of words) this.#byWord.add(word, screenId);
  }

  remove(screenId: string): void {
    const entry = this.#entries.get(screenId);
    if (!entry) return;
    this.#entries.delete(screenId);
    this.#byName.remove(entry.name, screenId);
    for (const word of entry.words) this.#byWord.remove(word, screenId);
  }

  /** Returns the screens whose name is equal, ignoring case and accents, ordered by id. */
  named(name: string): readonly string[] {
    return [...this.#byName.get(plainName(name))].sort();
  }

  /**
   * Finds the screens whose names or URLs fit the text. The best match comes first.
   *
   * @param complementWeight factor for the weight of words that only follow a preposition
   */
  search(text: string, limit: number, complementWeight = COMPLEMENT_WEIGHT): readonly NameMatch[] {
    const exact = this.named(text).map((screenId) => ({ screen_id: screenId, score: 1 }));
    if (exact.length > 0) return exact.slice(0, limit);
    const asked = this.#withKnownParts(
      withoutOwner(requestedWords(text), (word) => this.#byWord.get(word).size > 0),
    );
    const complement = this.#complementOf(text);
    const means = requestedWords(MEANS.exec(text)?.[1] ?? "");
    let total = 0;
    let unknownMeans = 0;
    const found = new Map<string, number>();
    const rarest = [...asked]
      .map((word) => ({ word, holders: this.#byWord.get(word) }))
      .sort((a, b) => a.holders.size - b.holders.size);
    for (const { word, holders } of rarest) {
      // The fewer screens have a word, the more it weighs (inverse document frequency). A word of no screen
      // weighs most.
      const rarity = Math.log(1 + (this.#entries.size + 1) / (holders.size + 1));
      const weight = complement.has(word) ? complementWeight * rarity : rarity;
      if (holders.size === 0 && means.has(word)) unknownMeans += weight;
      else total += weight;
      // A very common word adds no screens to the result. It only increases the scores of screens that rarer
      // words have already found.
      const candidates = holders.size > COMMON && found.size > 0 ? found.keys() : holders;
      for (const screenId of candidates) {
        if (holders.has(screenId)) found.set(screenId, (found.get(screenId) ?? 0) + weight);
      }
    }
    total += Math.min(unknownMeans, UNKNOWN_MEANS * total);
    const matches: NameMatch[] = [];
    for (const [screenId, weight] of found) {
      const entry = this.#entries.get(screenId);
      if (!entry || total === 0) continue;
      matches.push({ screen_id: screenId, score: scoreOfWords(weight / total, entry.name, asked) });
    }
    const best = matches.sort(byScore).slice(0, Math.max(limit, COMPARED_BY_NAME));
    return best
      .map((match) => this.#lessByAddress(match, asked))
      .sort(byScore)
      .slice(0, limit);
  }

  /**
   * Returns the requested words that only follow a preposition, such as "of". Returns none if no screen has a word
   * before the preposition, such as "form" in "the form for a new user".
   */
  #complementOf(text: string): ReadonlySet<string> {
    const [, after] = COMPLEMENT.exec(text) ?? [];
    if (after === undefined) return new Set();
    const before = requestedWords(text.slice(0, text.length - after.length));
    const isKnown = [...before].every((word) => this.#byWord.get(word).size > 0);
    return isKnown ? requestedWords(after).difference(before) : new Set();
  }

  /** Lowers the score of a screen by the share of the requested words that are only in its address. */
  #lessByAddress({ screen_id, score }: NameMatch, asked: ReadonlySet<string>): NameMatch {
    const words = comparedWords(this.#entries.get(screen_id)?.name ?? "");
    const share = [...asked].filter((word) => words.has(word)).length / asked.size;
    // The deduction only orders the screens, so a screen with enough of the words stays a match.
    const least = Math.min(score, MIN_NAME_SCORE);
    return { screen_id, score: Math.max(least, score - ONLY_IN_ADDRESS * (1 - share)) };
  }

  /** Replaces each word that no screen has by its parts, if screens have both: "testplan" means "test plan". */
  #withKnownParts(words: ReadonlySet<string>): ReadonlySet<string> {
    const isKnown = (word: string): boolean => this.#byWord.get(word).size > 0;
    return new Set(
      [...words].flatMap((word) => (isKnown(word) ? word : (knownParts(word, isKnown) ?? word))),
    );
  }
}

/**
 * Returns the words of an instruction by which screens are searched, without plural endings. Words such as
 * "the" are left out if others remain.
 */
export function requestedWords(text: string): ReadonlySet<string> {
  const all = wordsOf(text);
  const meant = all.filter((word) => !FILLERS.has(word));
  return new Set((meant.length > 0 ? meant : all).map(stem));
}

/** Leaves out a word such as "my" if no text of the map has it and other words remain. */
export function withoutOwner(
  words: ReadonlySet<string>,
  isKnown: (word: string) => boolean,
): ReadonlySet<string> {
  const others = new Set([...words].filter((word) => !OWNERS.has(word) || isKnown(word)));
  return others.size > 0 ? others : words;
}

/**
 * Returns the score (0 to 1) of a name that contains requested words. The score is lower if the name contains
 * other words too.
 *
 * @param share the share (0 to 1) of the requested words that the name contains
 */
export function scoreOfWords(share: number, name: string, requested: ReadonlySet<string>): number {
  const others = wordsOf(name).filter((word) => !requested.has(stem(word))).length;
  return share * (ALL_WORDS - OTHER_WORDS * (others / (others + HALF)));
}

/** Returns a name as it is compared: lower-case words without accents. */
export function plainName(name: string): string {
  return wordsOf(name).join(" ") || name.trim().toLowerCase();
}

/**
 * For each form of a verb that pages have in their names, the form that tasks use. Examples of names are "Creating
 * Item in Articles" in Directus, and "Adding User" and "Editing Template" in phpMyAdmin and Joomla.
 */
const VERBS_OF_PAGES: ReadonlyMap<string, string> = new Map([
  ["creating", "create"],
  ["adding", "add"],
  ["editing", "edit"],
]);

/**
 * Removes the plural ending of an English word, so that "setting" finds "Settings", "categories" finds "Category" and
 * "batches" finds "Batch". Verbs such as "creating" become "create". Both the requested words and the names of screens
 * are converted, so the result need not be a word: "caches" and "cache" become "cach".
 */
export function stem(word: string): string {
  const verb = VERBS_OF_PAGES.get(word);
  if (verb !== undefined) return verb;
  const singular = word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  return singular.length > 3 ? singular.replace(/ie$/, "y").replace(/(?<=ch|sh|ss|x|zz)e$/, "") : singular;
}

function urlWords(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const route = /^#!?\//.test(parsed.hash) ? parsed.hash : "";
  const path = percentDecoded(parsed.pathname + parsed.search + route);
  return wordsOf(path.replace(/\.[A-Za-z0-9]{1,5}$/, ""));
}
