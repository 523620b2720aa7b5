/**
 * Which of many screens a browser shows, without scoring them all, nor holding what they are scored by.
 *
 * The formula gives at most 0.6 to a screen none of whose URL patterns matches, and a match must be above 0.7.
 * So only screens whose pattern can match the URL are candidates: `RecognitionIndex` finds them by the literal
 * text of their patterns, the caller reads what they show, `recognise` scores them. Neighbours: `match-score.ts`
 * is the formula, `atlas.ts` holds one index for each map.
 */
import { normaliseUrl } from "../exploration/url.ts";
import type { Indicator, ScreenRecord, StateSignature } from "../records.ts";
import { knowledgeLimits } from "./limits.ts";
import {
  matchedIndicators,
  matchScore,
  RECOGNISED_ABOVE,
  type Recognisable,
  structuralScore,
} from "./match-score.ts";
import { Postings } from "./postings.ts";
import { matchesPattern, patternText, withoutScheme } from "./url-pattern.ts";

export interface KnownScreen extends Recognisable {
  readonly screen_id: string;
  readonly name: string;
}

export interface Recognition {
  /** `undefined` below the threshold. */
  readonly screen: KnownScreen | undefined;
  /** Of the best candidate, recognised or not; 0 to 1. */
  readonly confidence: number;
  readonly matched_indicators: readonly Indicator[];
  /** The screen nearest to being recognised when none is. */
  readonly nearest: KnownScreen | undefined;
}

/** What is seen. Without `dom` only what the URL can tell is judged, as the seed's `find_screen_by_url` does. */
export interface Seen {
  readonly url: string;
  readonly dom?: string | undefined;
}

interface Candidate {
  readonly screen: KnownScreen;
  readonly score: number;
  readonly url: string;
}

/** What a screen is recognised by as it is stored, which is all that is told of it on arrival, too. */
export type RecognisableRecord = Pick<
  ScreenRecord,
  "screen_id" | "name" | "url" | "url_patterns" | "state_signature"
>;

/** What the formula needs of a stored screen. */
export function knownScreen({
  screen_id,
  name,
  url,
  url_patterns,
  state_signature,
}: RecognisableRecord): KnownScreen {
  // Written by this kind as JSON of `StateSignature`.
  const { required_indicators } = JSON.parse(state_signature) as StateSignature;
  return { screen_id, name, url, url_patterns, indicators: required_indicators };
}

export class RecognitionIndex {
  /** Screens by the literal beginning of a pattern, scheme left out; "" for those that have none. */
  readonly #exact = new Postings();
  readonly #prefix = new Postings();

  put(screenId: string, patterns: readonly string[]): void {
    for (const pattern of patterns) this.#place(pattern, screenId, "add");
  }

  /** `patterns`: those that the screen was put with. */
  remove(screenId: string, patterns: readonly string[]): void {
    for (const pattern of patterns) this.#place(pattern, screenId, "remove");
  }

  /**
   * Screens whose pattern can match the URL, the most specific patterns first; at most
   * `knowledgeLimits.candidates`, which only patterns without a fixed beginning can reach.
   */
  candidates(url: string): readonly string[] {
    const found = new Set<string>();
    const take = (index: Postings, text: string) => {
      for (const screenId of index.get(text)) {
        if (found.size >= knowledgeLimits.candidates) return;
        found.add(screenId);
      }
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

  #place(pattern: string, screenId: string, change: "add" | "remove"): void {
    const literal = patternText(pattern);
    if (literal?.exact) this.#exact[change](literal.text, screenId);
    else this.#prefix[change](cut(literal?.text ?? ""), screenId);
  }
}

/** The best of the candidates; where no pattern of theirs matches, it only says how near the nearest one came. */
export function recognise(seen: Seen, candidates: Iterable<KnownScreen>): Recognition {
  let best: Candidate | undefined;
  const forms = urlForms(seen.url);
  for (const screen of candidates) {
    for (const url of forms) {
      const score = matchScore(judged(screen, seen), { url, dom: seen.dom ?? "" });
      const candidate = { screen, url, score };
      if (best === undefined || compare(candidate, best) < 0) best = candidate;
    }
  }
  if (!best) return { screen: undefined, confidence: 0, matched_indicators: [], nearest: undefined };
  return {
    screen: best.score > RECOGNISED_ABOVE ? best.screen : undefined,
    confidence: best.score,
    matched_indicators: matchedIndicators(judged(best.screen, seen), { url: best.url, dom: seen.dom ?? "" }),
    nearest: best.screen,
  };
}

/** Better first: the score, then the very URL, then the more alike URL, then the more specific pattern, then the id. */
function compare(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    structuralScore(b.screen.url, b.url) - structuralScore(a.screen.url, a.url) ||
    specificity(b) - specificity(a) ||
    (a.screen.screen_id < b.screen.screen_id ? -1 : a.screen.screen_id > b.screen.screen_id ? 1 : 0)
  );
}

/** Literal characters of the longest pattern that matches. */
function specificity({ screen, url }: Candidate): number {
  let most = 0;
  for (const pattern of screen.url_patterns) {
    if (matchesPattern(pattern, url)) most = Math.max(most, patternText(pattern)?.text.length ?? 0);
  }
  return most;
}

function judged(screen: KnownScreen, seen: Seen): KnownScreen {
  if (seen.dom !== undefined) return screen;
  return { ...screen, indicators: screen.indicators.filter((indicator) => indicator.type === "url_matches") };
}

/** As given, and normalised: an address bar shows fragments and tracking parameters that no pattern knows. */
function urlForms(url: string): readonly string[] {
  const normalised = normaliseUrl(url);
  return normalised === undefined || normalised === url ? [url] : [url, normalised];
}

/** Up to its last slash, so that it is found by walking a URL's path. */
function cut(text: string): string {
  return text.slice(0, text.lastIndexOf("/") + 1);
}
