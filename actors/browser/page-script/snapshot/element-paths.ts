/**
 * Computes CSS and XPath paths of elements within their document or shadow tree. Paths are cached until
 * elements move.
 */
import { elementCache } from "./snapshot-element-cache.ts";

/**
 * The cached path of an element, and the values from which it was built. If one of these values changes, the
 * path is built again.
 */
interface Path {
  path: string;
  above: string;
  own: string | undefined;
  number: number;
  /** Number of the last snapshot in which this path was checked and valid. */
  snapshot: number;
  /** Time of this path's last check, by the cache's clock (a counter of changes). */
  at: number;
}
interface Own {
  id: string;
  path: string | undefined;
  at: number;
}
/**
 * The keys under which an element stores its cached paths. Properties of the element are faster than a map.
 * Pages cannot see these properties, because they exist only in the isolated world.
 */
const SELECTOR = Symbol("selector");
const XPATH = Symbol("xpath");
const OWN = Symbol("own");
interface Found extends Element {
  [SELECTOR]?: Path;
  [XPATH]?: Path;
  [OWN]?: Own;
}
let ordinals = new WeakMap<Node, { readonly at: number; readonly numbers: Map<Element, number> }>();
let snapshot = 0;
let time = 0;
let moved = 0;
let forgotten = -1;

/**
 * Returns the number of the element among its siblings with the same tag, counted from 1. Returns 0 when the
 * element is the only one with its tag.
 */
const ordinal = (element: Element): number => {
  const parent = element.parentNode;
  if (!parent) return 0;
  if (!element.nextElementSibling && !element.previousElementSibling) return 0;
  let known = ordinals.get(parent);
  if (!known || elementCache.childrenChangedAt(parent) > known.at) {
    const numbers = new Map<Element, number>();
    const counts = new Map<string, number>();
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      if (!(child instanceof Element)) continue;
      const count = (counts.get(child.localName) ?? 0) + 1;
      counts.set(child.localName, count);
      numbers.set(child, count);
    }
    for (const [child, number] of numbers) {
      if (number === 1 && counts.get(child.localName) === 1) numbers.set(child, 0);
    }
    known = { at: time, numbers };
    ordinals.set(parent, known);
  }
  return known.numbers.get(element) ?? 0;
};

/**
 * Returns a selector by the element's id. Returns `undefined` when the element has no id, or when this
 * selector finds another element.
 */
const ownOf = (element: Element): string | undefined => {
  const { id } = element;
  if (id === "") return undefined;
  const found: Found = element;
  const known = found[OWN];
  if (known && known.id === id && known.at >= moved) return known.path;
  const root = element.getRootNode();
  const leads =
    (root instanceof Document || root instanceof ShadowRoot) && root.getElementById(id) === element;
  const path = leads ? `#${CSS.escape(id)}` : undefined;
  found[OWN] = { id, path, at: time };
  return path;
};

const known = (element: Found, kind: typeof SELECTOR | typeof XPATH): Path => {
  element[kind] ??= { path: "", above: "", own: undefined, number: -1, snapshot: 0, at: -1 };
  return element[kind];
};

/** Returns a CSS selector that finds the element. ` >>> ` in the selector enters a shadow root. */
export const selector = (element: Element): string => {
  const path = known(element, SELECTOR);
  if (path.snapshot === snapshot || path.at >= moved) return path.path;
  const own = ownOf(element);
  const parent = element.parentElement;
  const number = own === undefined ? ordinal(element) : 0;
  const root = own === undefined && parent ? undefined : element.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : undefined;
  let above = "";
  if (host) above = selector(host);
  else if (own === undefined && parent) above = selector(parent);
  if (path.above !== above || path.own !== own || path.number !== number) {
    const tag = CSS.escape(element.localName);
    const step = own ?? (number === 0 ? tag : `${tag}:nth-of-type(${number})`);
    // A CSS selector cannot enter a shadow root, so ` >>> ` separates the part outside of the root from the
    // part inside.
    path.path = above === "" ? step : `${above}${host ? " >>> " : " > "}${step}`;
  }
  path.above = above;
  path.own = own;
  path.number = number;
  path.snapshot = snapshot;
  path.at = time;
  return path.path;
};

/**
 * Returns the XPath of the element from `html`. XPath cannot enter a shadow root, so the step `#shadow-root` after
 * the host stands for it: `…/x-button/#shadow-root/button`. So an element in a shadow root has another path than
 * the elements in other roots.
 */
export const xpath = (element: Element): string => {
  const path = known(element, XPATH);
  if (path.snapshot === snapshot || path.at >= moved) return path.path;
  const number = ordinal(element);
  const { parentNode } = element;
  let above = "";
  if (parentNode instanceof ShadowRoot) above = `${xpath(parentNode.host)}/#shadow-root`;
  else if (parentNode instanceof Element) above = xpath(parentNode);
  if (path.above !== above || path.number !== number) {
    const name = /^[a-z][a-z0-9-]*$/.test(element.localName)
      ? element.localName
      : `*[name()='${element.localName}']`;
    // An XPath name without a prefix matches only HTML elements. For SVG and MathML elements, the local name
    // is compared.
    const plain =
      element.namespaceURI === "http://www.w3.org/1999/xhtml"
        ? name
        : `*[local-name()='${element.localName}']`;
    path.path = `${above}/${plain}${number === 0 ? "" : `[${number}]`}`;
  }
  path.above = above;
  path.number = number;
  path.snapshot = snapshot;
  path.at = time;
  return path.path;
};

/**
 * Must be called before each snapshot. In that snapshot, each cached CSS path or XPath of an element is
 * checked again when it is first used.
 */
export function begin(): void {
  snapshot++;
  time = elementCache.now();
  moved = elementCache.movedAt();
  if (forgotten === elementCache.forgotten) return;
  forgotten = elementCache.forgotten;
  ordinals = new WeakMap();
}
