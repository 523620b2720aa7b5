/**
 * Caches everything that snapshots know about the elements of a document. Mutations of the document
 * invalidate entries. Changes of styles and layout cause no mutations, so each snapshot reads them again (see
 * `style-and-box-cache.ts`).
 */
import type { SegmentType } from "../../../../machines/session/page/page-snapshot.ts";
import { registry } from "../page-script-document-state.ts";
import type { Fingerprint, Interaction } from "./describe-element.ts";
import { describer } from "./describe-element.ts";
import type { CachedElement, Traits } from "./element-cache-entry.ts";
import { type PreparedText, prepareText } from "./words-and-white-space-of-text.ts";

export interface ElementCache {
  /** Returns the cache entry of the document's root element, where each traversal of the document begins. */
  top(): CachedElement | undefined;
  traitsOf(cached: CachedElement): Traits;
  partsOf(cached: CachedElement): readonly (CachedElement | PreparedText)[];
  kindOf(cached: CachedElement): Interaction | undefined;
  fingerprintOf(cached: CachedElement, create: (element: Element) => Fingerprint): Fingerprint;
  /**
   * Must be called before each traversal of the document, which visits every rendered element once. Returns
   * the time of the cache's clock (see `now`).
   */
  beginWalk(): number;
  /**
   * Returns the time of the cache's clock. This clock is a counter that increases with every change of the
   * document. Pending mutations are processed first.
   */
  now(): number;
  /** Returns the elements that have changed since the last call; `undefined` if they are too many. */
  takeChangedElements(): ReadonlySet<Element> | undefined;
  /** Number of times that the whole cache was cleared. */
  readonly forgotten: number;
  /**
   * Returns the time at which children were last added to or removed from a node, by the cache's clock (a
   * counter of changes).
   */
  childrenChangedAt(parent: Node): number;
  /**
   * Returns the time at which the children or the id of any node last changed, by the cache's clock (a
   * counter of changes). CSS paths and XPaths of elements depend on both.
   */
  movedAt(): number;
  /** Starts to observe the document and the given shadow roots. */
  watch(roots: readonly ShadowRoot[]): void;
  forget(): void;
}

/**
 * Maximum number of mutations (DOM changes) that are tracked between two snapshots. When there are more, a
 * new traversal of the document is faster.
 */
const MAX_MUTATIONS = 20_000;
/**
 * Maximum number of changed elements that are stored. With more changes, the styles and boxes of all elements
 * are read again.
 */
const MAX_CHANGED_ELEMENTS = 300;
/** Maximum number of characters that are read of a text node. */
const MAX_TEXT_LENGTH = 2_000;
/** Tags of elements without visible content. Snapshots skip these elements. */
const SKIPPED = new Set(
  "script style noscript template meta link head base title param source track wbr br hr datalist".split(" "),
);
/** Tags of built-in elements that may have a shadow root. */
const SHADOW_HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
/** The type of a page segment (such as main or navigation), by the tag of its element. */
const SEGMENTS: Readonly<Record<string, SegmentType>> = {
  header: "header",
  nav: "nav",
  main: "main",
  section: "section",
  article: "article",
  aside: "aside",
  footer: "footer",
  form: "container",
  dialog: "container",
};
/**
 * The type of a page segment (such as main or navigation), by the role of its element. An element's role
 * takes precedence over its tag.
 */
const SEGMENT_ROLES: Readonly<Record<string, SegmentType>> = {
  banner: "header",
  navigation: "nav",
  main: "main",
  region: "section",
  article: "article",
  complementary: "aside",
  contentinfo: "footer",
  search: "container",
  form: "container",
  dialog: "container",
  alertdialog: "container",
};
/** Tags that are inline by default. Unknown tags are inline, too. */
const INLINE_TAGS = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark output q s samp slot " +
    "small span strike strong sub sup time tt u var"
  ).split(" "),
);
/** Matches tags of elements that may contain preformatted text. */
const MAY_BE_PREFORMATTED = /^(pre|code|span|[abisu]|em|strong|mark)$/;
const OBSERVED = { attributes: true, characterData: true, childList: true, subtree: true };

