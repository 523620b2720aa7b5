/**
 * Names of tags and attributes in markup, and what the HTML standard says of tags by their name.
 *
 * The same few dozen names make up every document, thousands of times: one that was seen before is recognised by its
 * characters and not made into a string again, which costs as much as all the rest of a parse. Part of `markup.ts`.
 */

const SLOTS = 4_096;
const LONGEST = 32;
const UPPER_A = 65;
const UPPER_Z = 90;
const TO_LOWER = 32;

/** A name that is kept, so it must not be a slice: that would hold on to the document it was cut from. */
function copied(name: string): string {
  const codes: number[] = [];
  for (let at = 0; at < name.length; at++) codes.push(name.charCodeAt(at));
  return String.fromCharCode(...codes);
}

/** The last names seen, in pairs by their hash; a new one takes the place of the older of its pair. */
const seen: (string | undefined)[] = new Array<undefined>(SLOTS).fill(undefined);

/** The characters of `source` from `start` to before `end`, in lower case. */
export function nameAt(source: string, start: number, end: number): string {
  const length = end - start;
  if (length > LONGEST) return source.slice(start, end).toLowerCase();
  let hash = length;
  for (let at = start; at < end; at++) {
    let code = source.charCodeAt(at);
    if (code >= UPPER_A && code <= UPPER_Z) code += TO_LOWER;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  const slot = (hash ^ (hash >>> 12)) & (SLOTS - 2);
  const newer = seen[slot];
  if (newer !== undefined && isAt(newer, source, start, length)) return newer;
  const older = seen[slot + 1];
  if (older !== undefined && isAt(older, source, start, length)) return older;
  const name = copied(source.slice(start, end).toLowerCase());
  seen[slot + 1] = newer;
  seen[slot] = name;
  return name;
}

function isAt(name: string, source: string, start: number, length: number): boolean {
  if (name.length !== length) return false;
  for (let at = 0; at < length; at++) {
    let code = source.charCodeAt(start + at);
    if (code >= UPPER_A && code <= UPPER_Z) code += TO_LOWER;
    if (name.charCodeAt(at) !== code) return false;
  }
  return true;
}

/** What happens to the content model at a tag: `svg` and `math` leave HTML, some elements in them come back to it. */
export type Switch = "none" | "svg" | "math" | "html";

export interface TagRules {
  /** Has no content and no end tag. */
  readonly isVoid: boolean;
  /** Innermost elements that its start tag ends. */
  readonly ends: ReadonlySet<string> | undefined;
  readonly switches: Switch;
}

const words = (text: string): string[] => text.split(" ");
const VOID = words(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr",
);
const FORM = "input option optgroup select button datalist textarea";
/** Start tags, and the elements that they end: HTML's optional end tags, as far as the innermost element goes. */
const ENDS: readonly (readonly [string, string])[] = [
  ["tr", "tr th td"],
  ["th", "th"],
  ["td", "thead th td"],
  ["body", "head link script"],
  ["a", "a"],
  ["li", "li"],
  ["h1 h2 h3 h4 h5 h6", "h1 h2 h3 h4 h5 h6 p"],
  ["select input output button datalist textarea", FORM],
  ["option", "option"],
  ["optgroup", "optgroup option"],
  ["dd dt", "dd dt"],
  ["rt rp", "rt rp"],
  ["tbody tfoot", "thead tbody"],
  [
    "p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul",
    "p",
  ],
];
const BACK_TO_HTML = words("mi mo mn ms mtext annotation-xml foreignObject desc title");

const PLAIN: TagRules = { isVoid: false, ends: undefined, switches: "none" };
const RULES = new Map<string, TagRules>();
function define(tag: string, rule: Partial<TagRules>): void {
  RULES.set(tag, { ...(RULES.get(tag) ?? PLAIN), ...rule });
}
for (const tag of VOID) define(tag, { isVoid: true });
for (const [tags, ended] of ENDS) {
  const ends = new Set(words(ended));
  for (const tag of words(tags)) define(tag, { ends });
}
for (const tag of BACK_TO_HTML) define(tag, { switches: "html" });
define("svg", { switches: "svg" });
define("math", { switches: "math" });

export function rulesOf(tag: string): TagRules {
  return RULES.get(tag) ?? PLAIN;
}

/** Names of SVG that are not in lower case (HTML §13.2.6.5). */
const SVG_NAMES = new Map(
  words(
    "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix " +
      "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight " +
      "feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology " +
      "feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef " +
      "linearGradient radialGradient textPath",
  ).map((name) => [name.toLowerCase(), name]),
);

export function svgName(name: string): string | undefined {
  return SVG_NAMES.get(name);
}
