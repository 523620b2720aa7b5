/**
 * Computes the difference (delta) between two snapshots of one document, and applies it. A delta contains new
 * and changed elements completely. Applying deltas in order reproduces the newest snapshot exactly.
 */

import { elementLine } from "./element-line.ts";
import type { AnalysisData, DeltaPart, HighlightedElement, PageAnalysis } from "./page-snapshot.ts";

export interface Change {
  readonly part: DeltaPart;
  readonly elements: readonly HighlightedElement[];
}

const equal = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the element without its mark `new`. An element that only loses this mark then counts as unchanged.
 */
const unmarked = (element: HighlightedElement): HighlightedElement => {
  if (!element.new) return element;
  const { new: _, ...rest } = element;
  return rest;
};

export function changeBetween(before: PageAnalysis, after: PageAnalysis): Change {
  if (before === after) {
    const part = { since_revision: before.revision, removed: [], added: [], segments_changed: false };
    return { part, elements: [] };
  }
  const known = new Map(before.elements.map((element) => [element.highlight_index, element]));
  const there = new Set(after.elements.map(({ highlight_index }) => highlight_index));
  const removed = [...known.keys()].filter((index) => !there.has(index));
  const elements = after.elements.filter((element) => {
    const then = known.get(element.highlight_index);
    return !then || element.new || (then !== element && !equal(unmarked(then), unmarked(element)));
  });
  const added = after.elements.flatMap(({ highlight_index: index }) => (known.has(index) ? [] : [index]));
  // The receiver of a delta keeps the order of the known elements and adds new ones at the end. The delta
  // contains `order` only if this would give a wrong order.
  const order = after.elements.map(({ highlight_index }) => highlight_index);
  const gone = new Set(removed);
  const unordered = [...[...known.keys()].filter((index) => !gone.has(index)), ...added];
  return {
    part: {
      since_revision: before.revision,
      removed,
      added,
      ...(equal(order, unordered) ? {} : { order }),
      segments_changed: !equal(before.segments, after.segments),
    },
    elements,
  };
}

/**
 * Applies the delta in an answer to an earlier complete answer, and returns the new complete answer. Without
 * a delta, the answer itself is returned.
 *
 * Both answers must be requested without `segment`, `query`, `viewport_only` and `max_tokens`.
 */
export function applyDelta(before: AnalysisData, answer: AnalysisData): AnalysisData {
  const { delta, omitted: _, ...rest } = answer;
  if (!delta) return answer;
  // If both answers have the same revision, the page has not changed. So the earlier answer is returned, with
  // its marks of new elements.
  if (answer.revision === before.revision) return before;
  const gone = new Set(delta.removed);
  const elements = new Map<number, HighlightedElement>();
  for (const element of before.highlightedElements) {
    if (!gone.has(element.highlight_index)) elements.set(element.highlight_index, unmarked(element));
  }
  for (const element of answer.highlightedElements) elements.set(element.highlight_index, element);
  const order = delta.order ?? [...elements.keys()];
  const highlightedElements = order.flatMap((index) => elements.get(index) ?? []);
  return {
    ...rest,
    segments: delta.segments_changed ? answer.segments : before.segments,
    highlightedElements,
    clickableElementsString: highlightedElements
      .map((element) => elementLine(element, answer.url))
      .join("\n"),
  };
}
