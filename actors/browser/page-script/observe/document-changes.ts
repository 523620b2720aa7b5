/** Changes of a frame's document for the event stream of a session. Observes only while a client is subscribed. */
import { registry } from "../document-state.ts";
import { geometry } from "../world-parts.ts";

export interface DocumentChange {
  readonly url: string;
  readonly added: number;
  readonly removed: number;
  readonly texts: number;
  readonly attributes: readonly string[];
  readonly targets: readonly string[];
  readonly said: readonly string[];
  /** The page was scrolled or resized, or a field was changed. */
  readonly view: boolean;
}

export interface DocumentChanges {
  /**
   * Resolves with the next changes, after `quiet` milliseconds without a change or `most` milliseconds after
   * the first; `undefined` when stopped.
   */
  next(quiet: number, most: number): Promise<DocumentChange | undefined>;
  stop(): void;
  isObserving(): boolean;
}

const NAMED = 5;
const SAID = 80;
const UNSEEN = /^(script|style|link|meta|noscript|template|head|title)$/;
const WATCHED = {
  attributes: true,
  attributeOldValue: true,
  characterData: true,
  childList: true,
  subtree: true,
};
const VIEW = ["scroll", "resize", "input", "change"];

const nothing = () => ({
  added: 0,
  removed: 0,
  texts: 0,
  attributes: new Set<string>(),
  targets: new Set<string>(),
  said: new Set<string>(),
  view: false,
});
let news = nothing();
let some = false;
let first = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let pace = { quiet: 0, most: 0 };
let answer: ((news: DocumentChange | undefined) => void) | undefined;
let observed: WeakSet<Node> | undefined;

const flush = (): void => {
  timer = undefined;
  if (!answer || !some) return;
  const { attributes, targets, said, ...counts } = news;
  answer({
    ...counts,
    url: location.href,
    attributes: [...attributes],
    targets: [...targets],
    said: [...said],
  });
  answer = undefined;
  news = nothing();
  some = false;
};
const changed = (): void => {
  const now = performance.now();
  if (!some) first = now;
  some = true;
  clearTimeout(timer);
  timer = setTimeout(flush, Math.max(0, Math.min(pace.quiet, first + pace.most - now)));
};

const name = (node: Node): void => {
  const element =
    node instanceof ShadowRoot ? node.host : node instanceof Element ? node : node.parentElement;
  if (element && news.targets.size < NAMED) news.targets.add(geometry.brief(element));
};
const say = (text: string): void => {
  const plain = text
    .slice(0, 4 * SAID)
    .replace(/\s+/g, " ")
    .trim();
  if (plain !== "" && news.said.size < NAMED) news.said.add(plain.slice(0, SAID));
};
const counts = (node: Node): boolean =>
  node instanceof Element
    ? !UNSEEN.test(node.localName)
    : node instanceof Text && /\S/.test(node.data) && !UNSEEN.test(node.parentElement?.localName ?? "");

/** Counts a mutation; `false` where it is no visible change. */
const note = ({
  type,
  target,
  attributeName,
  oldValue,
  addedNodes,
  removedNodes,
}: MutationRecord): boolean => {
  const within = target instanceof Element ? target : target.parentElement;
  if (within && UNSEEN.test(within.localName)) return false;
  if (type === "attributes") {
    // Styles set by scripts are mostly animations.
    if (!attributeName || attributeName === "style" || !(target instanceof Element)) return false;
    if (target.getAttribute(attributeName) === oldValue) return false;
    news.attributes.add(attributeName);
  } else if (type === "characterData") {
    if (!(target instanceof Text) || target.data === oldValue) return false;
    news.texts++;
    say(target.data);
  } else {
    const added = [...addedNodes].filter(counts);
    const removed = [...removedNodes].filter(counts);
    for (const node of added) {
      say(node.textContent ?? "");
      if (node instanceof Element) observeIn(node);
    }
    news.added += added.length;
    news.removed += removed.length;
    if (added.length + removed.length === 0) return false;
  }
  name(target);
  return true;
};
const observer = new MutationObserver((records) => {
  if (records.filter(note).length > 0) changed();
});
const view = (): void => {
  news.view = true;
  changed();
};

const observe = (root: Document | ShadowRoot): void => {
  if (!observed || observed.has(root)) return;
  observed.add(root);
  observer.observe(root, { ...WATCHED, characterDataOldValue: true });
  for (const element of root.children) observeIn(element);
};
/** An observer of the document does not observe shadow roots. */
function observeIn(element: Element): void {
  for (const inner of [element, ...element.querySelectorAll("*")]) {
    const root = registry.rootOf(inner);
    if (root) observe(root);
  }
}
const start = (): void => {
  observed = new WeakSet();
  observe(document);
  for (const event of VIEW) addEventListener(event, view, { capture: true, passive: true });
};

export const documentChanges: DocumentChanges = {
  isObserving: () => observed !== undefined,
  next(quiet, most) {
    pace = { quiet, most };
    answer?.(undefined);
    if (!observed) start();
    return new Promise((resolve) => {
      answer = resolve;
      if (some && timer === undefined) flush();
    });
  },
  stop() {
    observer.disconnect();
    for (const event of VIEW) removeEventListener(event, view, { capture: true });
    observed = undefined;
    clearTimeout(timer);
    timer = undefined;
    news = nothing();
    some = false;
    answer?.(undefined);
    answer = undefined;
  },
};
