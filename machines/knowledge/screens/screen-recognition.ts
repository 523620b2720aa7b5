/**
 * Finds which of many screens a browser shows, without scoring all screens. A screen whose URL pattern does
 * not match scores at most 0.6, and a match needs more than 0.7. So only screens whose pattern matches are
 * candidates, found by the literal start of the pattern.
 */
import { normaliseUrl } from "../../exploration/crawl/normalise-url.ts";
import type { Indicator, ScreenRecord, StateSignature } from "../../records/map-records.ts";
import { matchesPattern, patternText, withoutScheme } from "../addresses/screen-url-pattern.ts";
import { Postings } from "./ids-by-key-index.ts";
import { stateOfId } from "./page-states-to-map-instances.ts";
import {
  MIN_MATCH_SCORE,
  matchedIndicators,
  matchScore,
  type Recognisable,
  structuralScore,
} from "./screen-match-score.ts";

export interface KnownScreen extends Recognisable {
  readonly screen_id: string;
  readonly name: string;
  /** Optional texts (indicators) of a screen. They decide between screens with equal scores. */
  readonly supporting?: readonly Indicator[];
}

export interface Recognition {
  /** The recognised screen; `undefined` when no screen scores above the threshold. */
  readonly screen: KnownScreen | undefined;
  /** Score of the best matching screen from 0 to 1, even if it is too low for recognition. */
  readonly confidence: number;
  readonly matched_indicators: readonly Indicator[];
  /**
   * The screen with the best score, even if it is too low for recognition; `undefined` without candidates.
   */
  readonly nearest: KnownScreen | undefined;
}

/** What the browser shows: its URL, and a summary of its DOM. `find_screen_by_url` gives only the URL. */
export interface SeenScreen {
  readonly url: string;
  readonly dom?: string | undefined;
}

interface Candidate {
  readonly screen: KnownScreen;
  readonly score: number;
  readonly url: string;
}

/**
 * The fields of a screen by which it is recognised. Answers contain these fields, so that a client can check
 * whether the browser shows this screen.
 */
export type RecognisableRecord = Pick<
  ScreenRecord,
  "screen_id" | "name" | "url" | "url_patterns" | "state_signature"
>;

/** Returns the required texts (indicators) of a screen that are searched for in a page's DOM. */
export function requiredTexts({ indicators }: Recognisable): readonly string[] {
  return indicators.flatMap(({ type, value }) => (type === "dom_contains" ? (value ?? []) : []));
}

/**
 * Maximum number of a screen's optional texts in the search for candidates. The rarest ones are used, because
 * a text such as "Order 17" may alone distinguish the screen.
 */
const MOST_SUPPORTING = 3;

/** Returns the rarest optional texts (indicators) of a screen. */
export function supportingTexts({ supporting = [] }: KnownScreen): readonly string[] {
  return supporting
    .flatMap(({ type, value }) => (type === "dom_contains" ? (value ?? []) : []))
    .slice(0, MOST_SUPPORTING);
}

/** Returns the fields of a stored screen that are needed to compute its score. */
export function knownScreen({
  screen_id,
  name,
  url,
  url_patterns,
  state_signature,
}: RecognisableRecord): KnownScreen {
  // The cast is safe: the map wrote this field as JSON of `StateSignature`.
  const signature = JSON.parse(state_signature) as StateSignature;
  const { required_indicators: indicators, optional_indicators: supporting } = signature;
  return { screen_id, name, url, url_patterns, indicators, supporting };
}

export class RecognitionIndex {
  /**
   * Two indexes of the screens by their URL patterns without the scheme. `#exact` contains patterns without
   * special characters. `#prefix` contains all other patterns; its key is the folder at the start of the
   * pattern, or "" if the pattern starts with no folder.
   */
  readonly #exact = new Postings();
  readonly #prefix = new Postings();

  put(screenId: string, patterns: readonly string[]): void {
    for (const pattern of patterns) this.#place(pattern, screenId, "add");
  }

  /** @param patterns the URL patterns with which the screen was added to the index */
  remove(screenId: string, patterns: readonly string[]): void {
    for (const pattern of patterns) this.#place(pattern, screenId, "remove");
  }

