/**
 * Joins the texts of a page as a person reads them: inline markup does not split a word, badges separate
 * words, and blocks separate lines. Usually the tags decide which case applies. Styles are read only where
 * two texts meet without white space.
 */
import type { CachedElement } from "./element-cache-entry.ts";
import type { RawText } from "./raw-frame-snapshot.ts";
import * as renderingCache from "./style-and-box-cache.ts";
import type { PreparedText } from "./words-and-white-space-of-text.ts";

/** Receives the texts inside an element, up to a maximum length. */
export interface TextCollector {
  text: string;
  readonly maxLength: number;
  /** Whether line breaks are collected too. */
  readonly lines?: boolean;
  /**
   * Collects the text of icons and decoration separately. It becomes the element's name only if the element
   * has no other text.
   */
  readonly fallbackText?: TextCollector;
  /** The alternative text of an image with which the element begins. */
  alt?: string;
}

/** A text of the page with the white space before it. */
export interface Words {
  readonly text: string;
  readonly separator: string;
  readonly startsLine: boolean;
}

/**
 * The state of the text collection before an element. If the element contains nothing visible, this state is
 * restored, because invisible elements separate no words.
 */
export interface FlowMark {
  readonly visibleCount: number;
  readonly space: string;
  readonly edges: number;
}

/** A line of text. `at` is the number of reported elements before it in the snapshot. */
export interface Line<Element> extends Words {
  readonly at: number;
  readonly level: number;
  /** The interactive element that contains the text; `undefined` for a text outside of such elements. */
  readonly of: Element | undefined;
  /** Whether the text belongs to a control that is inert because a modal dialog is open. */
  readonly isInert: boolean;
}

/** Tags of inline elements that separate the words before and after them. */
const SEPARATING = new Set(
  "img svg input select textarea button canvas video audio picture object".split(" "),
);
let block = true;
let space = "";
/**
 * Inline elements that begin or end between the last text and the next one. Only the first `edgeCount` entries
 * count. The list is used again for each text, because a new list for each text takes time.
 */
let edges: CachedElement[] = [];
let edgeCount = 0;
const lastWords = { text: "", separator: "", startsLine: false };
/**
 * Number of visible things (elements and line ends) so far in this traversal of the document. An element was
 * empty if the number is the same when the traversal enters and leaves it.
 */
let visibleCount = 0;

/** Separates the texts before and after a visible element without text, such as an image. */
export const separate = (): void => {
  if (space === "") space = " ";
};

const addEdge = (cached: CachedElement): void => {
  if (block) return;
  if (cached.flows) edges[edgeCount++] = cached;
  else if (SEPARATING.has(cached.tag)) separate();
  else block = true;
};

/**
 * Adds the next text of the traversal of the document to all collectors.
 *
 * @param aside whether the text is an icon or decoration, and no part of a name
 */
export const add = (
  collectors: readonly TextCollector[],
  { text, separator }: Words,
  aside: boolean,
): void => {
  for (const item of collectors) {
    const collector = (aside ? item.fallbackText : undefined) ?? item;
    if (collector.text.length >= collector.maxLength) continue;
    if (collector.text === "" || separator === "") collector.text += text;
    else collector.text += `${collector.lines ? separator : " "}${text}`;
  }
  if (aside) separate();
};

/** Must be called before each traversal of the document. Discards the state of the previous traversal. */
export function begin(): void {
  block = true;
  space = "";
  edges = [];
  edgeCount = 0;
}

/**
 * Must be called when the traversal of the document enters an element.
 *
 * @param hollow whether the element itself shows nothing. If its descendants show nothing either, `leave`
 * treats the element as absent.
 */
export function enter(cached: CachedElement, hollow: boolean): FlowMark | undefined {
  const mark = hollow && !block ? { visibleCount, space, edges: edgeCount } : undefined;
  if (!hollow) visibleCount++;
  addEdge(cached);
  return mark;
}

/**
 * Must be called when the traversal of the document leaves an element. If nothing in the element was
 * visible, the element then no longer separates the words before and after it.
 *
 * @param mark the value that `enter` returned for this element
 */
export function leave(cached: CachedElement, mark: FlowMark | undefined): void {
  addEdge(cached);
  if (mark?.visibleCount !== visibleCount) return;
  block = false;
  space = mark.space;
  edgeCount = mark.edges;
}

/** Ends the current line, so that the next text begins a new one. */
export function end(): void {
  visibleCount++;
  block = true;
}

/**
 * Returns a text of the document without the white space at its ends, and the white space that separates it
 * from the previous text. Returns `undefined` when the text is only white space. The next call reuses the
 * returned object.
 *
 * @param lined whether the caller needs the field `startsLine` of the result
 */
export function read({ words, before, after }: PreparedText, lined: boolean): Words | undefined {
  if (before !== "") space += before;
  if (words === "") return undefined;
  for (let at = 0; at < edgeCount; at++) {
    const cached = edges[at];
    if (!cached || block || (space !== "" && !lined)) break;
    const flow = renderingCache.flow(cached);
    if (flow === "none") continue;
    if (flow === "line") block = true;
    else if (space === "" && (flow === "word" || renderingCache.isPadded(cached))) separate();
  }
  lastWords.text = words;
  lastWords.separator = block ? "\n" : space;
  lastWords.startsLine = block;
  block = false;
  space = after;
  edgeCount = 0;
  return lastWords;
}

/** Adds the alternative text of an image to the collected texts of the elements around it. */
export function addAlt(collectors: readonly TextCollector[], alt: string): void {
  if (alt === "") return;
  for (const collector of collectors) if (collector.text === "") collector.alt = alt;
  add(collectors, { text: alt, separator: " ", startsLine: false }, false);
  separate();
}

/**
 * Returns the collected text. The alternative text of an image is left out if the rest of the text contains
 * it too.
 */
export function collected({ text, alt = "" }: TextCollector): string {
  const rest = alt === "" ? "" : text.slice(alt.length + 1);
  return rest.includes(alt) && rest !== "" ? rest : text;
}

/**
 * Returns a function that takes an index in `candidates` (elements that the snapshot may report). The
 * function returns how many earlier candidates the snapshot reports, which are those that are not dropped.
 */
export function countsBefore(candidates: readonly { readonly dropped: boolean }[]): (at: number) => number {
  const counts = [0];
  for (const { dropped } of candidates) counts.push((counts.at(-1) ?? 0) + (dropped ? 0 : 1));
  return (at) => counts[at] ?? 0;
}

/**
 * Returns the texts of the page, one for each line. A text is left out when it is reported as the text of an
 * element.
 */
export function linesOf<Element>(
  read: readonly Line<Element>[],
  isReported: (of: Element | undefined) => boolean,
  before: (at: number) => number,
): readonly RawText[] {
  const lines: { at: number; text: string; readonly level: number; isInert: boolean }[] = [];
  let follows = false;
  for (const { of, at, text, level, separator, startsLine, isInert } of read) {
    if (isReported(of)) {
      follows = false;
      continue;
    }
    const line = follows && !startsLine ? lines.at(-1) : undefined;
    const place = before(at);
    if (line?.at === place && line.level === level) {
      line.text += separator + text;
      line.isInert &&= isInert;
    } else lines.push({ at: place, text, level, isInert });
    follows = true;
  }
  return lines.map(({ at, text, level, isInert }) =>
    isInert ? { at, text, level, isInert } : { at, text, level },
  );
}
