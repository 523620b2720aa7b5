/**
 * Builds the answer of `analyze_page` from a snapshot. The answer may be filtered, it may contain only the
 * differences from an earlier snapshot, or it may be limited to a number of tokens. Within the limit, element
 * lines have priority, because models choose elements by them.
 */

import { nameOf } from "./element-line.ts";
import { lineOf } from "./element-line-cache.ts";
import { withPlaces } from "./headings-and-text-around-elements.ts";
import type {
  AnalysisData,
  AnalyzeOptions,
  AnalyzeRequest,
  HighlightedElement,
  LeftOut,
  PageAnalysis,
  PageText,
  Segment,
} from "./page-snapshot.ts";
import { changeBetween } from "./snapshot-delta.ts";
import { tokensOf } from "./token-estimate.ts";

/** Caches the text of each snapshot, because callers request it many times while the page does not change. */
const texts = new WeakMap<PageAnalysis, string>();

function textOfAll(analysis: PageAnalysis): string {
  const known = texts.get(analysis);
  if (known !== undefined) return known;
  const text = analysis.elements.map((element) => lineOf(element, analysis.url)).join("\n");
  texts.set(analysis, text);
  return text;
}

/**
 * Returns the elements of a snapshot that the options request, or their changes since an earlier snapshot.
 *
 * @param since snapshot with the revision `since_revision`, if it is still available
 */
export function answerOf(
  analysis: PageAnalysis,
  options: AnalyzeRequest,
  since: PageAnalysis | undefined,
): AnalysisData {
  const changed = since && since.document === analysis.document ? changeBetween(since, analysis) : undefined;
  // The changes since an earlier snapshot also contain the removed elements. If they cost more than half of
  // the token budget, the complete snapshot is returned instead.
  const most = options.max_tokens;
  const change = changed && (most === undefined || costOf(changed.part) <= most / 2) ? changed : undefined;
  const linesOnly = options.lines_only === true;
  const whole =
    !change && !options.viewport_only && options.segment === undefined && options.query === undefined;
  const candidates = !change
    ? analysis.elements
    : since && linesOnly
      ? withOtherLines(change.elements, since, analysis.url)
      : change.elements;
  const wanted = whole
    ? [...(options.with_places ? withPlaces(candidates, analysis.texts) : candidates)]
    : candidates.filter((element) => isWanted(element, analysis, options));
  const chosen = whole || change ? wanted : withRows(wanted);
  const segments = change && !change.part.segments_changed ? [] : [...analysis.segments];
  const data: AnalysisData = {
    segments,
    highlightedElements: chosen,
    totalElements: analysis.elements.length,
    clickableElementsString: whole
      ? textOfAll(analysis)
      : chosen.map((element) => lineOf(element, analysis.url)).join("\n"),
    revision: analysis.revision,
    url: analysis.url,
    title: analysis.title,
    scroll: analysis.scroll,
    // If a page has no elements, its text is included, because only the text shows what the page is, such as
    // an error.
    ...(options.include_text || (whole && analysis.elements.length === 0 && analysis.texts.length > 0)
      ? { text_content: textOf(analysis.texts) }
      : {}),
    ...(change ? { delta: change.part } : {}),
  };
  if (options.max_tokens !== undefined) return withinBudget(data, options.max_tokens, linesOnly);
  return linesOnly ? withoutRecords(data) : data;
}

/**
 * Returns the new elements, and those whose line of text has changed. An element that has only moved is left
 * out, because one inserted row moves many elements.
 */
function withOtherLines(
  elements: readonly HighlightedElement[],
  since: PageAnalysis,
  url: string,
): readonly HighlightedElement[] {
  const before = new Map(since.elements.map((element) => [element.highlight_index, element]));
  return elements.filter((element) => {
    const then = before.get(element.highlight_index);
    return !then || lineOf(element, url).replace(/^\*/, "") !== lineOf(then, since.url).replace(/^\*/, "");
  });
}

/**
 * If several elements have the same name, adds to each element the words of its own row. A filtered answer
 * may leave out the other elements of the row, which would show the difference.
 */
function withRows(elements: readonly HighlightedElement[]): HighlightedElement[] {
  const counts = Map.groupBy(elements, nameOf);
  return elements.map((element) => {
    const around = element.around ?? element.row;
    const isAlone = (counts.get(nameOf(element))?.length ?? 0) < 2;
    return isAlone || around === undefined ? element : { ...element, around, namesake: true };
  });
}

function withoutRecords(data: AnalysisData): AnalysisData {
  return { ...data, segments: [], highlightedElements: [] };
}

