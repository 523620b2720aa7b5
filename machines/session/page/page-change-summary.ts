/** Summarises how a page changed since the caller last saw it: changed element lines and new texts. */

import { elementLine } from "./element-line.ts";
import type { HighlightedElement, PageAnalysis } from "./page-snapshot.ts";

/** The elements and texts of the page that the caller has already received. */
export interface SeenPage {
  readonly elements: ReadonlyMap<number, HighlightedElement>;
  readonly texts: ReadonlySet<string>;
}

export interface PageChange {
  /** Total number of new, changed and removed elements on the page. */
  readonly changed: number;
  /** Lines of changed elements, as in `clickableElementsString`: `[3]<a>Orders</a>`, and `*[7]<a>New</a>` for a new one. */
  readonly lines?: string;
  readonly removed?: readonly number[];
  /** Indices of elements that are now covered and otherwise unchanged: `3-9, 12`. */
  readonly covered?: string;
  /** Indices of elements that were covered by others and are now uncovered. */
  readonly uncovered?: string;
  /** New texts on the page that belong to no listed element. */
  readonly said?: readonly string[];
  /** Number of changes that the report omits to stay short. */
  readonly more?: number;
  /**
   * True if the page has too many elements for a comparison after every action. The caller must request a
   * snapshot to see what changed.
   */
  readonly untold?: true;
}

export interface ReportedChange {
  readonly change: PageChange;
  /** The new and changed elements in the report, as far as they fit into it. */
  readonly elements: readonly HighlightedElement[];
  /** Elements that the report lists only because they are now covered or uncovered. */
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

/**
 * Reports what has changed on a page since the caller last received it.
 *
 * @param most maximum length of the report in characters, approximately
 */
export function changeSince(before: SeenPage, now: PageAnalysis, most: number): ReportedChange {
  /**
   * Returns an element's line without the parts that may change although the element stays the same: the
   * words around it, and "covered".
   */
  const lineOf = ({ around: _, row: ___, covered: __, ...element }: HighlightedElement): string =>
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
  // A part of the report (a quarter at most) is reserved for new texts outside of elements. Without it, many changed
  // elements could fill the whole report.
  const kept = Math.min(
    most / 4,
    sum(now.texts.map(({ text, isInert }) => (isInert || before.texts.has(text) ? 0 : lengthOf(text)))),
  );
  const [under, free] = [rangesOf(covered), rangesOf(uncovered)];
  let left = most - kept - under.length - free.length;
  const chosen = new Set<Line>();
  // New elements come first, because most actions are done to make new elements appear.
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
  for (const { text, isInert } of now.texts) {
    // The element line of an inert control already contains the control's text, so the text is not reported
    // again.
    if (isInert || before.texts.has(text) || said.includes(text)) continue;
    left -= lengthOf(text);
    if (left < 0) unsaid++;
    else said.push(text);
  }
  const changed = lines.length;
  const shown = lines.filter((line) => chosen.has(line));
  const more = changed - shown.length + (gone.length - removed.length) + unsaid;
  return {
    change: {
      changed: changed + covered.length + uncovered.length + gone.length,
      ...(shown.length > 0 ? { lines: shown.map(({ text }) => text).join("\n") } : {}),
      ...(removed.length > 0 ? { removed } : {}),
      ...(under === "" ? {} : { covered: under }),
      ...(free === "" ? {} : { uncovered: free }),
      ...(said.length > 0 ? { said: said.map((text) => text.slice(0, SAID_MOST)) } : {}),
      ...(more > 0 ? { more } : {}),
    },
    elements: shown.map(({ element }) => element),
    noted: [...covered, ...uncovered],
    removed,
    said,
  };
}

/** Writes consecutive indices as ranges: `3-9, 12`. */
function rangesOf(elements: readonly HighlightedElement[]): string {
  const ranges: [number, number][] = [];
  for (const index of elements.map((one) => one.highlight_index).toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
