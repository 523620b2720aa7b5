/**
 * What changed on a page since its caller was told last, in short: as lines, and what came to be read. Pure.
 *
 * Neighbours: `delta.ts` says the same of two analyses to the letter, `line.ts` writes lines; acts answer this.
 */
import type { HighlightedElement, PageAnalysis } from "./analysis.ts";
import { elementLine } from "./line.ts";

/** What a caller was told of a page. */
export interface ToldPage {
  readonly elements: ReadonlyMap<number, HighlightedElement>;
  readonly texts: ReadonlySet<string>;
}

export interface PageChange {
  /** Elements that came or read otherwise now, and those that went. */
  readonly changed: number;
  /** As in `clickableElementsString`; `*` before what came. */
  readonly lines?: string;
  readonly removed?: readonly number[];
  /** Indices of what something lies over now, and nothing more: `3-9, 12`. */
  readonly covered?: string;
  /** Of what nothing lies over any more. */
  readonly uncovered?: string;
  /** Texts that came, beside those of elements. */
  readonly said?: readonly string[];
  /** Changes that found no room here. */
  readonly more?: number;
  /** It was not looked for: a page of so many elements is not looked at with every act. An analysis tells. */
  readonly untold?: true;
}

export interface Told {
  readonly change: PageChange;
  /** Whose lines are in it. */
  readonly told: readonly HighlightedElement[];
  /** That are covered now, or not any more. */
  readonly noted: readonly HighlightedElement[];
  readonly removed: readonly number[];
  readonly said: readonly string[];
}

const SAID_MOST = 200;

const lengthOf = (text: string): number => Math.min(text.length, SAID_MOST) + 3;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

interface Line {
  readonly element: HighlightedElement;
  readonly text: string;
  readonly came: boolean;
}

function plain({ new: _, ...element }: HighlightedElement): HighlightedElement {
  return element;
}

/** @param most characters of it all, more or less */
export function changeSince(before: ToldPage, now: PageAnalysis, most: number): Told {
  /**
   * Without what stands around it, which tells which one it is: who is told that anew would mean another one by the same
   * index.
   */
  const lineOf = ({ around: _, covered: __, ...element }: HighlightedElement): string =>
    elementLine(plain(element), now.url);
  const there = new Set<number>();
  const lines: Line[] = [];
  const covered: HighlightedElement[] = [];
  const uncovered: HighlightedElement[] = [];
  for (const element of now.elements) {
    const { highlight_index: index } = element;
    there.add(index);
    const then = before.elements.get(index);
    if (then === element) continue;
    const text = elementLine(plain(element), now.url);
    if (!then) lines.push({ element, text: `*${text}`, came: true });
    else if (lineOf(then) !== lineOf(element)) lines.push({ element, text, came: false });
    else if (then.covered === undefined && element.covered !== undefined) covered.push(element);
    else if (then.covered !== undefined && element.covered === undefined) uncovered.push(element);
  }
  // Of many elements that changed not all are told, but what the page says to it is.
  const kept = Math.min(
    most / 4,
    sum(now.texts.map(({ text }) => (before.texts.has(text) ? 0 : lengthOf(text)))),
  );
  const [under, free] = [rangesOf(covered), rangesOf(uncovered)];
  let left = most - kept - under.length - free.length;
  const chosen = new Set<Line>();
  // What came first: it is what an act was done for.
  for (const line of lines.toSorted((one, other) => Number(other.came) - Number(one.came))) {
    left -= line.text.length + 1;
    if (left >= 0) chosen.add(line);
  }
  const gone = [...before.elements.keys()].filter((index) => !there.has(index));
  const removed = gone.slice(0, Math.max(0, Math.floor(left / 5)));
  left -= 5 * removed.length;
  const said: string[] = [];
  let unsaid = 0;
  left = Math.max(left, 0) + kept;
  for (const { text } of now.texts) {
    if (before.texts.has(text) || said.includes(text)) continue;
    left -= lengthOf(text);
    if (left < 0) unsaid++;
    else said.push(text);
  }
  const changed = lines.length;
  const told = lines.filter((line) => chosen.has(line));
  const more = changed - told.length + (gone.length - removed.length) + unsaid;
  return {
    change: {
      changed: changed + covered.length + uncovered.length + gone.length,
      ...(told.length > 0 ? { lines: told.map(({ text }) => text).join("\n") } : {}),
      ...(removed.length > 0 ? { removed } : {}),
      ...(under === "" ? {} : { covered: under }),
      ...(free === "" ? {} : { uncovered: free }),
      ...(said.length > 0 ? { said: said.map((text) => text.slice(0, SAID_MOST)) } : {}),
      ...(more > 0 ? { more } : {}),
    },
    told: told.map(({ element }) => element),
    noted: [...covered, ...uncovered],
    removed,
    said,
  };
}

/** Indices that follow each other as one: `3-9, 12`. */
function rangesOf(elements: readonly HighlightedElement[]): string {
  const ranges: [number, number][] = [];
  for (const index of elements.map((one) => one.highlight_index).toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
