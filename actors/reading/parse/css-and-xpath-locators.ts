/**
 * Computes locators of elements: a CSS selector that matches one element, and an XPath.
 *
 * Ids and attributes are preferred, because they survive a change of the layout. Without them, the locator is
 * a path of `:nth-of-type()` from the nearest unique id.
 */
import type { HtmlDocument, HtmlElement } from "./parse-html-document.ts";

/**
 * Maximum length, in characters, of an attribute value in a selector. If the value of an element's attribute
 * is longer, the selector is a path to the element.
 */
const MAX_VALUE = 300;

/** The step of an XPath that stands for a shadow root. XPath itself has no step that enters one. */
const SHADOW_ROOT = "/#shadow-root";

/** Returns a CSS string in double quotes (CSSOM, "serialize a string"). */
function cssString(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: CSS strings escape exactly these
  return `"${value.replace(/["\\]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`;
}

/**
 * Returns the id if a selector such as `#main` can contain it without escapes. Returns `undefined` otherwise: the
 * selector is then `[id="…"]`, which is more readable than escapes.
 */
function plainIdentifier(value: string): string | undefined {
  return /^-?[A-Za-z_\u00a0-\uffff][\w\u00a0-\uffff-]*$/.test(value) ? value : undefined;
}

function idSelector(id: string): string {
  const plain = plainIdentifier(id);
  return plain === undefined ? `[id=${cssString(id)}]` : `#${plain}`;
}

function uniqueId(document: HtmlDocument, element: HtmlElement): string | undefined {
  const id = element.attributes.id;
  if (id === undefined || id === "" || id.length > MAX_VALUE || document.ids.get(id) !== 1) return undefined;
  return id;
}

/**
 * Sets `nth` and `ofType`, the position among the siblings with the same tag, for all children of an element.
 * The children of its shadow root are counted by themselves.
 */
function numberChildren(parent: HtmlElement): void {
  const counts = new Map<string, number>();
  const keyOf = ({ tag, isInShadowRoot }: HtmlElement): string => (isInShadowRoot ? `#${tag}` : tag);
  for (const child of parent.children) {
    if (typeof child === "string") continue;
    const nth = (counts.get(keyOf(child)) ?? 0) + 1;
    counts.set(keyOf(child), nth);
    child.nth = nth;
  }
  for (const child of parent.children) {
    if (typeof child !== "string") child.ofType = counts.get(keyOf(child)) ?? 1;
  }
}

function place(element: HtmlElement): { readonly nth: number; readonly ofType: number } {
  if (element.nth === 0 && element.parent) numberChildren(element.parent);
  return element.nth === 0 ? { nth: 1, ofType: 1 } : element;
}

/** Returns a tag as a CSS type selector. A tag with special characters, such as a colon, becomes `*`. */
function cssTag(tag: string): string {
  return /^[a-z][a-z0-9-]*$/.test(tag) ? tag : "*";
}

/** Counts the values of attributes in a list of elements, separately for each tag. */
export class AttributeCounts {
  /**
   * Number of elements with an attribute value. The keys of the nested maps are: the attribute's name, the
   * element's tag, and the value.
   */
  readonly #counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(elements: readonly HtmlElement[], names: readonly string[]) {
    for (const name of names) {
      const byTag = new Map<string, Map<string, number>>();
      this.#counts.set(name, byTag);
      for (const { tag, attributes } of elements) {
        const value = attributes[name];
        if (value === undefined) continue;
        let values = byTag.get(tag);
        if (!values) {
          values = new Map();
          byTag.set(tag, values);
        }
        values.set(value, (values.get(value) ?? 0) + 1);
      }
    }
  }

  isUnique(tag: string, name: string, value: string): boolean {
    return this.#counts.get(name)?.get(tag)?.get(value) === 1;
  }
}

export interface Location {
  readonly selector: string;
  readonly xpath: string;
}

/**
 * Returns a CSS selector and an XPath of an element.
 *
 * @param names attributes by which the element may be identified, best first
 * @param counts number of elements with each value of these attributes, in the whole document
 */
export function locate(
  document: HtmlDocument,
  element: HtmlElement,
  names: readonly string[],
  counts: AttributeCounts,
): Location {
  const id = uniqueId(document, element);
  const path = pathOf(document, element);
  if (id !== undefined) return { selector: idSelector(id), xpath: path.xpath };
  for (const name of names) {
    const value = element.attributes[name];
    if (value === undefined || value === "" || value.length > MAX_VALUE) continue;
    if (counts.isUnique(element.tag, name, value)) {
      return { selector: `${cssTag(element.tag)}[${name}=${cssString(value)}]`, xpath: path.xpath };
    }
  }
  return path;
}

/**
 * Returns the path to an element as CSS and as XPath. It begins at the nearest element with a unique id, or
 * else at `html`. In CSS, ` >>> ` enters a shadow root; in the XPath, the step `#shadow-root` stands for it.
 */
function pathOf(document: HtmlDocument, element: HtmlElement): Location {
  let selector = "";
  let xpath = "";
  // The CSS text between the selector of the current element and that of the element inside of it: ` > `, or
  // ` >>> ` at a shadow root. It is empty for the innermost element.
  let combinator = "";
  for (let at: HtmlElement | null = element; at; at = at.parent) {
    const id = uniqueId(document, at);
    // XPath 1.0 has no escapes in texts, so a path cannot contain an id with a double quote. Such an id is
    // not used.
    if (id !== undefined && !id.includes('"')) {
      return { selector: idSelector(id) + combinator + selector, xpath: `//*[@id="${id}"]${xpath}` };
    }
    const { nth, ofType } = place(at);
    const tag = cssTag(at.tag);
    const step = ofType > 1 ? `${tag}:nth-of-type(${nth})` : tag;
    selector = step + combinator + selector;
    combinator = at.isInShadowRoot ? " >>> " : " > ";
    const name = tag === "*" ? `*[name()="${at.tag}"]` : tag;
    const root = at.isInShadowRoot ? SHADOW_ROOT : "";
    xpath = `${root}/${name}${ofType > 1 ? `[${nth}]` : ""}${xpath}`;
  }
  return { selector, xpath };
}

/** Returns the XPath of an element from `html`, without ids, as a session returns it for its elements. */
export function fullXPath(element: HtmlElement): string {
  const { nth, ofType } = place(element);
  const name = /^[a-z][a-z0-9-]*$/.test(element.tag) ? element.tag : `*[name()='${element.tag}']`;
  const above = element.parent ? fullXPath(element.parent) : "";
  const root = element.isInShadowRoot ? SHADOW_ROOT : "";
  return `${above}${root}/${name}${ofType > 1 ? `[${nth}]` : ""}`;
}
