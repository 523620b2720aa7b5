/**
 * Scores how well a screen matches what a browser shows, by the protocol specification: 40 % for the URL
 * pattern, and 60 % for the share of required indicators (texts that identify the screen). A score above 0.7
 * is a match. For a screen without indicators, the similarity of the URLs counts for the 60 %.
 */
import type { Indicator, ScreenRecord } from "../../records/map-records.ts";
import { matchesPattern, withoutScheme } from "../addresses/screen-url-pattern.ts";

/**
 * A screen is recognised only if its match score is above this value (`best_score > 0.7` in the protocol
 * specification).
 */
export const MIN_MATCH_SCORE = 0.7;
const URL_WEIGHT = 0.4;
const INDICATOR_WEIGHT = 0.6;

/** The fields of a screen that are compared with a page. */
export interface Recognisable extends Pick<ScreenRecord, "url" | "url_patterns"> {
  readonly indicators: readonly Indicator[];
}

/** The URL and content that a browser shows. */
export interface BrowserView {
  readonly url: string;
  readonly dom: string;
}

/** Returns a score from 0 to 1: how well the screen matches what the browser shows. */
export function matchScore(screen: Recognisable, view: BrowserView): number {
  let score = 0;
  if (screen.url_patterns.some((pattern) => matchesPattern(pattern, view.url))) score += URL_WEIGHT;
  if (screen.indicators.length === 0) return score + structuralScore(screen.url, view.url) * INDICATOR_WEIGHT;
  const matched = matchedIndicators(screen, view).length;
  score += (matched / screen.indicators.length) * INDICATOR_WEIGHT;
  return score;
}

/**
 * Returns the indicators (texts that identify the screen) that occur in the browser's DOM or URL. Case is
 * ignored.
 */
export function matchedIndicators(
  screen: Pick<Recognisable, "indicators">,
  view: BrowserView,
): readonly Indicator[] {
  const dom = view.dom.toLowerCase();
  return screen.indicators.filter((indicator) =>
    indicator.type === "dom_contains"
      ? indicator.value !== undefined && indicator.value !== "" && dom.includes(indicator.value.toLowerCase())
      : matchesPattern(indicator.pattern ?? "", view.url),
  );
}

/**
 * Returns the similarity of two URLs, from 0 to 1. Equal URLs have 1, URLs that differ only in the query 0.9,
 * and URLs of different hosts 0. Otherwise it is 0.8 times the share of leading path segments that are equal.
 */
export function structuralScore(known: string, seen: string): number {
  if (withoutScheme(known) === withoutScheme(seen)) return 1;
  const [left, right] = [URL.parse(known), URL.parse(seen)];
  if (!left || !right || left.host !== right.host) return 0;
  const [a, b] = [segments(left), segments(right)];
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common += 1;
  if (common === a.length && common === b.length) return left.search === right.search ? 1 : 0.9;
  return 0.8 * (common / Math.max(a.length, b.length));
}

function segments(url: URL): readonly string[] {
  return url.pathname.split("/").filter((segment) => segment !== "");
}