function isWanted(
  element: HighlightedElement,
  { segments }: PageAnalysis,
  { segment, viewport_only, query }: AnalyzeOptions,
): boolean {
  if (viewport_only && !element.in_viewport) return false;
  if (segment !== undefined && !isIn(element.segment, segment, segments)) return false;
  if (query === undefined) return true;
  const text = wordsOf(element);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns all texts of an element, in which the words of the parameter `query` are searched. */
function wordsOf(element: HighlightedElement): string {
  const { tagName, type, role, textContent, labelText, ariaLabel, placeholder, attributes } = element;
  const { around, icon, value, value_label } = element;
  const texts = [tagName, type, role, textContent, labelText, ariaLabel, placeholder, around, icon];
  texts.push(value, value_label);
  return [...texts, ...Object.values(attributes)].join("\n").toLowerCase();
}

/**
 * Whether the segment (region of the page) with the list index `at` is the wanted segment, or lies inside of
 * it. In the list, inner segments follow the outer segment and have a greater depth.
 */
function isIn(at: number | null, wanted: number | string, segments: readonly Segment[]): boolean {
  if (at === null) return false;
  for (let index = at, depth = Infinity; index >= 0; index--) {
    const segment = segments[index];
    if (!segment || segment.depth >= depth) continue;
    depth = segment.depth;
    if (segment.index === wanted || segment.selector === wanted || segment.type === wanted) return true;
  }
  return false;
}

function textOf(texts: readonly PageText[]): string {
  return texts.map(({ text, level }) => (level > 0 ? `${"#".repeat(level)} ${text}` : text)).join("\n");
}

/** Rank of an element, if the size of the answer is limited. Elements with a low rank are included first. */
function rank(element: HighlightedElement): number {
  return (element.covered === undefined ? 0 : 4) + (element.in_viewport ? 0 : 2) + (element.disabled ? 1 : 0);
}

/** Returns the first items of a list. Together, they may not cost more tokens than the budget. */
function fittingItems<Item>(
  items: readonly Item[],
  cost: (item: Item) => number,
  budget: number,
): readonly Item[] {
  let left = budget;
  const kept: Item[] = [];
  for (const item of items) {
    left -= cost(item);
    if (left < 0) break;
    kept.push(item);
  }
  return kept;
}

/**
 * Adds elements that the answer does not contain yet, as far as the token budget allows.
 *
 * @param elements the elements that were left out of the answer
 */
export function withLeftOut(
  data: AnalysisData,
  elements: readonly LeftOut[],
  more: number,
  budget: number | undefined,
): AnalysisData {
  if (budget === undefined) return { ...data, left_out: { elements: [...elements], more } };
  const none = { ...data, left_out: { elements: [], more: more + elements.length } };
  const left = budget - costOf(none);
  if (left < 0) return data;
  const shown = fittingItems(elements, costOf, left);
  return { ...data, left_out: { elements: [...shown], more: more + elements.length - shown.length } };
}

const costOf = (value: unknown): number => tokensOf(JSON.stringify(value)) + 1;

function withinBudget(data: AnalysisData, budget: number, linesOnly: boolean): AnalysisData {
  const whole = linesOnly ? withoutRecords(data) : data;
  if (costOf(whole) <= budget) return whole;
  const { highlightedElements: elements, url, text_content } = data;
  const { segments } = whole;
  const counts = {
    elements: elements.length,
    details: linesOnly ? 0 : elements.length,
    segments: segments.length,
  };
  const bare: AnalysisData = {
    ...data,
    url: url.slice(0, 120),
    title: data.title.slice(0, 100),
    segments: [],
    highlightedElements: [],
    clickableElementsString: "",
    omitted: counts,
  };
  delete bare.text_content;
  let left = budget - costOf(bare);
  const position = new Map(elements.map((element, at) => [element, at]));
  const lines = new Map(elements.map((element) => [element, lineOf(element, url)]));
  const lineCost = (element: HighlightedElement): number => costOf(lines.get(element) ?? "") + 1;
  const ranked = elements.toSorted(
    (one, other) => rank(one) - rank(other) || (position.get(one) ?? 0) - (position.get(other) ?? 0),
  );
  const fitting = fittingItems(ranked, lineCost, left);
  left -= fitting.reduce((sum, element) => sum + lineCost(element), 0);
  const shownSegments = fittingItems(segments, costOf, left);
  left -= shownSegments.reduce((sum, segment) => sum + costOf(segment), 0);
  const detailed =
    !linesOnly && fitting.length === elements.length
      ? new Set(fittingItems(fitting, costOf, left))
      : new Set();
  left -= [...detailed].reduce<number>((sum, element) => sum + costOf(element), 0);
  const shown = new Set(fitting);
  const text =
    text_content === undefined ? undefined : fittingItems(text_content.split("\n"), costOf, left - 10);
  return {
    ...bare,
    segments: [...shownSegments],
    highlightedElements: elements.filter((element) => detailed.has(element)),
    clickableElementsString: elements
      .flatMap((element) => (shown.has(element) ? (lines.get(element) ?? []) : []))
      .join("\n"),
    ...(text && text.length > 0 ? { text_content: text.join("\n") } : {}),
    omitted: {
      elements: elements.length - fitting.length,
      details: linesOnly ? 0 : fitting.length - detailed.size,
      segments: segments.length - shownSegments.length,
    },
  };
}
