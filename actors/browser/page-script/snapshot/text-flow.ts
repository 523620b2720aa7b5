/**
 * In the page: how texts follow each other as they are read: "Je" and "an" as one word where only markup is between
 * them, words of two badges apart, those of two blocks on two lines.
 *
 * Markup says where words end in some elements (blocks), styles in others, which are asked only where two texts meet
 * without a blank. Sent as its own source. Neighbours: `walker.ts` reads, `readings.ts` asks for styles.
 */
import type { CachedElement } from "./cached-element.ts";
import type { RawText } from "./raw-snapshot.ts";
import { renderingCache } from "./rendering-cache.ts";

/** Gathers text from what is inside, up to a length. */
export interface TextCollector {
  text: string;
  readonly maxLength: number;
  /** Lines stay lines. */
  readonly lines?: boolean;
  /** For icons, and what else names nothing: it is called so where it says nothing else. */
  readonly fallbackText?: TextCollector;
  /** Of the picture that it begins with. */
  alt?: string;
}

/** A text, and what is between it and the one that was read before it. */
export interface Words {
  readonly text: string;
  readonly separator: string;
  /** It begins a line. */
  readonly startsLine: boolean;
}

/** How it stood before an element. */
export interface FlowMark {
  readonly drawn: number;
  readonly space: string;
  readonly edges: number;
}

/** Words, and how many elements come before them. */
export interface Line<Element> extends Words {
  readonly at: number;
  readonly level: number;
  /** What they stand in. */
  readonly of: Element | undefined;
}

export interface TextFlow {
  /** Before each walk. */
  begin(): void;
  /**
   * An element begins.
   * @param hollow it is nothing by itself: with nothing in it, it leaves no trace
   */
  enter(cached: CachedElement, hollow: boolean): FlowMark | undefined;
  /** It ends; `mark` is what its beginning answered. */
  leave(cached: CachedElement, mark: FlowMark | undefined): void;
  /** A line ends. */
  end(): void;
  /** Something is drawn there that is not read. */
  separate(): void;
  /**
   * Takes a text as read; `undefined` for a mere blank. What it answers is good until the next.
   * @param lined it matters whether it begins a line
   */
  read(text: string, lined: boolean): Words | undefined;
  /** @param aside it is no part of a name: an icon, or what is only to be looked at */
  add(collectors: readonly TextCollector[], words: Words, aside: boolean): void;
  addAlt(collectors: readonly TextCollector[], alt: string): void;
  /** What was gathered, without the words of a picture that stand beside it as well. */
  collected(collector: TextCollector): string;
  /** For a number of drafts, how many of them were kept. */
  countsBefore(drafts: readonly { readonly dropped: boolean }[]): (at: number) => number;
  /** One for each line of a block, of those that are not told with something else. */
  linesOf<Element>(
    read: readonly Line<Element>[],
    isTold: (of: Element | undefined) => boolean,
    before: (at: number) => number,
  ): readonly RawText[];
}

/** In a line as a word of its own. */
const APART = new Set("img svg input select textarea button canvas video audio picture object".split(" "));
/** The last code of what counts as blank wherever a text is read. */
const BLANK = 160;
const INLINE = /^(inline|ruby)/;
let block = true;
let space = "";
let edges: CachedElement[] = [];
const read = { text: "", separator: "", startsLine: false };
/** Elements so far that are something by themselves. */
let drawn = 0;

const apart = (): void => {
  if (space === "") space = " ";
};

const addEdge = (cached: CachedElement): void => {
  if (block) return;
  if (cached.flows) edges.push(cached);
  else if (APART.has(cached.tag)) apart();
  else block = true;
};

const add = (collectors: readonly TextCollector[], { text, separator }: Words, aside: boolean): void => {
  for (const one of collectors) {
    const collector = (aside ? one.fallbackText : undefined) ?? one;
    if (collector.text.length >= collector.maxLength) continue;
    if (collector.text === "" || separator === "") collector.text += text;
    else collector.text += `${collector.lines ? separator : " "}${text}`;
  }
  if (aside) apart();
};

export const textFlow: TextFlow = {
  begin() {
    block = true;
    space = "";
    edges = [];
  },

  enter(cached, hollow) {
    const mark = hollow && !block ? { drawn, space, edges: edges.length } : undefined;
    if (!hollow) drawn++;
    addEdge(cached);
    return mark;
  },

  leave(cached, mark) {
    addEdge(cached);
    if (mark?.drawn !== drawn) return;
    block = false;
    space = mark.space;
    edges.length = mark.edges;
  },

  end() {
    drawn++;
    block = true;
  },

  separate: apart,

  read(text, lined) {
    // Mostly there is no blank at its ends.
    const bare = text.charCodeAt(0) > BLANK && text.charCodeAt(text.length - 1) > BLANK;
    const words = bare ? text : text.trim();
    if (words === "") {
      space += text;
      return undefined;
    }
    const from = bare ? 0 : text.indexOf(words);
    if (from > 0) space += text.slice(0, from);
    for (const cached of edges) {
      if (block || (space !== "" && !lined)) break;
      const display = renderingCache.display(cached);
      if (display === "contents") continue;
      if (!INLINE.test(display)) block = true;
      else if (space === "" && (display !== "inline" || renderingCache.isPadded(cached))) apart();
    }
    read.text = words;
    read.separator = block ? "\n" : space;
    read.startsLine = block;
    block = false;
    space = bare ? "" : text.slice(from + words.length);
    if (edges.length > 0) edges = [];
    return read;
  },

  add,

  addAlt(collectors, alt) {
    if (alt === "") return;
    for (const collector of collectors) if (collector.text === "") collector.alt = alt;
    add(collectors, { text: alt, separator: " ", startsLine: false }, false);
    apart();
  },

  collected({ text, alt = "" }) {
    const rest = alt === "" ? "" : text.slice(alt.length + 1);
    return rest.includes(alt) && rest !== "" ? rest : text;
  },

  countsBefore(drafts) {
    const counts = [0];
    for (const { dropped } of drafts) counts.push((counts.at(-1) ?? 0) + (dropped ? 0 : 1));
    return (at) => counts[at] ?? 0;
  },

  linesOf(read, isTold, before) {
    const lines: { at: number; text: string; readonly level: number }[] = [];
    let follows = false;
    for (const { of, at, text, level, separator, startsLine } of read) {
      if (isTold(of)) {
        follows = false;
        continue;
      }
      const line = follows && !startsLine ? lines.at(-1) : undefined;
      const place = before(at);
      if (line?.at === place && line.level === level) line.text += separator + text;
      else lines.push({ at: place, text, level });
      follows = true;
    }
    return lines;
  },
};
