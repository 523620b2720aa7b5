/**
 * Reads CSS selectors that name one element by its tag, its id and its attributes. Selectors with
 * combinators, classes or pseudo-classes are not read, because a map does not store the page around a control.
 */

const SIMPLE = /^([a-z][a-z0-9-]*)?((?:#[\w-]+|\[[\w-]+=(?:"[^"\]]*"|'[^'\]]*'|[^"'\]]+)\])*)$/i;
const PART = /#([\w-]+)|\[([\w-]+)=(?:"([^"\]]*)"|'([^'\]]*)'|([^"'\]]+))\]/g;

export interface SimpleSelector {
  readonly tag: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Parses a simple selector (a tag with ids and attributes). Returns `undefined` for other selectors
 * and for an empty one.
 */
export function simpleSelector(selector: string): SimpleSelector | undefined {
  const [, tag, rest = ""] = SIMPLE.exec(selector.trim()) ?? [];
  if (!tag && rest === "") return undefined;
  const attributes = [...rest.matchAll(PART)].map(
    ([, id, name = "id", double, single, bare]) => [name, id ?? double ?? single ?? bare ?? ""] as const,
  );
  return { tag: tag?.toLowerCase(), attributes: Object.fromEntries(attributes) };
}
