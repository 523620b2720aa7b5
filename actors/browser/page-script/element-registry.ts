/**
 * Registers the elements of a document: their numbers, closed shadow roots, click listeners and secret
 * fields. It exists while the document exists.
 */
import { EVENT_NAMES } from "./page-script-event-names.ts";

export interface Registry {
  /** Returns the number that identifies an element. The first call assigns the number. */
  idOf(element: Element): number;
  /**
   * Returns the element to which `idOf` has assigned this number; `undefined` if the element no longer
   * exists.
   */
  element(id: number): Element | undefined;
  /** Returns the number that was assigned last. Elements that were found later have higher numbers. */
  newestId(): number;
  /** Whether a script of the page has added a click listener to the element. */
  hasClickListener(element: Element): boolean;
  /**
   * Whether a script of the page listens to clicks or keys on the element. Listeners for pointer presses
   * alone do not count.
   */
  hasOperatingListener(element: Element): boolean;
  /**
   * Returns the shadow root of an element; `null` if it has none. A closed shadow root is known only after
   * `addClosedRoot` has registered it.
   */
  rootOf(element: Element): ShadowRoot | null;
  /**
   * Returns the focused element, even if it is inside of shadow roots. Returns `undefined` when only the page
   * itself has the focus.
   */
  focused(): Element | undefined;
  /** Returns the parent element, across shadow roots. */
  parentOf(node: Node): Element | null;
  /**
   * Makes the main world report the listeners and closed shadow roots that it has recorded since the last
   * call.
   */
  collect(): void;
  /**
   * Returns a number that increases when a listener, a closed shadow root, or an element that may have a
   * closed shadow root is found.
   */
  changeCount(): number;
  /** Records an element that may have a closed shadow root. `takeSuspects` returns it later. */
  suspectClosedRoot(element: Element): void;
  /** Returns the elements that may have a closed shadow root, and that no earlier call has returned. */
  takeSuspects(): Element[];
  /**
   * Returns the number of elements that may have a closed shadow root, and that no call of `takeSuspects` has
   * returned yet.
   */
  suspectCount(): number;
  addClosedRoot(host: Element, root: ShadowRoot): void;
  /** For each frame element, the id of its frame. Cairn sets these ids from outside of the page. */
  frames: WeakMap<Element, string>;
  /**
   * Whether a field is a password field, or was one before its type changed. The value of such a field is
   * never reported.
   */
  isSecret(element: Element): boolean;
}

/**
 * An element's number is stored in a property of the element with a symbol as its name. For many elements,
 * this is faster than a map. Pages cannot see the property, because it exists only in the isolated world.
 */
const ID = Symbol("id");
interface Numbered extends Element {
  [ID]?: number;
}
const elements = new Map<number, WeakRef<Element>>();
const listening = new WeakSet<Element>();
const acting = new WeakSet<Element>();
const closedRoots = new WeakMap<Element, ShadowRoot>();
/**
 * Whether the document has at least one recorded closed shadow root. If not, `closedRoots` is not searched,
 * which saves time on large pages.
 */
let hasClosedRoots = false;
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
  element.shadowRoot ?? (hasClosedRoots ? closedRoots.get(element) : undefined) ?? null;

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
  newestId: () => lastId,
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
    // `parentElement` is tried first, because `instanceof` is slow for DOM nodes.
    if (node.parentElement) return node.parentElement;
    const parent = node.parentNode;
    return parent instanceof ShadowRoot ? parent.host : null;
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
    hasClosedRoots = true;
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
