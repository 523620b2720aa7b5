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
  readonly removed: readonly number[];
  readonly said: readonly string[];
}

const SAID_MOST = 200;

const lengthOf = (text: string): number => Math.min(text.length, SAID_MOST) + 3;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** @param most characters of it all, more or less */
export function changeSince(before: ToldPage, now: PageAnalysis, most: number): Told {
  const there = new Set<number>();
  const lines: string[] = [];
  const told: HighlightedElement[] = [];
  // Of many elements that changed not all are told, but what the page says to it is.
  const kept = Math.min(
    most / 4,
    sum(now.texts.map(({ text }) => (before.texts.has(text) ? 0 : lengthOf(text)))),
  );
  let left = most - kept;
  let changed = 0;
  for (const element of now.elements) {
    const { highlight_index: index, new: _, ...plain } = element;
    there.add(index);
    const then = before.elements.get(index);
    if (then === element) continue;
    const line = elementLine({ ...plain, highlight_index: index }, now.url);
    if (then) {
      const { new: __, ...was } = then;
      if (elementLine(was, now.url) === line) continue;
    }
    changed++;
    left -= line.length + 2;
    if (left < 0) continue;
    lines.push(then ? line : `*${line}`);
    told.push(element);
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
  const more = changed - told.length + (gone.length - removed.length) + unsaid;
  return {
    change: {
      changed: changed + gone.length,
      ...(lines.length > 0 ? { lines: lines.join("\n") } : {}),
      ...(removed.length > 0 ? { removed } : {}),
      ...(said.length > 0 ? { said: said.map((text) => text.slice(0, SAID_MOST)) } : {}),
      ...(more > 0 ? { more } : {}),
    },
    told,
    removed,
    said,
  };
}
