/**
 * Ranks the elements to which a stale index (an index from an earlier state of the page) may have referred.
 * They are suggestions for the caller; Cairn never acts on them.
 */

import { elementLine, nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";

export interface Candidate {
  readonly highlight_index: number;
  /** Similarity (0 to 1) of this element to the element that the stale index meant. */
  readonly score: number;
  readonly line: string;
}

const MOST = 5;
/**
 * Minimum similarity (0 to 1) to the element of the stale index. Elements with a lower similarity are not
 * suggested to the caller.
 */
const MIN_SCORE = 0.3;

export const words = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().split(/\W+/u).filter(Boolean));

/** Dice's coefficient of two sets of words, from 0 to 1. */
export function similarity(one: string, other: string): number {
  if (one === other) return 1;
  const [a, b] = [words(one), words(other)];
  if (a.size + b.size === 0) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return (2 * both) / (a.size + b.size);
}

function scoreOf(then: HighlightedElement, now: HighlightedElement): number {
  const attributes = Object.entries(then.attributes).filter(([name]) => name !== "class");
  const kept = attributes.filter(([name, value]) => now.attributes[name] === value).length;
  return (
    0.2 * Number(then.tagName === now.tagName && then.interactionType === now.interactionType) +
    0.4 * similarity(nameOf(then), nameOf(now)) +
    0.2 * (attributes.length === 0 ? 0.5 : kept / attributes.length) +
    0.1 * Number(then.selector === now.selector) +
    0.1 * Number(then.frame.join() === now.frame.join() && then.segment === now.segment)
  );
}

export function candidatesFor(
  then: HighlightedElement | undefined,
  elements: readonly HighlightedElement[],
  pageUrl: string,
): readonly Candidate[] {
  if (!then) return [];
  return elements
    .map((now) => ({ now, score: scoreOf(then, now) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ now, score }) => ({
      highlight_index: now.highlight_index,
      score: Math.round(score * 100) / 100,
      line: elementLine(now, pageUrl),
    }));
}