/**
 * The cache entry of a node is stored in a property of the node with a symbol as its name, which is faster
 * than a map. Pages cannot see the property, because it exists only in the isolated world.
 */
const ENTRY = Symbol("note");
interface CachedNode extends Node {
  [ENTRY]?: CachedElement | undefined;
}
let childrenChanged = new WeakMap<Node, number>();
let watched = new WeakSet<Node>();
let time = 1;
let walkNumber = 0;
let movedAt = 1;
let changes = 0;
let forgotten = 0;
let changedElements = new Set<Element>();

const cachedOf = (node: CachedNode): CachedElement | undefined => {
  const cached = node[ENTRY];
  return cached?.age === forgotten ? cached : undefined;
};

const drop = (node: CachedNode): void => {
  if (node[ENTRY]) node[ENTRY] = undefined;
};

const forget = (): void => {
  forgotten++;
  observer.disconnect();
  childrenChanged = new WeakMap();
  watched = new WeakSet();
  changes = 0;
  movedAt = ++time;
  describer.labelsChanged();
};

const touch = (target: Node): void => {
  for (let up: Node | null = target; up; up = up.parentNode ?? (up instanceof ShadowRoot ? up.host : null)) {
    const cached = cachedOf(up);
    if (!cached) continue;
    if (cached.touched === time) return;
    cached.touched = time;
  }
};

/**
 * Whether a text in this element may be part of a label. This is the case if the element is in a `<label>`.
 * It is also possible if the element is in a slot, because the slot may be in a `<label>`.
 */
const isInLabel = (parent: Element | null): boolean =>
  parent !== null &&
  (parent.closest("label") !== null || parent.assignedSlot !== null || registry.rootOf(parent) !== null);

const process = (records: readonly MutationRecord[]): void => {
  if (records.length === 0) return;
  changes += records.length;
  if (changes > MAX_MUTATIONS) {
    forget();
    return;
  }
  time++;
  for (const { type, target, attributeName, addedNodes, removedNodes } of records) {
    touch(target);
    const element = target instanceof ShadowRoot ? target.host : target;
    const place = element instanceof Element ? element : element.parentElement;
    if (place && changedElements.size <= MAX_CHANGED_ELEMENTS) changedElements.add(place);
    if (type === "attributes") {
      const cached = cachedOf(element);
      if (cached) cached.traits = undefined;
      if (attributeName === "id") movedAt = time;
      if (attributeName === "id" || attributeName === "for" || attributeName === "type")
        describer.labelsChanged();
      continue;
    }
    const list = type === "childList" ? cachedOf(element) : cachedOf(element.parentNode ?? element);
    if (list) list.parts = undefined;
    // A change in a shadow root also changes what its host renders, so the host's children are read again
    // too.
    if (element.parentNode instanceof ShadowRoot) {
      const host = cachedOf(element.parentNode.host);
      if (host) host.parts = undefined;
    }
    if (type === "childList") {
      // Changes in a removed node are not observed, so the cache entries of its elements are dropped.
      for (const node of removedNodes) drop(node);
      for (const node of addedNodes) drop(node);
      childrenChanged.set(target, time);
      movedAt = time;
      describer.labelsChanged();
    } else if (isInLabel(element.parentElement)) describer.labelsChanged();
  }
};
const observer = new MutationObserver(process);

/**
 * Returns the cache entry of an element, and creates it if there is none.
 *
 * @param ignoreExisting true to replace an existing entry, because it may be out of date
 */
