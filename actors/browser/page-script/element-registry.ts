/**
 * Element registry of a document: numbers for elements, closed shadow roots, click listeners and secret
 * fields. It lasts as long as the document.
 */
import { EVENT_NAMES } from "./event-names.ts";

export interface Registry {
  /** The number of an element, assigned at the first call. */
  idOf(element: Element): number;
  /** The element of a number, as long as it exists. */
  element(id: number): Element | undefined;
  /** Whether a script of the page listens to clicks on the element. */
  hasClickListener(element: Element): boolean;
  /** Whether a script of the page listens to clicks or keys on the element, and not to presses only. */
  hasOperatingListener(element: Element): boolean;
  /** The shadow root of an element. A closed one is known once `addClosedRoot` was called. */
  rootOf(element: Element): ShadowRoot | null;
  /** The focused element, across shadow roots; `undefined` where only the page itself has the focus. */
  focused(): Element | undefined;
  /** The parent element, across shadow roots. */
  parentOf(node: Node): Element | null;
  /** Requests the listeners and closed roots that the main world has noted since the last call. */
  collect(): void;
  /** A counter that increases with every new listener, suspect or root. */
  changeCount(): number;
  /** Notes an element that may have a closed shadow root. The driver fetches it with `takeSuspects`. */
  suspectClosedRoot(element: Element): void;
  /** Elements in which the driver must look for closed roots. Each element is returned once. */
  takeSuspects(): Element[];
  /** Number of elements that `takeSuspects` would return. */
  suspectCount(): number;
  addClosedRoot(host: Element, root: ShadowRoot): void;
  /** Frame id by frame element; the driver sets it. */
  frames: WeakMap<Element, string>;
  /** Whether a field is or was a password field. Its value is never reported, whatever its type is now. */
  isSecret(element: Element): boolean;
}

/** A symbol property is faster than a map when there are many elements, and only this world can see it. */
const ID = Symbol("id");
interface Numbered extends Element {
  [ID]?: number;
}
const elements = new Map<number, WeakRef<Element>>();
const listening = new WeakSet<Element>();
const acting = new WeakSet<Element>();
const closedRoots = new WeakMap<Element, ShadowRoot>();
const suspected = new WeakSet<Element>();
const secrets = new WeakSet<Element>();
let suspects: Element[] = [];
let lastId = 0;
let changes = 0;

const suspectClosedRoot = (element: Element): void => {
  if (suspected.has(element) || closedRoots.has(element)) return;
  suspected.add(element);
  suspects.push(element);
  changes++;
};
const innermostTarget = (event: Event): Element | undefined => {
  const target = event.composedPath()[0];
  return target instanceof Element ? target : undefined;
};
const listenIn = (root: Document | ShadowRoot): void => {
  for (const [name, noted] of [
    [EVENT_NAMES.clickListener, listening],
    [EVENT_NAMES.operatingListener, acting],
  ] as const) {
    root.addEventListener(
      name,
      (event) => {
        const element = innermostTarget(event);
        if (!element || noted.has(element)) return;
        noted.add(element);
        changes++;
      },
      true,
    );
  }
  root.addEventListener(
    EVENT_NAMES.closedRoot,
    (event) => {
      const element = innermostTarget(event);
      if (element) suspectClosedRoot(element);
    },
    true,
  );
};
listenIn(document);

const rootOf = (element: Element): ShadowRoot | null =>
  element.shadowRoot ?? closedRoots.get(element) ?? null;

export const registry: Registry = {
  idOf(element) {
    const node: Numbered = element;
    if (node[ID] !== undefined) return node[ID];
    lastId++;
    node[ID] = lastId;
    elements.set(lastId, new WeakRef(element));
    return lastId;
  },
  element(id) {
    const found = elements.get(id)?.deref();
    if (!found) elements.delete(id);
    return found;
  },
  hasClickListener: (element) => listening.has(element),
  hasOperatingListener: (element) => acting.has(element),
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
  changeCount: () => changes,
  suspectClosedRoot,
  takeSuspects() {
    const found = suspects;
    suspects = [];
    return found;
  },
  suspectCount: () => suspects.length,
  addClosedRoot(host, root) {
    closedRoots.set(host, root);
    changes++;
    listenIn(root);
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
