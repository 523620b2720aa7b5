/**
 * URL patterns of screens: creation, parsing, matching.
 * Patterns are regular expressions in Python's notation, anchored at the start like `re.match`. Visited pages
 * get the specific form `^https?://…$`; looser forms are accepted too.
 */

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** The pattern of exactly this page on either scheme. A path that ends in a slash also matches without it. */
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

/** The literal beginning of a pattern. */
export interface PatternText {
  /** Without the scheme. For `exact` patterns it is the whole rest of the URL. */
  readonly text: string;
  readonly exact: boolean;
  /** The pattern has `/?` before the end: the text also matches with a slash. */
  readonly slash: boolean;
}

/** The literal beginning; `undefined` for a pattern that does not start with a scheme (`.*` + `/dashboard.*`). */
export function patternText(pattern: string): PatternText | undefined {
  const scheme = /^\^?https?\??:(?:\\?\/){2}/.exec(pattern);
  if (!scheme) return undefined;
  let text = "";
  let position = scheme[0].length;
  while (position < pattern.length) {
    const character = pattern.charAt(position);
    const next = pattern.charAt(position + 1);
    if (character === "\\") {
      // An escaped letter or digit is a class or a reference; other escaped characters are literal.
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
  // An alternative makes everything before it optional.
  if (tail.includes("|")) return undefined;
  return { text, exact: tail === "$" || tail === "/?$", slash: tail === "/?$" };
}

const compiled = new Map<string, RegExp | null>();
const MAX_COMPILED = 20_000;

/** Python's `re.match(pattern, url)`: anchored at the start, not at the end. An invalid pattern matches nothing. */
export function matchesPattern(pattern: string, url: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = compile(pattern);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(pattern, expression);
  }
  if (expression === null) return false;
  expression.lastIndex = 0;
  return expression.test(url);
}

function compile(pattern: string): RegExp | null {
  const inline = /^\(\?([is]+)\)/.exec(pattern);
  const source = (inline ? pattern.slice(inline[0].length) : pattern).replaceAll("(?P<", "(?<");
  try {
    return new RegExp(source, `y${inline?.[1] ?? ""}`);
  } catch {
    return null; // Patterns may come from documents; an invalid one must not fail a query.
  }
}

/** The values of the groups of a pattern that matches the URL; `undefined` when it does not match. */
export function matchGroups(pattern: string, url: string): readonly string[] | undefined {
  if (!matchesPattern(pattern, url)) return undefined;
  const expression = compiled.get(pattern);
  if (!expression) return undefined;
  expression.lastIndex = 0;
  return expression.exec(url)?.slice(1);
}
