/**
 * Reads the structured data of a page (JSON-LD, microdata, Open Graph and Twitter cards) as JSON of limited
 * size.
 *
 * The data is stored as the page declares it, and may be wrong; invalid JSON-LD is left out. Microdata is
 * converted to the form of JSON-LD, so that both are read in the same way.
 */
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { StructuredData, StructuredValue } from "../../../machines/records/page-records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/parse-html-document.ts";
import { cut, textOf } from "../parse/visible-text-of-html-element.ts";

type Value = StructuredValue;
/** An item of structured data (schema.org) with its properties. */
export type StructuredNode = Readonly<Record<string, Value>>;

const { structured: bounds } = readingLimits;

/** Copies structured data up to a maximum total size. Values beyond this size are dropped. */
class BoundedCopy {
  /** Number of characters that may still be copied before the limit is reached. */
  #room = bounds.length;

  copy(value: unknown, depth = 0): Value | undefined {
    if (this.#room <= 0) return undefined;
    switch (typeof value) {
      case "string": {
        const kept = cut(value.trim(), bounds.text);
        this.#room -= kept.length + 2;
        return kept;
      }
      case "number":
      case "boolean":
        this.#room -= 6;
        return value;
      case "object":
        if (value === null || depth >= bounds.depth) return undefined;
        return Array.isArray(value) ? this.#list(value, depth) : this.#record(value, depth);
      default:
        return undefined;
    }
  }

  #list(values: readonly unknown[], depth: number): Value {
    const kept: Value[] = [];
    for (const value of values.slice(0, bounds.entries)) {
      const copy = this.copy(value, depth + 1);
      if (copy !== undefined) kept.push(copy);
    }
    return kept;
  }

  #record(value: object, depth: number): Value {
    const kept: Record<string, Value> = {};
    for (const [name, property] of Object.entries(value).slice(0, bounds.entries)) {
      if (name.length > bounds.name || name === "__proto__") continue;
      const copy = this.copy(property, depth + 1);
      if (copy === undefined) continue;
      kept[name] = copy;
      this.#room -= name.length + 4;
    }
    return kept;
  }
}

/**
 * Parses JSON in spite of errors that are common on pages: a comment around the JSON, line breaks in its
 * strings, or a semicolon after it.
 */
function parseLoosely(source: string): unknown {
  // Valid JSON must not be changed by a repair, so the original text is tried first.
  for (const text of [source, repaired(source)]) {
    try {
      return JSON.parse(text);
    } catch (error) {
      // Invalid JSON, or JSON that is nested too deep, is left out.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

function repaired(source: string): string {
  return (
    source
      .replace(/^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, "")
      .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>)\s*$/, "")
      .replace(/;\s*$/, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON does not allow
      .replace(/[\u0000-\u001f]+/g, " ")
      .replace(/,(?=\s*[}\]])/g, "")
  );
}

function readJsonLd(scripts: readonly HtmlElement[], bounded: BoundedCopy): Value[] {
  const found: Value[] = [];
  let read = 0;
  for (const script of scripts.slice(0, bounds.entries)) {
    const source = script.children.filter((child) => typeof child === "string").join("");
    read += source.length;
    if (read > bounds.source) break;
    const value = bounded.copy(parseLoosely(source));
    if (value === undefined) continue;
    if (Array.isArray(value)) found.push(...value);
    else found.push(value);
  }
  return found;
}

/**
 * Returns the contents of the `meta` elements for cards (Open Graph, Twitter) by name. If a name occurs
 * several times, its value is a list.
 */
function readCards(document: HtmlDocument, prefix: RegExp, bounded: BoundedCopy): Record<string, Value> {
  const cards: Record<string, Value> = {};
  let count = 0;
  for (const { attributes } of document.metas) {
    const name = (attributes.property ?? attributes.name)?.toLowerCase();
    const content = attributes.content;
    if (name === undefined || !content || name.length > bounds.name || !prefix.test(name)) continue;
    if (count++ === bounds.entries) break;
    const value = bounded.copy(content);
    if (value === undefined) continue;
    add(cards, name, value);
  }
  return cards;
}

