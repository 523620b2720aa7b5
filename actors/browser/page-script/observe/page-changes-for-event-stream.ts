/**
 * Reports changes of a frame's document for the event stream of a session. The document is observed only
 * while a client is subscribed to the stream.
 */
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";
import { registry } from "../page-script-document-state.ts";
import { geometry } from "../world-bundle-modules-for-actions-bundle.ts";

export interface DocumentChange {
  readonly url: string;
  readonly added: number;
  readonly removed: number;
  readonly texts: number;
  readonly attributes: readonly string[];
  readonly targets: readonly string[];
  readonly said: readonly string[];
  /** Whether the page was scrolled or resized, or the user has changed a field. */
  readonly view: boolean;
}

export interface DocumentChanges {
  /** Starts to observe the document, unless it is already observed. */
  observe(): void;
  /**
   * Resolves with the next changes of the document, `quiet` milliseconds after the last change, or `most`
   * milliseconds after the first. Resolves with `undefined` when `stop` is called.
   */
  next(quiet: number, most: number): Promise<DocumentChange | undefined>;
  stop(): void;
  isObserving(): boolean;
}

/** Maximum number of elements, and of texts, that one report of changes contains. */
const MAX_NAMED = 5;
/** Maximum number of characters of a text in a report of changes. */
const MAX_TEXT_LENGTH = 80;
/** Tags of elements without visible content, whose changes are not reported. */
const INVISIBLE_TAG = /^(script|style|link|meta|noscript|template|head|title)$/;
const OBSERVED = {
  attributes: true,
  attributeOldValue: true,
  characterData: true,
  childList: true,
  subtree: true,
};
/** Events that change what a user sees without changing the DOM. */
const VIEW_EVENTS = ["scroll", "resize", "input", "change"];

const emptyChange = () => ({
  added: 0,
  removed: 0,
  texts: 0,
  attributes: new Set<string>(),
  targets: new Set<string>(),
  said: new Set<string>(),
  view: false,
});
let pending = emptyChange();
let hasChanges = false;
let first = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let limits = { quiet: 0, most: 0 };
let answer: ((pending: DocumentChange | undefined) => void) | undefined;
let observed: WeakSet<Node> | undefined;

const flush = (): void => {
  timer = undefined;
  if (!answer || !hasChanges) return;
  const { attributes, targets, said, ...counts } = pending;
  answer({
    ...counts,
    url: withoutPasswords(location.href),
    attributes: [...attributes],
    targets: [...targets],
    said: [...said],
  });
  answer = undefined;
  pending = emptyChange();
  hasChanges = false;
};
const changed = (): void => {
  const now = performance.now();
  if (!hasChanges) first = now;
  hasChanges = true;
  clearTimeout(timer);
  timer = setTimeout(flush, Math.max(0, Math.min(limits.quiet, first + limits.most - now)));
};

const name = (node: Node): void => {
  const element =
    node instanceof ShadowRoot ? node.host : node instanceof Element ? node : node.parentElement;
  if (element && pending.targets.size < MAX_NAMED) pending.targets.add(geometry.brief(element));
};
const addText = (text: string): void => {
  const plain = text
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  if (plain !== "" && pending.said.size < MAX_NAMED) pending.said.add(plain.slice(0, MAX_TEXT_LENGTH));
};
const counts = (node: Node): boolean =>
  node instanceof Element
    ? !INVISIBLE_TAG.test(node.localName)
    : node instanceof Text &&
      /\S/.test(node.data) &&
      !INVISIBLE_TAG.test(node.parentElement?.localName ?? "");

/** Counts a mutation (DOM change). Ignores it and returns false if it changes nothing visible. */
const recordMutation = ({
  type,
  target,
  attributeName,
  oldValue,
  addedNodes,
  removedNodes,
}: MutationRecord): boolean => {
  const within = target instanceof Element ? target : target.parentElement;
  if (within && INVISIBLE_TAG.test(within.localName)) return false;
  if (type === "attributes") {
    // Changes of the `style` attribute are ignored, because most changes of this attribute are steps of
    // animations.
    if (!attributeName || attributeName === "style" || !(target instanceof Element)) return false;
    if (target.getAttribute(attributeName) === oldValue) return false;
    pending.attributes.add(attributeName);
  } else if (type === "characterData") {
    if (!(target instanceof Text) || target.data === oldValue) return false;
    pending.texts++;
    addText(target.data);
  } else {
    const added = [...addedNodes].filter(counts);
    const removed = [...removedNodes].filter(counts);
    for (const node of added) {
      addText(node.textContent ?? "");
      if (node instanceof Element) observeIn(node);
    }
    pending.added += added.length;
    pending.removed += removed.length;
    if (added.length + removed.length === 0) return false;
  }
  name(target);
  return true;
};
const observer = new MutationObserver((records) => {
  if (records.filter(recordMutation).length > 0) changed();
});
const view = (): void => {
  pending.view = true;
  changed();
};

const observe = (root: Document | ShadowRoot): void => {
  if (!observed || observed.has(root)) return;
  observed.add(root);
  observer.observe(root, { ...OBSERVED, characterDataOldValue: true });
  for (const element of root.children) observeIn(element);
};
/**
 * Observes the shadow roots in an element, because an observer of the document does not see changes in them.
 */
function observeIn(element: Element): void {
  for (const inner of [element, ...element.querySelectorAll("*")]) {
    const root = registry.rootOf(inner);
    if (root) observe(root);
  }
}
const start = (): void => {
  if (observed) return;
  observed = new WeakSet();
  observe(document);
  for (const event of VIEW_EVENTS) addEventListener(event, view, { capture: true, passive: true });
};

export const documentChanges: DocumentChanges = {
  observe: start,
  isObserving: () => observed !== undefined,
  next(quiet, most) {
    limits = { quiet, most };
    answer?.(undefined);
    start();
    return new Promise((resolve) => {
      answer = resolve;
      if (hasChanges && timer === undefined) flush();
    });
  },
  stop() {
    observer.disconnect();
    for (const event of VIEW_EVENTS) removeEventListener(event, view, { capture: true });
    observed = undefined;
    clearTimeout(timer);
    timer = undefined;
    pending = emptyChange();
    hasChanges = false;
    answer?.(undefined);
    answer = undefined;
  },
};
