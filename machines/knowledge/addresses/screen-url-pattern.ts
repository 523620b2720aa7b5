/**
 * Creates, parses and matches the URL patterns of screens. Patterns are regular expressions in Python's
 * notation, anchored at the start like `re.match`. Visited pages get the specific form `^https?://…$`, and
 * looser patterns are accepted too.
 */
import { isRoute } from "../../exploration/crawl/normalise-url.ts";

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * Returns a pattern that matches only the URL of one page, with http or https. If the path ends in a slash,
 * the pattern also matches the URL without this slash.
 */
export function specificPattern(url: string): string {
  const rest = withoutScheme(url);
  if (!rest.includes("?") && rest.endsWith("/")) return `^https?://${escapePattern(rest.slice(0, -1))}/?$`;
  return `^https?://${escapePattern(rest)}$`;
}

export function escapePattern(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}

export function withoutScheme(url: string): string {
  return url.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, "");
}

/** The literal start of a URL pattern, up to its first special character. */
export interface PatternText {
  /**
   * The text at the start of the pattern that contains no special characters, without the scheme. For an
   * exact pattern, this is everything after the scheme.
   */
  readonly text: string;
  readonly exact: boolean;
  /** Whether the pattern ends in `/?`, so that a URL with a trailing slash also matches. */
  readonly slash: boolean;
}

/**
 * Returns the literal text at the start of a URL pattern. Returns `undefined` for a pattern that does not
 * start with `http://` or `https://`, such as `.+/dashboard`.
 */
export function patternText(pattern: string): PatternText | undefined {
  const scheme = /^\^?https?\??:(?:\\?\/){2}/.exec(pattern);
  if (!scheme) return undefined;
  let text = "";
  let position = scheme[0].length;
  while (position < pattern.length) {
    const character = pattern.charAt(position);
    const next = pattern.charAt(position + 1);
    if (character === "\\") {
      // An escaped letter or digit has a special meaning in a pattern, such as `\d` or `\1`. Any other
      // escaped character means itself.
      if (next === "" || /[A-Za-z0-9]/.test(next)) break;
      text += next;
      position += 2;
    } else if (/[.*+?^${}()|[\]]/.test(character)) {
      break;
    } else if (/[*+?{]/.test(next)) {
      break;
    } else {
      text += character;
      position += 1;
    }
  }
  const tail = pattern.slice(position);
  // The character `|` in a pattern separates alternatives, so the text before it is not a fixed start.
  if (tail.includes("|")) return undefined;
  return { text, exact: tail === "$" || tail === "/?$", slash: tail === "/?$" };
}

const compiled = new Map<string, RegExp | null>();
const MAX_COMPILED = 20_000;

/**
 * Whether the start of the URL matches the pattern, as with Python's `re.match(pattern, url)`. The end of the
 * URL need not match. An invalid pattern matches nothing.
 *
 * A pattern may match the URL with or without its fragment. Scripts add fragments such as `#top` to any
 * address. But a pattern of an uploaded map may also name a view of an application by the fragment, as
 * `.*users$` does for `/#users`.
 */
export function matchesPattern(pattern: string, url: string): boolean {
  return execute(pattern, url) !== null;
}

/**
 * Matches a pattern with the URL without its fragment. If this fails, matches it with the whole URL. Returns
 * null if both fail.
 */
function execute(pattern: string, url: string): RegExpExecArray | null {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = compile(pattern);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(pattern, expression);
  }
  if (expression === null) return null;
  for (const part of matchedParts(url)) {
    expression.lastIndex = 0;
    const found = expression.exec(part);
    if (found) return found;
  }
  return null;
}

function matchedParts(url: string): readonly string[] {
  const hash = url.indexOf("#");
  return hash < 0 || isRoute(url.slice(hash)) ? [url] : [url.slice(0, hash), url];
}

function compile(pattern: string): RegExp | null {
  const inline = /^\(\?([is]+)\)/.exec(pattern);
  const source = (inline ? pattern.slice(inline[0].length) : pattern).replaceAll("(?P<", "(?<");
  try {
    return new RegExp(source, `y${inline?.[1] ?? ""}`);
  } catch {
    return null; // Documents may contain invalid patterns. Such a pattern must not make a query fail.
  }
}

/** Returns the values of the pattern's groups for a URL; `undefined` when the URL does not match. */
export function matchGroups(pattern: string, url: string): readonly string[] | undefined {
  return execute(pattern, url)?.slice(1);
}
