/**
 * Converts the XPath of an element, as recorders store it, to a CSS selector. Sessions find elements by CSS
 * selectors.
 */

/** Matches one step of an XPath: the axis (`/` or `//`), the tag, and the predicates. */
const STEP = /^(\/{0,2})([a-z][\w-]*|\*)((?:\[[^\]]*\])*)/iu;
/** Matches a predicate of an XPath: the position of the element among its siblings, or an attribute. */
const PREDICATE = /^\[(?:(\d+)|@([\w-]+)(?:=(?:"([^"\\]*)"|'([^'"\\]*)'))?)\]/u;

/**
 * Converts an XPath to the CSS selector that finds the same element. Returns `undefined` for an XPath that CSS
 * cannot express, such as one that contains a function. Only tags, positions and attributes can be expressed.
 */
export function selectorOfXPath(xpath: string): string | undefined {
  let selector = "";
  let rest = xpath.trim();
  if (rest === "") return undefined;
  while (rest !== "") {
    const [step, axis = "", tag = "", predicates = ""] = STEP.exec(rest) ?? [];
    if (step === undefined || (axis === "" && selector !== "")) return undefined;
    const conditions = conditionsOf(tag, predicates);
    if (conditions === undefined) return undefined;
    const combinator = selector === "" ? "" : axis === "//" ? " " : " > ";
    const isPlain = tag !== "*" || conditions === "";
    selector += `${combinator}${isPlain ? tag : ""}${conditions}`;
    rest = rest.slice(step.length);
  }
  return selector;
}

function conditionsOf(tag: string, predicates: string): string | undefined {
  let conditions = "";
  let rest = predicates;
  while (rest !== "") {
    const [predicate, position, name, quoted, single] = PREDICATE.exec(rest) ?? [];
    if (predicate === undefined) return undefined;
    if (position === undefined) {
      const value = quoted ?? single;
      conditions += value === undefined ? `[${name}]` : `[${name}="${value}"]`;
    } else {
      // In XPath, a position after another predicate counts only the elements that match this predicate. CSS
      // has no such position.
      if (conditions !== "") return undefined;
      conditions = `:nth-${tag === "*" ? "child" : "of-type"}(${position})`;
    }
    rest = rest.slice(predicate.length);
  }
  return conditions;
}
