/** Decides which element of the current page a fingerprint describes, if any. */

import { elementLine, nameOf } from "../page/element-line.ts";
import type { HighlightedElement } from "../page/page-snapshot.ts";
import { type Candidate, similarity, words } from "./candidates-for-stale-index.ts";

/** Words that identify an element on its page: its own names, and the words of its row, card or form. */
export interface Words {
  readonly own: string;
  readonly around: string;
}

/** The properties of an element by which it is recognised later, even if its page has changed. */
export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  readonly text: string;
  readonly tag: string;
  readonly type: string;
  readonly interaction: HighlightedElement["interactionType"];
  readonly attributes: Readonly<Record<string, string>>;
  /** A CSS selector that finds the element, also in shadow roots. */
  readonly selector: string;
  /** Selectors of the frames that contain the element. */
  readonly frame: readonly string[];
  readonly words: Words | null;
  /** Whether the element's name was unique on its page. */
  readonly alone: boolean;
}

/** Attributes that change with the state of the page or with every build of the page's scripts. */
const VOLATILE_ATTRIBUTES = /^(class|style|value|aria-(expanded|selected|checked|pressed|current)|tabindex)$/;

/**
 * Returns the properties by which an element is recognised later.
 *
 * @param page all elements of the snapshot that contains the element
 * @param said the words around the element, if they are known
 */
export function fingerprintOf(
  element: HighlightedElement,
  page: readonly HighlightedElement[],
  said: Words | undefined,
): Fingerprint {
  const { role, textContent, tagName, type, interactionType, attributes, selector, frame } = element;
  return {
    role: role ?? tagName,
    name: nameOf(element),
    text: textContent ?? "",
    tag: tagName,
    type,
    interaction: interactionType,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(([name]) => !VOLATILE_ATTRIBUTES.test(name)),
    ),
    selector,
    frame,
    words: said ?? null,
    alone: page.filter((one) => one.tagName === tagName && nameOf(one) === nameOf(element)).length <= 1,
  };
}

/** An element of the current page that the fingerprint may describe. */
export interface BindingCandidate {
  readonly element: HighlightedElement;
  readonly words: Words | undefined;
}

export type Binding =
  /**
   * How the element was recognised. `identity`: all words of the element and of its context are equal.
   * `score`: it is the most similar element.
   */
  | { readonly index: number; readonly score: number; readonly by: "identity" | "score" }
  | { readonly candidates: readonly Candidate[] };

/**
 * The matched elements. The key is the path of the action's parameter for which the element was found, such as
 * `fields.0.index`.
 */
export type BoundElements = { readonly [path: string]: Extract<Binding, { index: number }> };

/**
 * The result of matching an action's fingerprints with elements. If all match, `bound` contains the element
 * of each fingerprint. Otherwise, `path` is the parameter of the first fingerprint without a certain match.
 */
export type Bindings =
  | { readonly bound: BoundElements }
  | { readonly path: string; readonly candidates: readonly Candidate[] };

/**
 * Maximum number of candidates whose surrounding words are read in the page: those with the best scores. A
 * candidate is an element that may be the described element.
 */
export const MAX_CANDIDATES = 12;
/**
 * The best candidate is accepted as the element that the fingerprint describes only if its score (0 to 1) is at
 * least this high.
 */
const MIN_SCORE = 0.68;
/**
 * Minimum difference between the scores of the best and the second-best candidate for an element. If the
 * difference is smaller, no candidate is accepted.
 */
const MIN_LEAD = 0.12;
/**
 * Minimum similarity (0 to 1) of a candidate's name to the recorded name. One of four words may differ, for
 * example.
 */
const MIN_NAME_SIMILARITY = 0.75;
/**
 * Minimum similarity (0 to 1) of the words around a candidate to the words that were recorded around the
 * element. A candidate with a lower similarity is rejected.
 */
const MIN_CONTEXT_SHARE = 0.6;
/**
 * Weight (0 to 1) of the words around an element in the score of a candidate. The element's own properties
 * have the weight 0.6.
 */
const CONTEXT_WEIGHT = 0.4;
const ATTRIBUTE_WEIGHT = 5;
const LEAST = 0.3;

/**
 * Returns the elements that are most similar to the fingerprint by their own properties. The words around
 * them are not compared here.
 */
export function bestCandidates(
  wanted: Fingerprint,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  return elements
    .map((element) => ({ element, score: ownScore(wanted, element) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ element }) => element);
}

function ownScore(wanted: Fingerprint, now: HighlightedElement): number {
  const attributes = Object.entries(wanted.attributes);
  const kept = attributes.filter(([name, value]) => now.attributes[name] === value).length;
  return (
    0.1 * Number(wanted.tag === now.tagName) +
    0.1 * Number(wanted.interaction === now.interactionType) +
    0.45 * similarity(wanted.name, nameOf(now)) +
    0.2 * (attributes.length === 0 ? 0.5 : kept / attributes.length) +
    0.1 * Number(wanted.selector === now.selector) +
    0.05 * Number(wanted.frame.join() === now.frame.join())
  );
}

export function bind(wanted: Fingerprint, possibles: readonly BindingCandidate[], pageUrl: string): Binding {
  const before = wanted.words;
  const scored = possibles
    .map(({ element, words: now }) => {
      const own = ownScore(wanted, element);
      const around = before && now && before.around !== "" ? similarity(before.around, now.around) : own;
      return { element, now, score: (1 - CONTEXT_WEIGHT) * own + CONTEXT_WEIGHT * around };
    })
    .toSorted((one, other) => other.score - one.score);
  const same = before
    ? scored.filter(({ now }) => now?.own === before.own && now.around === before.around)
    : [];
  // Several elements may be identical except for their position. The one at the recorded position is then
  // chosen.
  const [only] = same.length > 1 ? same.filter(({ element }) => isInPlace(wanted, element)) : same;
  if (only) return { index: only.element.highlight_index, score: 1, by: "identity" };
  const [best, next] = scored;
  const sure =
    best !== undefined &&
    same.length === 0 &&
    best.score >= MIN_SCORE &&
    best.score - (next?.score ?? 0) >= MIN_LEAD &&
    isMeant(wanted, best.element, best.now);
  if (sure) return { index: best.element.highlight_index, score: round(best.score), by: "score" };
  return {
    candidates: scored.slice(0, ATTRIBUTE_WEIGHT).map(({ element, score }) => ({
      highlight_index: element.highlight_index,
      score: round(score),
      line: elementLine(element, pageUrl),
    })),
  };
}

/**
 * Whether an element is the one that a fingerprint describes: its name, its row or card, and all numbers
 * around it must match. Numbers distinguish one order or account from another.
 */
function isMeant(wanted: Fingerprint, now: HighlightedElement, said: Words | undefined): boolean {
  if (similarity(wanted.name, nameOf(now)) < MIN_NAME_SIMILARITY) return false;
  const around = wanted.words?.around ?? "";
  if (!wanted.alone && (around === "" || around !== said?.around)) return false;
  if (around !== "" && similarity(around, said?.around ?? "") < MIN_CONTEXT_SHARE) return false;
  const there = words(said?.around ?? "");
  return [...words(around)].every((word) => !/\d/.test(word) || there.has(word));
}

const isInPlace = ({ selector, frame }: Fingerprint, now: HighlightedElement): boolean =>
  selector === now.selector && frame.join() === now.frame.join();

const round = (score: number): number => Math.round(score * 100) / 100;
