/**
 * Finds elements whose cursor becomes a pointer only while the pointer is over them. Their style sheet has a
 * rule such as `tr:hover { cursor: pointer }`.
 */

interface HoverRule {
  readonly selector: string;
  /** The media queries around the rule. The rule applies only while all of them match. */
  readonly media: readonly string[];
}

/**
 * The rules of one style sheet that show a pointer cursor on hover. `count`, `first` and `last` are its
 * number of rules, its first and its last rule when it was read. If one of them differs now, the style sheet
 * has changed.
 */
interface HoverRules {
  readonly count: number;
  readonly first: CSSRule | undefined;
  readonly last: CSSRule | undefined;
  readonly found: readonly HoverRule[];
}

const rulesBySheet = new WeakMap<CSSStyleSheet, HoverRules>();

/**
 * Returns the complete selector of a rule. A rule may be nested in a rule with the selector `parent`: `&:hover` in
 * `tr` becomes `:is(tr):hover`.
 */
const resolveNesting = (own: string, parent: string | undefined): string => {
  if (parent === undefined) return own;
  return own.includes("&") ? own.replaceAll("&", `:is(${parent})`) : `:is(${parent}) ${own}`;
};

/**
 * Adds the selectors of rules that show a pointer cursor on hover. `:hover` itself is removed from each
 * selector.
 *
 * @param parent the selector of the style rule in which the rules are nested
 */
const collect = (
  rules: CSSRuleList,
  media: readonly string[],
  found: HoverRule[],
  parent: string | undefined,
): void => {
  for (const rule of rules) {
    const isStyleRule = rule instanceof CSSStyleRule;
    const whole = isStyleRule ? resolveNesting(rule.selectorText, parent) : parent;
    if (isStyleRule || rule instanceof CSSGroupingRule) {
      const inner = rule instanceof CSSMediaRule ? [...media, rule.media.mediaText] : media;
      if (rule.cssRules.length > 0) collect(rule.cssRules, inner, found, whole);
    }
    if (!isStyleRule && !(rule instanceof CSSNestedDeclarations)) continue;
    if (rule.style.cursor !== "pointer" || !whole?.includes(":hover")) continue;
    const selector = whole.replace(/(^|[\s>+~,(]):hover/g, "$1*").replaceAll(":hover", "");
    found.push({ selector, media });
  }
};

const rulesOf = (sheet: CSSStyleSheet): readonly HoverRule[] => {
  if (sheet.disabled) return [];
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    // The rules of a style sheet from another origin cannot be read.
    return [];
  }
  const [count, first, last] = [rules.length, rules[0], rules[rules.length - 1]];
  const known = rulesBySheet.get(sheet);
  if (known?.count === count && known.first === first && known.last === last) return known.found;
  const found: HoverRule[] = [];
  collect(rules, [sheet.media.mediaText], found, undefined);
  rulesBySheet.set(sheet, { count, first, last, found });
  return found;
};

const matches = (element: Element, selector: string): boolean => {
  try {
    return element.matches(selector);
  } catch {
    // After `:hover` was removed, a selector such as `:not(:hover)` is not valid any more. It matches
    // nothing.
    return false;
  }
};

/** Whether the cursor is a pointer over the element or one of its children, such as the cells of a row. */
export function hasPointerOnHover(element: Element): boolean {
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
  const parts = [element, ...element.children];
  return [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) =>
    rulesOf(sheet).some(
      ({ selector, media }) =>
        parts.some((part) => matches(part, selector)) && media.every((query) => matchMedia(query).matches),
    ),
  );
}
