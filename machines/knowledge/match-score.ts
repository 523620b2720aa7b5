/**
 * How well a screen matches what a browser shows: the formula of the protocol specification.
 * 40 % for a matching URL pattern, 60 % for the share of required indicators that are present; a match needs
 * more than 0.7. Structure only breaks ties, and replaces the 60 % for screens without indicators.
 */
import type { Indicator, ScreenRecord } from "../records.ts";
import { matchesPattern, withoutScheme } from "./url-pattern.ts";

/** A match needs a higher score (protocol specification: `best_score > 0.7`). */
export const MIN_MATCH_SCORE = 0.7;
const URL_WEIGHT = 0.4;
const INDICATOR_WEIGHT = 0.6;

/** The fields of a screen that the formula reads. */
export interface Recognisable extends Pick<ScreenRecord, "url" | "url_patterns"> {
  readonly indicators: readonly Indicator[];
}

/** What a browser shows. */
export interface BrowserView {
  readonly url: string;
  readonly dom: string;
}

/** 0 to 1. */
export function matchScore(screen: Recognisable, view: BrowserView): number {
  let score = 0;
  if (screen.url_patterns.some((pattern) => matchesPattern(pattern, view.url))) score += URL_WEIGHT;
  if (screen.indicators.length === 0) return score + structuralScore(screen.url, view.url) * INDICATOR_WEIGHT;
  const matched = matchedIndicators(screen, view).length;
  score += (matched / screen.indicators.length) * INDICATOR_WEIGHT;
  return score;
}

/** The screen's indicators that are present: text anywhere in the DOM (any case), or the URL. */
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
 * Similarity of two URLs, 0 to 1: 1 for equal ones, 0.9 for another query, else the share of common leading
 * path segments (below 0.8); 0 for another host.
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
