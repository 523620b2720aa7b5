/**
 * Which element of now is the one that was meant then: by all that it was known by, or not at all. Pure.
 *
 * Neighbours: `candidates.ts` scores what an element says of itself, `recording.ts` keeps fingerprints.
 */
import type { HighlightedElement } from "./analysis.ts";
import { type Candidate, likeness, words } from "./candidates.ts";
import { elementLine, nameOf } from "./line.ts";

/** What tells an element in the page itself: its own words and names, and those of its row, card or form. */
export interface Words {
  readonly own: string;
  readonly around: string;
}

/** By what an element is known again, on this page or on another version of it. */
export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  readonly text: string;
  readonly tag: string;
  readonly type: string;
  readonly interaction: HighlightedElement["interactionType"];
  readonly attributes: Readonly<Record<string, string>>;
  /** Through shadow roots. */
  readonly selector: string;
  /** Selectors of the frames that lead to it. */
  readonly frame: readonly string[];
  readonly words: Words | null;
  /** No other on its page had its name. */
  readonly alone: boolean;
}

/** Attributes that change with every state or build. */
const FICKLE = /^(class|style|value|aria-(expanded|selected|checked|pressed|current)|tabindex)$/;

/** @param page all that was shown with it */
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
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !FICKLE.test(name))),
    selector,
    frame,
    words: said ?? null,
    alone: page.filter((one) => one.tagName === tagName && nameOf(one) === nameOf(element)).length <= 1,
  };
}

/** An element that may be it. */
export interface Possible {
  readonly element: HighlightedElement;
  readonly words: Words | undefined;
}

export type Binding =
  /** `by` identity: the same in every word, its own and around it. */
  | { readonly index: number; readonly score: number; readonly by: "identity" | "score" }
  | { readonly candidates: readonly Candidate[] };

/** So many that look most alike are held against it in the page. */
export const POSSIBLE = 12;
/** Below this it is not bound to … */
const SURE = 0.68;
/** … nor unless the next is so far behind. */
const AHEAD = 0.12;
/** What it is called may differ by a word of several. */
const NAMED = 0.75;
/** Of what is around it so much is there, if there was anything. */
const SURROUNDED = 0.6;
/** Weight of what is around it. */
const AROUND = 0.4;
const TOLD = 5;
const LEAST = 0.3;

/** The likeliest, by what they say of themselves. */
export function possible(
  wanted: Fingerprint,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  return elements
    .map((element) => ({ element, score: ownScore(wanted, element) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, POSSIBLE)
    .map(({ element }) => element);
}

function ownScore(wanted: Fingerprint, now: HighlightedElement): number {
  const told = Object.entries(wanted.attributes);
  const kept = told.filter(([name, value]) => now.attributes[name] === value).length;
  return (
    0.1 * Number(wanted.tag === now.tagName) +
    0.1 * Number(wanted.interaction === now.interactionType) +
    0.45 * likeness(wanted.name, nameOf(now)) +
    0.2 * (told.length === 0 ? 0.5 : kept / told.length) +
    0.1 * Number(wanted.selector === now.selector) +
    0.05 * Number(wanted.frame.join() === now.frame.join())
  );
}

export function bind(wanted: Fingerprint, possibles: readonly Possible[], pageUrl: string): Binding {
  const before = wanted.words;
  const scored = possibles
    .map(({ element, words: now }) => {
      const own = ownScore(wanted, element);
      const around = before && now && before.around !== "" ? likeness(before.around, now.around) : own;
      return { element, now, score: (1 - AROUND) * own + AROUND * around };
    })
    .toSorted((one, other) => other.score - one.score);
  const same = before
    ? scored.filter(({ now }) => now?.own === before.own && now.around === before.around)
    : [];
  // Twins that nothing tells apart but their place: the one in that place is what it was.
  const [only] = same.length > 1 ? same.filter(({ element }) => isInPlace(wanted, element)) : same;
  if (only) return { index: only.element.highlight_index, score: 1, by: "identity" };
  const [best, next] = scored;
  const sure =
    best !== undefined &&
    same.length === 0 &&
    best.score >= SURE &&
    best.score - (next?.score ?? 0) >= AHEAD &&
    isMeant(wanted, best.element, best.now);
  if (sure) return { index: best.element.highlight_index, score: round(best.score), by: "score" };
  return {
    candidates: scored.slice(0, TOLD).map(({ element, score }) => ({
      highlight_index: element.highlight_index,
      score: round(score),
      line: elementLine(element, pageUrl),
    })),
  };
}

/**
 * It is called so, whatever it is alike otherwise; of what many are called, it is in the same row or card; and of the
 * numbers around it, which tell one order or account from another, none is missing.
 */
function isMeant(wanted: Fingerprint, now: HighlightedElement, said: Words | undefined): boolean {
  if (likeness(wanted.name, nameOf(now)) < NAMED) return false;
  const around = wanted.words?.around ?? "";
  if (!wanted.alone && (around === "" || around !== said?.around)) return false;
  if (around !== "" && likeness(around, said?.around ?? "") < SURROUNDED) return false;
  const there = words(said?.around ?? "");
  return [...words(around)].every((word) => !/\d/.test(word) || there.has(word));
}

const isInPlace = ({ selector, frame }: Fingerprint, now: HighlightedElement): boolean =>
  selector === now.selector && frame.join() === now.frame.join();

const round = (score: number): number => Math.round(score * 100) / 100;
