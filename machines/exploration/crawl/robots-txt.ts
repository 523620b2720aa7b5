/**
 * A parser and matcher for robots.txt by RFC 9309. No available package is used, because each lacks parts of
 * the RFC (robots-parser 3: unreserved percent-encoding, `Sitemap` inside a group, text after the product
 * token).
 */
import { readingLimits } from "../../reading/page-reading-limits.ts";
import { normalisePercentEncoding } from "./normalise-url.ts";
import { matchesPieces, type Pieces } from "./wildcard-match.ts";

interface Rule {
  readonly allow: boolean;
  /** The pattern of a robots.txt rule in normalised percent-encoding, split at each `*`. */
  readonly pieces: Pieces;
  /** Whether the pattern ends in `$`, so that it must match to the end of the URL. */
  readonly anchored: boolean;
  /** Length of the pattern in octets. The longest matching pattern is the most specific. */
  readonly length: number;
}

/** The rules of a robots.txt that apply to one crawler. */
export interface RobotsRules {
  readonly rules: readonly Rule[];
  /**
   * Seconds between two requests, if robots.txt states them. The RFC does not define this rule, but it is
   * widely used.
   */
  readonly crawlDelay: number | undefined;
}

export interface Robots {
  /**
   * The rules by product token (the name of a crawler, in lower case). The rules of `*` apply to all other
   * crawlers. Groups with the same token are merged (§2.2.1).
   */
  readonly groups: ReadonlyMap<string, RobotsRules>;
  readonly sitemaps: readonly string[];
}

const ALLOW_ALL: RobotsRules = { rules: [], crawlDelay: undefined };

/**
 * The rules when robots.txt is missing or may be ignored (a 4xx answer, RFC 9309 §2.3.1.3): everything is
 * allowed.
 */
export const ROBOTS_ALLOW_ALL: Robots = { groups: new Map(), sitemaps: [] };

const UNENCODED = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+/gu;

/**
 * Normalises paths and patterns for comparison (RFC 9309 §2.2.2): unreserved octets are decoded, and all
 * others are percent-encoded with upper-case hex digits.
 */
function canonical(text: string): string {
  // A lone surrogate has no UTF-8 form, and encodeURIComponent would throw for it, so it is replaced first.
  const encoded = text.replace(UNENCODED, (characters) => encodeURIComponent(characters.toWellFormed()));
  return normalisePercentEncoding(encoded);
}

function rule(allow: boolean, value: string): Rule {
  const pattern = canonical(value);
  const anchored = pattern.endsWith("$");
  const body = anchored ? pattern.slice(0, -1) : pattern;
  // A "$" inside a pattern is encoded, because URLs are compared in encoded form (see `isAllowed`).
  const pieces = body.replaceAll("$", "%24").split("*");
  return { allow, pieces, anchored, length: pattern.length };
}

interface Draft {
  rules: Rule[];
  crawlDelay: number | undefined;
}

/**
 * Parses a robots.txt. Unknown lines are skipped. Text beyond 500 KiB is ignored (§2.5), including the line
 * that crosses this limit.
 */
export function parseRobots(text: string): Robots {
  const groups = new Map<string, Draft>();
  const sitemaps: string[] = [];
  let current: Draft[] = [];
  let inRules = false;

  let source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (source.length > readingLimits.robotsBytes) {
    source = source.slice(0, readingLimits.robotsBytes);
    source = source.slice(0, Math.max(source.lastIndexOf("\n"), source.lastIndexOf("\r")) + 1);
  }
  for (const line of source.split(/\r\n|\r|\n/)) {
    const hash = line.indexOf("#");
    const record = hash < 0 ? line : line.slice(0, hash);
    const colon = record.indexOf(":");
    if (colon < 0) continue;
    const key = record.slice(0, colon).trim().toLowerCase();
    const value = record.slice(colon + 1).trim();
    if (key === "user-agent") {
      const token = value.startsWith("*") ? "*" : (/^[A-Za-z_-]+/.exec(value)?.[0] ?? "").toLowerCase();
      if (inRules) {
        current = [];
        inRules = false;
      }
      const draft = groups.get(token) ?? { rules: [], crawlDelay: undefined };
      groups.set(token, draft);
      if (!current.includes(draft)) current.push(draft);
    } else if (key === "allow" || key === "disallow") {
      // A rule with an empty pattern matches no URL, so it is not stored. But like every rule, it ends the
      // list of a group's crawlers: the next line `User-agent` starts a new group.
      inRules = true;
      if (value === "") continue;
      const parsed = rule(key === "allow", value);
      for (const draft of current) draft.rules.push(parsed);
    } else if (key === "crawl-delay") {
      const seconds = Number(value);
      if (value !== "" && seconds >= 0 && Number.isFinite(seconds)) {
        for (const draft of current) draft.crawlDelay = Math.max(draft.crawlDelay ?? 0, seconds);
      }
    } else if (key === "sitemap" && value !== "") {
      sitemaps.push(value);
    }
  }
  // Removes the group of lines whose product token (the name of a crawler) is empty, because it could not be
  // parsed.
  groups.delete("");
  return { groups, sitemaps };
}

/**
 * Returns the rules for a product token such as `Cairn`. If no group has that token, the rules of `*` apply.
 */
export function robotsFor(robots: Robots, productToken: string): RobotsRules {
  return robots.groups.get(productToken.toLowerCase()) ?? robots.groups.get("*") ?? ALLOW_ALL;
}

/**
 * Whether a URL may be fetched (RFC 9309 §2.2.2). The longest matching pattern decides, and `Allow` wins if
 * two are equally long. A URL without a matching pattern is allowed, and so is `/robots.txt` itself.
 */
export function isAllowed({ rules }: RobotsRules, url: string): boolean {
  if (rules.length === 0) return true;
  const { pathname, search } = new URL(url);
  if (pathname === "/robots.txt") return true;
  // "*" and "$" in a URL are literal characters. Patterns write them as %2A and %24, so the URL is encoded in
  // the same way.
  const path = canonical(pathname + search)
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
  let best: Rule | undefined;
  for (const candidate of rules) {
    if (best && (candidate.length < best.length || (candidate.length === best.length && best.allow)))
      continue;
    if (matchesPieces(candidate.pieces, candidate.anchored, path)) best = candidate;
  }
  return best?.allow ?? true;
}
