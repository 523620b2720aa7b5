/**
 * Which of many screens a browser shows, without scoring them all.
 *
 * The formula gives at most 0.6 to a screen none of whose URL patterns matches, and a match must be above 0.7.
 * So only screens whose pattern can match the URL are scored: they are found by the literal text of their
 * patterns. Neighbours: `match-score.ts` is the formula, `atlas.ts` holds one index for each map.
 */
import { normaliseUrl } from "../exploration/url.ts";
import type { Indicator } from "../records.ts";
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

export class RecognitionIndex {
  readonly #screens = new Map<string, KnownScreen>();
  /** Screens by the literal beginning of a pattern, scheme left out; "" for those that have none. */
  readonly #exact = new Postings();
  readonly #prefix = new Postings();

  get size(): number {
    return this.#screens.size;
  }

  put(screen: KnownScreen): void {
    this.remove(screen.screen_id);
    this.#screens.set(screen.screen_id, screen);
    for (const pattern of screen.url_patterns) this.#place(pattern, screen.screen_id, "add");
  }

  remove(screenId: string): void {
    const screen = this.#screens.get(screenId);
    if (!screen) return;
    this.#screens.delete(screenId);
    for (const pattern of screen.url_patterns) this.#place(pattern, screenId, "remove");
  }

  /**
   * @param likely ids to score when no pattern can match the URL: nothing is recognised then, they only say how
   *   near the nearest one came
   */
  recognise(seen: Seen, likely: () => Iterable<string> = () => []): Recognition {
    const forms = urlForms(seen.url);
    let best: Candidate | undefined;
    const candidates = this.#candidates(forms);
    for (const screenId of candidates.size > 0 ? candidates : likely()) {
      const screen = this.#screens.get(screenId);
      if (!screen) continue;
      for (const url of forms) {
        const candidate = {
          screen,
          url,
          score: matchScore(judged(screen, seen), { url, dom: seen.dom ?? "" }),
        };
        if (best === undefined || compare(candidate, best) < 0) best = candidate;
      }
    }
    if (!best) return { screen: undefined, confidence: 0, matched_indicators: [], nearest: undefined };
    return {
      screen: best.score > RECOGNISED_ABOVE ? best.screen : undefined,
      confidence: best.score,
      matched_indicators: matchedIndicators(judged(best.screen, seen), {
        url: best.url,
        dom: seen.dom ?? "",
      }),
      nearest: best.screen,
    };
  }

  #place(pattern: string, screenId: string, change: "add" | "remove"): void {
    const literal = patternText(pattern);
    if (literal?.exact) this.#exact[change](literal.text, screenId);
    else this.#prefix[change](cut(literal?.text ?? ""), screenId);
  }

  #candidates(forms: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    const take = (index: Postings, text: string) => {
      for (const screenId of index.get(text)) found.add(screenId);
    };
    for (const url of forms) {
      const rest = withoutScheme(url);
      take(this.#exact, rest);
      if (rest.endsWith("/")) take(this.#exact, rest.slice(0, -1));
      take(this.#prefix, "");
      for (let slash = rest.indexOf("/"); slash >= 0; slash = rest.indexOf("/", slash + 1)) {
        take(this.#prefix, rest.slice(0, slash + 1));
      }
    }
    return found;
  }
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
