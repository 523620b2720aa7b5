/**
 * What a page says about itself for machines: JSON-LD, microdata, Open Graph and Twitter cards, as bounded JSON.
 *
 * It is the page's own word, kept as it is but for its size: it may be wrong, broken, or made to exhaust a reader.
 * JSON-LD that does not parse is left out. Microdata takes JSON-LD's form (`@type` beside the properties), so that
 * both are read alike. Neighbour: `metadata.ts` draws dates, authors and the like from it.
 */
import { readingLimits } from "../../../machines/reading/limits.ts";
import type { StructuredData, StructuredValue } from "../../../machines/records.ts";
import type { HtmlDocument, HtmlElement } from "../parse/html-document.ts";
import { cut, textOf } from "../parse/text.ts";

type Value = StructuredValue;
/** A thing with properties, as schema.org has them. */
export type Node = Readonly<Record<string, Value>>;

const { structured: bounds } = readingLimits;

/** Copies values as long as there is room; what has none, or lies too deep, is left out. */
class Bounded {
  /** Characters that may still be kept. */
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

/** JSON as pages have it: in comments, with line breaks inside of strings, with a semicolon at its end. */
function parseLoosely(source: string): unknown {
  // Without replacement: only when it does not parse as it stands.
  for (const text of [source, repaired(source)]) {
    try {
      return JSON.parse(text);
    } catch (error) {
      // Nested too deep for the parser, or no JSON: what a page gets wrong is no failure of its reading.
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

function readJsonLd(scripts: readonly HtmlElement[], bounded: Bounded): Value[] {
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

/** Cards of `meta` elements by name; one that is repeated becomes a list. */
function readCards(document: HtmlDocument, prefix: RegExp, bounded: Bounded): Record<string, Value> {
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

/** The value of a property (HTML, "values" of microdata): what stands in an attribute, else the text. */
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
 * The items of a page that are in no other item, with those inside of them. Where an item refers to properties
 * elsewhere (`itemref`) they are left out.
 */
function readMicrodata(elements: readonly HtmlElement[], bounded: Bounded): Value[] {
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

/** Never throws, whatever the page has written. */
export function readStructured(document: HtmlDocument): StructuredData {
  const bounded = new Bounded();
  return {
    open_graph: readCards(document, /^(?:og|article|book|profile|product|video|music):/, bounded),
    twitter: readCards(document, /^twitter:/, bounded),
    json_ld: readJsonLd(document.jsonLd, bounded),
    microdata: readMicrodata(document.items, bounded),
  };
}

export function isNode(value: Value | undefined): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The things that a page describes, those of JSON-LD first: `@graph` is opened, items inside of others are not. */
export function nodesOf({ json_ld, microdata }: StructuredData): readonly Node[] {
  const nodes: Node[] = [];
  for (const value of [...json_ld, ...microdata]) {
    if (!isNode(value)) continue;
    const graph = value["@graph"];
    if (Array.isArray(graph)) nodes.push(...graph.filter(isNode));
    else nodes.push(value);
  }
  return nodes;
}

/** `Article` for `https://schema.org/Article` and for `schema:Article`; the first of several. */
export function typesOf(node: Node): readonly string[] {
  const types = node["@type"];
  const list = Array.isArray(types) ? types : [types];
  return list.flatMap((type) => (typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []));
}
