/**
 * Finds visible text, and checks whether a text or a selector is visible. White space is collapsed. A text
 * may span several inline elements, but not several blocks.
 */

import { registry } from "../page-script-document-state.ts";
import { collapseSpaces, comparable, VISIBLE } from "../shadow-dom.ts";
import type { RawBox } from "../snapshot/raw-frame-snapshot.ts";
import { describer, fingerprints, geometry } from "../world-bundle-modules-for-actions-bundle.ts";

export interface FoundText {
  /** The box of the text, relative to the top left corner of the document. */
  readonly box: RawBox;
  /** Text around the found text, so that a caller can distinguish several matches. */
  readonly context: string;
  readonly tag: string;
  /**
   * Number by which the page script finds the element with the text. If the last snapshot contains no such
   * element, it is the number of the text's parent element.
   */
  readonly id: number;
  /** The heading that precedes the found text in the document. */
  readonly heading: string;
}

export interface TextSearch {
  count(text: string): number;
  /** Whether the text is visible anywhere on the page, including in field values. */
  contains(text: string): boolean;
  isSelectorVisible(selector: string): boolean | "bad_selector";
  /**
   * Scrolls to one of the places at which the text is found.
   *
   * @param nth index of the place in document order, starting at 0
   */
  scrollTo(text: string, nth: number): FoundText | undefined;
}

interface Place {
  readonly node: Text;
  readonly offset: number;
}
interface Hit {
  readonly from: Place;
  readonly to: Place;
  readonly context: string;
  readonly heading: string;
}
/** Number of characters of context on each side of a match. */
const CONTEXT_LENGTH = 80;
/**
 * Maximum number of characters of an element's text, so that a text found in it is reported with this element. In
 * a longer element, the text is only one of several parts, so a click on the element might miss it.
 */
const MAX_ELEMENT_TEXT = 200;
/** Tags whose text is not visible, so that it is not searched. */
const UNREAD_TAGS = new Set(["script", "style", "noscript", "template", "head", "title"]);

const isInline = (element: Element): boolean => /^(inline|contents)/.test(getComputedStyle(element).display);

/**
 * Returns a text in lower case with the same length, so that all positions in it stay right. A few letters, such as "İ",
 * become two characters in lower case; they are kept.
 */
const lowerCase = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

const hits = (wanted: string): readonly Hit[] => {
  const needle = comparable(wanted);
  const found: Hit[] = [];
  let text = "";
  let places: Place[] = [];
  let heading = "";
  const flush = (): void => {
    const searched = lowerCase(text);
    for (let at = searched.indexOf(needle); at >= 0; at = searched.indexOf(needle, at + needle.length)) {
      const [from, to] = [places[at], places[at + needle.length - 1]];
      if (!from || !to) continue;
      const context = text
        .slice(Math.max(0, at - CONTEXT_LENGTH), at + needle.length + CONTEXT_LENGTH)
        .trim();
      found.push({ from, to, context, heading });
    }
    text = "";
    places = [];
  };
  const read = (node: Text): void => {
    for (let offset = 0; offset < node.data.length; offset++) {
      const blank = /\s/.test(node.data.charAt(offset));
      if (blank && (text === "" || text.endsWith(" "))) continue;
      text += blank ? " " : node.data.charAt(offset);
      places.push({ node, offset });
    }
  };
  const walk = (parent: Node): void => {
    for (const node of parent.childNodes) {
      if (node instanceof Text) read(node);
      if (!(node instanceof Element) || UNREAD_TAGS.has(node.localName)) continue;
      const isVisible = node.checkVisibility(VISIBLE);
      if (!isVisible && getComputedStyle(node).display === "none") continue;
      const block = !isInline(node) || node.localName === "br";
      if (block) flush();
      walkInto(node, isVisible);
      if (block) {
        flush();
        if (/^h[1-6]$/.test(node.localName)) heading = collapseSpaces(node.textContent ?? "");
      }
    }
  };
  const walkInto = (element: Element, isVisible: boolean): void => {
    const root = registry.rootOf(element);
    if (element instanceof HTMLSlotElement && element.assignedNodes().length > 0) {
      for (const node of element.assignedNodes()) {
        if (node instanceof Text && isVisible) read(node);
        else if (node instanceof Element) walkInto(node, node.checkVisibility(VISIBLE));
      }
    } else if (root) walk(root);
    else if (isVisible) walk(element);
    else for (const child of element.children) walkInto(child, child.checkVisibility(VISIBLE));
  };
  if (needle !== "" && document.body) walk(document.body);
  flush();
  return found;
};

const elementToReport = (element: Element): number => {
  for (let up: Element | null = element; up; up = registry.parentOf(up)) {
    if ((up.textContent ?? "").trim().length > MAX_ELEMENT_TEXT) break;
    if (fingerprints.get(registry.idOf(up))) return reported(up);
  }
  return reported(element);
};

/**
 * Returns the number by which the page script finds a reported element again. The element's fingerprint
 * (texts for recognition) is stored now, because a list may have reused the element for another row since an
 * earlier search.
 */
const reported = (element: Element): number => {
  const id = registry.idOf(element);
  fingerprints.setUnlisted(id, describer.fingerprints()(element));
  return id;
};

const holds = (field: Element, text: string): boolean =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
  field.value.includes(text) &&
  !registry.isSecret(field) &&
  field.checkVisibility(VISIBLE);

export const textSearch: TextSearch = {
  contains(text) {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
    if (document.body?.innerText.includes(text)) return true;
    return (
      [...document.querySelectorAll("input, textarea")].some((field) => holds(field, text)) ||
      hits(text).length > 0
    );
  },

  count: (text) => hits(text).length,

  isSelectorVisible(selector) {
    try {
      return [...document.querySelectorAll(selector)].some(
        (element) => element.checkVisibility(VISIBLE) && geometry.canScrollTo(element),
      );
    } catch {
      return "bad_selector";
    }
  },

  scrollTo(text, nth) {
    const hit = hits(text)[nth];
    if (!hit) return undefined;
    const range = document.createRange();
    range.setStart(hit.from.node, hit.from.offset);
    range.setEnd(hit.to.node, hit.to.offset + 1);
    const element = hit.from.node.parentElement ?? document.body;
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    // A text in a long paragraph may still be outside of the viewport after the paragraph was scrolled to the
    // middle. So the text itself is scrolled into view.
    const before = range.getBoundingClientRect();
    if (before.top < 0 || before.bottom > innerHeight)
      scrollBy({ top: before.top - innerHeight / 2, behavior: "instant" });
    const { left, top, width, height } = range.getBoundingClientRect();
    const box = [left + scrollX, top + scrollY, width, height].map(Math.round);
    const [x = 0, y = 0, w = 0, h = 0] = box;
    return {
      box: [x, y, w, h],
      context: hit.context,
      tag: element.localName,
      id: elementToReport(element),
      heading: hit.heading,
    };
  },
};
