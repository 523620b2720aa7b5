/**
 * In the page: which number stands for which node, what was noticed about nodes, and the way into shadow roots.
 *
 * Sent as its own source, into a world of its own that lasts as long as the document, so it stands alone. Neighbours:
 * `marks.ts` tells it from the page's world what scripts do with elements; `walker.ts` and `hands.ts` build on it.
 */
import { EVENT_NAMES } from "./event-names.ts";

export interface Registry {
  /** The number of a node, given at the first question. */
  idOf(element: Element): number;
  /** The node of a number, while it lives. */
  element(id: number): Element | undefined;
  /** Scripts hear of clicks on it. */
  hasClickListener(element: Element): boolean;
  /** Its shadow root, closed ones included once they were opened with `adopt`. */
  rootOf(element: Element): ShadowRoot | null;
  /** What has the cursor, in whatever root; `undefined` where only the page itself has it. */
  focused(): Element | undefined;
  /** The parent across shadow roots. */
  parentOf(node: Node): Element | null;
  /** Hears what scripts did with elements since the last time. */
  collect(): void;
  /** Grows with everything that is heard for the first time. */
  changeCount(): number;
  /** May hide a closed root that nobody has looked for: asked for once by `hosts`. */
  suspectClosedRoot(element: Element): void;
  /** Elements to be looked at from outside for closed roots; each is named once. */
  takeSuspects(): Element[];
  /** How many of those there are. */
  suspectCount(): number;
  addClosedRoot(host: Element, root: ShadowRoot): void;
  /** The frame that an element holds, once it is known. */
  frames: WeakMap<Element, string>;
  /** Inputs that have held passwords: what they hold is told to nobody, whatever their type is by now. */
  isSecret(element: Element): boolean;
}

/** Kept at the nodes themselves, which of this world only we see: where there are many of them a map is slow. */
const ID = Symbol("id");
interface Numbered extends Element {
  [ID]?: number;
}
const elements = new Map<number, WeakRef<Element>>();
const listening = new WeakSet<Element>();
const closedRoots = new WeakMap<Element, ShadowRoot>();
const asked = new WeakSet<Element>();
const secrets = new WeakSet<Element>();
let suspects: Element[] = [];
let last = 0;
let heard = 0;

const suspect = (element: Element): void => {
  if (asked.has(element) || closedRoots.has(element)) return;
  asked.add(element);
  suspects.push(element);
  heard++;
};
const first = (event: Event): Element | undefined => {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : undefined;
};
const hear = (root: Document | ShadowRoot): void => {
  root.addEventListener(
    EVENT_NAMES.clickListener,
    (event) => {
      const element = first(event);
      if (!element || listening.has(element)) return;
      listening.add(element);
      heard++;
    },
    true,
  );
  root.addEventListener(
    EVENT_NAMES.closedRoot,
    (event) => {
      const element = first(event);
      if (element) suspect(element);
    },
    true,
  );
};
hear(document);

const rootOf = (element: Element): ShadowRoot | null =>
  element.shadowRoot ?? closedRoots.get(element) ?? null;

export const registry: Registry = {
  idOf(element) {
    const node: Numbered = element;
    if (node[ID] !== undefined) return node[ID];
    last++;
    node[ID] = last;
    elements.set(last, new WeakRef(element));
    return last;
  },
  element(id) {
    const found = elements.get(id)?.deref();
    if (!found) elements.delete(id);
    return found;
  },
  hasClickListener: (element) => listening.has(element),
  rootOf,
  focused() {
    let found = document.activeElement;
    for (let inner = found && rootOf(found)?.activeElement; inner; ) {
      found = inner;
      inner = rootOf(inner)?.activeElement;
    }
    return found && found !== document.body && found !== document.documentElement ? found : undefined;
  },
  parentOf(node) {
    const parent = node.parentNode;
    if (parent instanceof ShadowRoot) return parent.host;
    return parent instanceof Element ? parent : null;
  },
  collect() {
    document.dispatchEvent(new Event(EVENT_NAMES.request));
  },
  changeCount: () => heard,
  suspectClosedRoot: suspect,
  takeSuspects() {
    const found = suspects;
    suspects = [];
    return found;
  },
  suspectCount: () => suspects.length,
  addClosedRoot(host, root) {
    closedRoots.set(host, root);
    heard++;
    hear(root);
  },
  frames: new WeakMap(),
  isSecret(element) {
    if (secrets.has(element)) return true;
    if (!(element instanceof HTMLInputElement)) return false;
    const named = `${element.autocomplete} ${element.name} ${element.id}`;
    if (element.type !== "password" && !/passw|passphrase|\bpwd\b/i.test(named)) return false;
    if (element.type !== "password" && !/^(text|search|tel|email|url|number)$/.test(element.type))
      return false;
    secrets.add(element);
    return true;
  },
};