  /**
   * Returns sets of screens whose pattern may match the URL, most specific patterns first. A screen is in
   * several sets only if it has several patterns.
   */
  holders(url: string): readonly ReadonlySet<string>[] {
    const found = new Set<ReadonlySet<string>>();
    const take = (index: Postings, text: string) => {
      const ids = index.get(text);
      if (ids.size > 0) found.add(ids);
    };
    const rests = urlForms(url).map(withoutScheme);
    for (const rest of rests) {
      take(this.#exact, rest);
      if (rest.endsWith("/")) take(this.#exact, rest.slice(0, -1));
    }
    for (const rest of rests) {
      for (let slash = rest.lastIndexOf("/"); slash >= 0; slash = rest.lastIndexOf("/", slash - 1)) {
        take(this.#prefix, rest.slice(0, slash + 1));
        if (slash === 0) break;
      }
    }
    take(this.#prefix, "");
    return [...found];
  }

  /**
   * Returns the ids of at most `limit` screens whose pattern may match the URL. The most specific patterns
   * come first.
   */
  candidates(url: string, limit = Number.POSITIVE_INFINITY): readonly string[] {
    const found = new Set<string>();
    for (const ids of this.holders(url)) {
      for (const id of ids) {
        if (found.size >= limit) return [...found];
        found.add(id);
      }
    }
    return [...found];
  }

  #place(pattern: string, screenId: string, change: "add" | "remove"): void {
    const literal = patternText(pattern);
    if (literal?.exact) this.#exact[change](literal.text, screenId);
    else this.#prefix[change](cut(literal?.text ?? ""), screenId);
  }
}

/**
 * Compares what the browser shows with the candidates. The best candidate is `nearest`; it is also the
 * recognised `screen` if its score is above `MIN_MATCH_SCORE`, which requires that its pattern matches the
 * URL.
 */
export function recognise(seen: SeenScreen, candidates: Iterable<KnownScreen>): Recognition {
  let best: Candidate | undefined;
  const forms = urlForms(seen.url);
  for (const screen of candidates) {
    for (const url of forms) {
      const score = matchScore(judged(screen, seen), { url, dom: seen.dom ?? "" });
      const candidate = { screen, url, score };
      if (best === undefined || compare(candidate, best, seen.dom ?? "") < 0) best = candidate;
    }
  }
  if (!best) return { screen: undefined, confidence: 0, matched_indicators: [], nearest: undefined };
  return {
    screen: best.score > MIN_MATCH_SCORE ? best.screen : undefined,
    confidence: best.score,
    matched_indicators: matchedIndicators(judged(best.screen, seen), { url: best.url, dom: seen.dom ?? "" }),
    nearest: best.screen,
  };
}

/**
 * Compares two candidates, the better one first. The first of these that differs decides:
 * - the score, and then the similarity of the URL
 * - without a text of the page, a page comes before its states: nothing shows that a dialog is open
 * - the number of the screen's texts that the page shows: an open dialog comes before the page below it
 * - the total length of these texts: "Order 12" comes before "Order 1"
 * - the pattern with more literal characters, and then the id
 */
function compare(a: Candidate, b: Candidate, dom: string): number {
  return (
    b.score - a.score ||
    structuralScore(b.screen.url, b.url) - structuralScore(a.screen.url, a.url) ||
    (dom === "" ? Number(isState(a)) - Number(isState(b)) : 0) ||
    explained(b, dom) - explained(a, dom) ||
    shownLength(b, dom) - shownLength(a, dom) ||
    specificity(b) - specificity(a) ||
    (a.screen.screen_id < b.screen.screen_id ? -1 : a.screen.screen_id > b.screen.screen_id ? 1 : 0)
  );
}

/** Whether the candidate is a state of a page, such as an open dialog, and no page. */
function isState({ screen }: Candidate): boolean {
  return stateOfId(screen.screen_id) !== undefined;
}

/** Returns those required and optional texts of the screen that the page shows. */
function shown({ screen, url }: Candidate, dom: string): readonly Indicator[] {
  if (dom === "") return [];
  return matchedIndicators(
    { indicators: [...screen.indicators, ...(screen.supporting ?? [])] },
    { url, dom },
  );
}

/** Returns the number of the screen's texts that the page shows. */
function explained(candidate: Candidate, dom: string): number {
  return shown(candidate, dom).length;
}

/** Returns the total number of characters of the candidate's texts that the page shows. */
function shownLength(candidate: Candidate, dom: string): number {
  return shown(candidate, dom).reduce((sum, { value = "" }) => sum + value.length, 0);
}

/** Returns the number of literal characters in the longest URL pattern that matches. */
function specificity({ screen, url }: Candidate): number {
  let most = 0;
  for (const pattern of screen.url_patterns) {
    if (matchesPattern(pattern, url)) most = Math.max(most, patternText(pattern)?.text.length ?? 0);
  }
  return most;
}

function judged(screen: KnownScreen, seen: SeenScreen): KnownScreen {
  if (seen.dom !== undefined) return screen;
  return { ...screen, indicators: screen.indicators.filter((indicator) => indicator.type === "url_matches") };
}

/**
 * Returns the URL as given, and its normalised form. Patterns are compared with both, because the given URL
 * may contain a fragment and tracking parameters.
 */
function urlForms(url: string): readonly string[] {
  const normalised = normaliseUrl(url);
  return normalised === undefined || normalised === url ? [url] : [url, normalised];
}

/**
 * Returns the part of a URL up to its last slash, which is the folder. Patterns that match several URLs are
 * indexed by their folder.
 */
function cut(text: string): string {
  return text.slice(0, text.lastIndexOf("/") + 1);
}
