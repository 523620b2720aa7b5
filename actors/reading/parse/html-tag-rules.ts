/** The rules of the HTML standard for parsing each tag: void tags, implied end tags, tags of SVG and MathML. */

/**
 * The rules by which the content of a tag is parsed. `svg` and `math` switch from HTML to their own rules.
 * `html` switches back, for elements such as `foreignObject`.
 */
export type Switch = "none" | "svg" | "math" | "html";

export interface TagRules {
  /** Whether elements with this tag have neither content nor an end tag, such as `br`. */
  readonly isVoid: boolean;
  /**
   * Tags that this start tag closes implicitly. While the innermost open element has one of these tags, the
   * parser closes that element.
   */
  readonly ends: ReadonlySet<string> | undefined;
  readonly switches: Switch;
}

const words = (text: string): string[] => text.split(" ");
const VOID = words(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr",
);
const FORM = "input option optgroup select button datalist textarea";
/**
 * Pairs of a start tag and the open elements that the start tag closes. HTML allows authors to omit the end
 * tags of these elements.
 */
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

/** SVG tag names that contain upper-case letters (HTML §13.2.6.5). */
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