function add(to: Record<string, Value>, name: string, value: Value): void {
  const before = to[name];
  if (before === undefined) to[name] = value;
  else if (Array.isArray(before)) to[name] = [...before, value];
  else to[name] = [before, value];
}

/**
 * Returns the value of a microdata property, as the HTML standard defines it in the section "Values": an
 * attribute, or else the text.
 */
function microdataValue(element: HtmlElement): string {
  const { attributes } = element;
  switch (element.tag) {
    case "meta":
      return attributes.content ?? "";
    case "a":
    case "area":
    case "link":
      return attributes.href ?? "";
    case "audio":
    case "embed":
    case "iframe":
    case "img":
    case "source":
    case "track":
    case "video":
      return attributes.src ?? "";
    case "object":
      return attributes.data ?? "";
    case "data":
    case "meter":
      return attributes.value ?? textOf(element, bounds.text);
    case "time":
      return attributes.datetime ?? textOf(element, bounds.text);
    default:
      return attributes.content ?? textOf(element, bounds.text);
  }
}

/**
 * Returns the outermost microdata items. Items in them are values of their properties. Properties that
 * `itemref` adds are left out.
 */
function readMicrodata(elements: readonly HtmlElement[], bounded: BoundedCopy): Value[] {
  if (elements.length === 0) return [];
  const items = new Map<HtmlElement, Record<string, unknown>>();
  const top: Record<string, unknown>[] = [];
  let values = 0;
  let length = 0;
  for (const element of elements) {
    if (values >= bounds.properties || length > bounds.length) break;
    const { attributes } = element;
    let own: Record<string, unknown> | undefined;
    if (attributes.itemscope !== undefined) {
      const types = (attributes.itemtype ?? "").split(/\s+/).filter(Boolean);
      own = types.length === 0 ? {} : { "@type": types.length === 1 ? types[0] : types };
      items.set(element, own);
    }
    const names = attributes.itemprop?.split(/\s+/).filter(Boolean) ?? [];
    const around = names.length > 0 ? ownerOf(element, items) : undefined;
    if (own && !around) top.push(own);
    if (!around) continue;
    values++;
    const value = own ?? microdataValue(element);
    if (typeof value === "string") length += value.length;
    for (const name of names.slice(0, 4)) {
      const before = around[name];
      around[name] =
        before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
    }
  }
  const copy = bounded.copy(top);
  return Array.isArray(copy) ? [...copy] : [];
}

function ownerOf(
  element: HtmlElement,
  items: ReadonlyMap<HtmlElement, Record<string, unknown>>,
): Record<string, unknown> | undefined {
  for (let at = element.parent; at; at = at.parent) {
    const item = items.get(at);
    if (item) return item;
  }
  return undefined;
}

/** Reads all structured data of a page. Never throws. */
export function readStructured(document: HtmlDocument): StructuredData {
  const bounded = new BoundedCopy();
  return {
    open_graph: readCards(document, /^(?:og|article|book|profile|product|video|music):/, bounded),
    twitter: readCards(document, /^twitter:/, bounded),
    json_ld: readJsonLd(document.jsonLd, bounded),
    microdata: readMicrodata(document.items, bounded),
  };
}

export function isNode(value: Value | undefined): value is StructuredNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the schema.org items of a page, first those in JSON-LD and then those in microdata. Items in
 * `@graph` are included, and items inside of other items are not.
 */
export function nodesOf({ json_ld, microdata }: StructuredData): readonly StructuredNode[] {
  const nodes: StructuredNode[] = [];
  for (const value of [...json_ld, ...microdata]) {
    if (!isNode(value)) continue;
    const graph = value["@graph"];
    if (Array.isArray(graph)) nodes.push(...graph.filter(isNode));
    else nodes.push(value);
  }
  return nodes;
}

/**
 * Returns type names without their prefix: `Article` for `https://schema.org/Article` and for
 * `schema:Article`.
 */
export function typesOf(node: StructuredNode): readonly string[] {
  const types = node["@type"];
  const list = Array.isArray(types) ? types : [types];
  return list.flatMap((type) => (typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []));
}
