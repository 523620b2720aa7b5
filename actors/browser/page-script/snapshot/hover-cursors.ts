/**
 * Finds elements whose cursor becomes a pointer only while the pointer is over them. Their style sheet has a
 * rule such as `tr:hover { cursor: pointer }`.
 */

/** The selectors of one style sheet, and the number of its rules when they were read. */
interface HoverRules {
  readonly count: number;
  readonly selectors: readonly string[];
}

const rulesBySheet = new WeakMap<CSSStyleSheet, HoverRules>();

/** Adds the selectors of the rules that show a pointer for `:hover`, without `:hover`. */
const collect = (rules: CSSRuleList, selectors: string[]): void => {
  for (const rule of rules) {
    if (rule instanceof CSSGroupingRule) collect(rule.cssRules, selectors);
    if (!(rule instanceof CSSStyleRule) || rule.style.cursor !== "pointer") continue;
    if (!rule.selectorText.includes(":hover") || rule.selectorText.includes("&")) continue;
    selectors.push(rule.selectorText.replace(/(^|[\s>+~,(]):hover/g, "$1*").replaceAll(":hover", ""));
  }
};

const selectorsOf = (sheet: CSSStyleSheet): readonly string[] => {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    // The rules of a style sheet from another origin cannot be read.
    return [];
  }
  const known = rulesBySheet.get(sheet);
  if (known?.count === rules.length) return known.selectors;
  const selectors: string[] = [];
  collect(rules, selectors);
  rulesBySheet.set(sheet, { count: rules.length, selectors });
  return selectors;
};

const matches = (element: Element, selector: string): boolean => {
  try {
    return element.matches(selector);
  } catch {
    // Without `:hover`, a selector such as `:not(:hover)` is not valid.
    return false;
  }
};

/** Whether the cursor is a pointer over the element or one of its children, such as the cells of a row. */
export function hasPointerOnHover(element: Element): boolean {
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
  const parts = [element, ...element.children];
  return [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) =>
    selectorsOf(sheet).some((selector) => parts.some((part) => matches(part, selector))),
  );
}