const of = (element: Element, ignoreExisting: boolean): CachedElement => {
  const known = ignoreExisting ? undefined : cachedOf(element);
  if (known) return known;
  const cached: CachedElement = {
    age: forgotten,
    element,
    tag: element.localName,
    born: time,
    walk: walkNumber,
    style: undefined,
    flows: INLINE_TAGS.has(element.localName) || element.localName.includes("-"),
    touched: time,
    traits: undefined,
    parts: undefined,
    hasTexts: false,
    hasChildren: false,
    root: null,
    listens: false,
    listensAt: -1,
    reading: {
      styles: -1,
      boxes: -1,
      seen: undefined,
      clear: undefined,
      cursor: undefined,
      overflow: undefined,
      icons: undefined,
      display: undefined,
      flow: undefined,
      padded: undefined,
      drawn: undefined,
      rect: undefined,
      over: undefined,
    },
    rendered: true,
    fingerprint: undefined,
    recorded: undefined,
    labels: undefined,
    name: undefined,
    bare: undefined,
    value: "",
    id: 0,
  };
  const cachedNode: CachedNode = element;
  cachedNode[ENTRY] = cached;
  return cached;
};

/**
 * Tags of elements whose traits (facts about an element) also depend on its state, its parent or its form.
 * Elements with any other tag share their traits if they have the same tag, the same class and no further
 * attribute.
 */
const TAGS_WITH_OWN_TRAITS = new Set("input button select textarea summary".split(" "));
/**
 * The traits that all elements with the same tag and class share, by tag and class. Most elements of a page
 * have no other attribute. Sharing saves time and memory on large pages.
 */
const sharedTraits = new Map<string, Traits>();
/**
 * Maximum number of entries in `sharedTraits`, so that a page with a different class for each element cannot
 * fill the memory.
 */
const MAX_SHARED_TRAITS = 2_000;

/**
 * Returns the key by which `sharedTraits` stores the traits (facts) of an element and of all elements like
 * it. Returns `undefined` if the element shares no traits.
 */
const sharedKeyOf = (element: Element, tag: string): string | undefined => {
  if (TAGS_WITH_OWN_TRAITS.has(tag) || tag.includes("-") || !(element instanceof HTMLElement))
    return undefined;
  if (registry.hasClickListener(element)) return undefined;
  if (!element.hasAttributes()) return tag;
  const [name, ...others] = element.getAttributeNames();
  return name === "class" && others.length === 0 ? `${tag} ${element.getAttribute("class")}` : undefined;
};

const traitsOf = (cached: CachedElement): Traits => {
  if (cached.traits) return cached.traits;
  const { element, tag } = cached;
  const key = sharedKeyOf(element, tag);
  const known = key === undefined ? undefined : sharedTraits.get(key);
  cached.traits = known ?? readTraits(element, tag);
  if (key !== undefined && !known && sharedTraits.size < MAX_SHARED_TRAITS)
    sharedTraits.set(key, cached.traits);
  return cached.traits;
};

const readTraits = (element: Element, tag: string): Traits => {
  const role = element.getAttribute("role");
  const kind = describer.interactionOf(element, tag);
  const segment = (role === null ? undefined : SEGMENT_ROLES[role]) ?? SEGMENTS[tag];
  const frame = tag === "iframe" || tag === "frame";
  const image = tag === "img";
  const custom = tag.includes("-");
  const sort = element.getAttribute("aria-sort") ?? "";
  return {
    skipped: SKIPPED.has(tag),
    kind,
    segment,
    dialog: tag === "dialog" || role === "dialog" || role === "alertdialog",
    level: /^h[1-6]$/.test(tag) ? Number(tag[1]) : 0,
    inert: element instanceof HTMLElement && element.inert,
    frame,
    image,
    svg: element instanceof SVGElement,
    custom,
    host: custom || SHADOW_HOSTS.has(tag),
    field: "form" in element || "labels" in element,
    secret: registry.isSecret(element),
    muted: element.getAttribute("aria-hidden") === "true",
    sort: sort === "none" || sort === "other" ? "" : sort,
    marked: describer.isMarkedCurrent(element),
    hasTabIndex: element.hasAttribute("tabindex"),
    named: element.hasAttribute("aria-labelledby"),
    notable: segment !== undefined || frame || image || tag === "slot",
  };
};

const partsOf = (cached: CachedElement): readonly (CachedElement | PreparedText)[] => {
  const { element, tag } = cached;
  const root = traitsOf(cached).host ? registry.rootOf(element) : null;
  // The content of a slot depends on the children of its shadow host. When these change, no mutation of the
  // slot is reported, so the content of a slot is always read again.
  if (cached.parts && cached.root === root && tag !== "slot") return cached.parts;
  const parts: (CachedElement | PreparedText)[] = [];
  let [texts, holds] = [false, false];
  // The element is new in this traversal of the document, so all its descendants must be read. Their cache
  // entries may be from an earlier place in the document, so the entries are replaced.
  const ignoreExisting = cached.walk === walkNumber;
  const add = (node: Node): void => {
    if (node.nodeType === Node.ELEMENT_NODE) {
      holds = true;
      // The check of the node type shows that the node is an element, so the cast is safe.
      parts.push(of(node as Element, ignoreExisting));
    } else if (node.nodeType === Node.TEXT_NODE) {
      // The check of the node type shows that the node is a text, so the cast is safe.
      const { data } = node as Text;
      const some = data.length > MAX_TEXT_LENGTH ? data.slice(0, MAX_TEXT_LENGTH) : data;
      if (/\S/.test(data)) texts = true;
      else {
        // Browsers do not render white space before or after a block, so it is left out.
        const before = parts.at(-1);
        if (before === undefined ? !cached.flows : "element" in before && !before.flows) return;
      }
      // Line breaks are kept only in preformatted text, where browsers render them.
      const isPreformatted = MAY_BE_PREFORMATTED.test(tag) && element.closest("pre") !== null;
      parts.push(prepareText(isPreformatted ? some : some.replace(/\s+/g, " ")));
    }
  };
  const assigned = !root && element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  if (assigned.length > 0) for (const node of assigned) add(node);
  else for (let node = (root ?? element).firstChild; node; node = node.nextSibling) add(node);
  cached.parts = parts;
  cached.hasTexts = texts;
  cached.hasChildren = holds;
  cached.root = root;
  return parts;
};

const hasClickListener = (cached: CachedElement): boolean => {
  const at = registry.changeCount();
  if (cached.listensAt !== at) {
    cached.listens = registry.hasClickListener(cached.element);
    cached.listensAt = at;
  }
  return cached.listens;
};

const now = (): number => {
  process(observer.takeRecords());
  return time;
};
const childrenChangedAt = (parent: Node): number =>
  Math.max(childrenChanged.get(parent) ?? 0, cachedOf(parent)?.born ?? 0);

export const elementCache: ElementCache = {
  top() {
    const { documentElement } = document;
    return documentElement ? of(documentElement, false) : undefined;
  },
  traitsOf,
  partsOf,
  kindOf(cached) {
    const { element, tag } = cached;
    // Cached traits depend only on the element's own tag and attributes. Whether a button or a `<summary>`
    // can be used also depends on its form or its parent, so it is determined at each call.
    if (tag === "button" || tag === "summary") return describer.interactionOf(element, tag);
    const { kind } = traitsOf(cached);
    return kind ?? (hasClickListener(cached) ? { action: "click", weak: true } : undefined);
  },
  fingerprintOf(cached, create) {
    const known = cached.fingerprint;
    if (known) {
      const { scope: reach } = known.value;
      const parent = reach.parentNode;
      const changed = Math.max(
        cachedOf(reach)?.touched ?? Infinity,
        parent ? childrenChangedAt(parent) : Infinity,
      );
      if (changed <= known.at) return known.value;
    }
    const fingerprint = create(cached.element);
    cached.fingerprint = { value: fingerprint, at: time };
    return fingerprint;
  },
  beginWalk() {
    walkNumber++;
    return now();
  },
  now,
  takeChangedElements() {
    const found = changedElements.size > MAX_CHANGED_ELEMENTS ? undefined : changedElements;
    changedElements = new Set();
    return found;
  },
  get forgotten() {
    return forgotten;
  },
  childrenChangedAt,
  movedAt: () => movedAt,
  watch(roots) {
    changes = 0;
    for (const root of [document, ...roots]) {
      if (watched.has(root)) continue;
      watched.add(root);
      observer.observe(root, OBSERVED);
    }
  },
  forget,
};
