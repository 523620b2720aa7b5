/**
 * Splits the text of a repeated block, such as a post, into pieces. The slot of a piece is the path of
 * elements from the block to the piece. In similar blocks, the pieces of one slot have the same role, such as
 * author or date.
 */
import { type DayOrder, type FoundDate, findDate } from "../../../machines/reading/date-in-text.ts";
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { collapse, isDeclaredHidden } from "../parse/visible-text-of-html-element.ts";
import { readDate } from "./page-date-parser.ts";
import { type Block, markOf } from "./repeated-blocks.ts";

export interface Piece {
  readonly text: string;
  /** The path of elements from the block to `element`. */
  readonly slot: string;
  readonly element: HtmlElement;
  readonly link: HtmlElement | undefined;
  readonly inHeading: boolean;
  /** Number of the line in the block that contains this text. */
  readonly line: number;
  /** The date in the text, as `YYYY-MM-DD`, followed by the time of day if the page shows one. */
  readonly date: string | undefined;
  /** The text directly before the date. */
  readonly before: string;
  /** Whether markup declares the date, such as a `time` element. */
  readonly declared: boolean;
}

export interface PieceContext {
  readonly now: number;
  readonly order: DayOrder;
  /**
   * Caches the dates that were found in texts of the page; the key is the text. Several families (sets of
   * similar blocks) may contain the same text.
   */
  readonly dates: Map<string, FoundDate | undefined>;
  /** For each text of the page, as it is written: the same text with collapsed white space. */
  readonly texts: Map<string, string>;
}

/**
 * Maximum number of characters of a text that is searched for a date. In a longer text, a date is part of
 * prose.
 */
const DATE_LINE = 120;
const MOST_PIECES = 400;
const SKIPPED = new Set(["script", "style", "template", "noscript", "select", "textarea", "svg", "button"]);
/**
 * Table cells usually have no class. Their position among their siblings is therefore part of the slot (the
 * path from the block to a text).
 */
const CELLS = new Set(["td", "th", "dd", "dt"]);

/**
 * Splits a block into pieces of text.
 *
 * @param others the other blocks of the page. Some may be inside of this block; their texts are left out
 */
export function piecesOf(
  block: Block,
  others: ReadonlySet<HtmlElement>,
  { now, order, dates, texts: collapsed }: PieceContext,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let line = 0;
  const add = (text: string, slot: string, at: Around) => {
    const { element, link, inHeading, declared } = at;
    const found = declared ?? dateIn(text);
    pieces.push({
      text,
      slot,
      element,
      link,
      inHeading,
      line,
      date: found?.day,
      before: found ? text.slice(0, found.start) : "",
      declared: declared !== undefined,
    });
  };
  const dateIn = (text: string) => {
    if (text.length > DATE_LINE) return undefined;
    if (dates.has(text)) return dates.get(text);
    const found = findDate(text, now, order);
    const exact = found && readDate(text.slice(found.start), now);
    const date = found && exact?.startsWith(found.day) ? { ...found, day: exact } : found;
    dates.set(text, date);
    return date;
  };
  const gather = (element: HtmlElement, slot: string, around: Around) => {
    const counts = new Map<string, number>();
    let texts = 0;
    for (const child of element.children) {
      if (pieces.length >= MOST_PIECES) return;
      if (typeof child === "string") {
        // In preformatted text, each line becomes a separate piece.
        const lines = around.preformatted ? child.split("\n") : [child];
        for (const [index, part] of lines.entries()) {
          if (index > 0) line += 1;
          const text = collapsed.get(part) ?? collapse(part);
          collapsed.set(part, text);
          if (text === "") continue;
          add(text, around.preformatted ? `${slot}#${line}` : `${slot}#${Math.min(texts, 3)}`, around);
          texts += 1;
        }
        continue;
      }
      if (child.tag === "br") line += 1;
      if (child.tag === "meta" || (child.tag === "time" && child.children.length === 0)) {
        const own = inside(child, around, now);
        if (own.declared)
          add(child.attributes.content ?? child.attributes.datetime ?? "", `${slot}>${child.tag}`, own);
        continue;
      }
      if (child.silent || SKIPPED.has(child.tag) || isDeclaredHidden(child) || others.has(child)) continue;
      const mark = markOf(child);
      const nth = counts.get(mark) ?? 0;
      counts.set(mark, nth + 1);
      if (child.block) line += 1;
      const numbered =
        CELLS.has(child.tag) || (mark.endsWith(".") && child.tag === "div") ? `${mark}${nth}` : mark;
      gather(child, `${slot}>${numbered}`, inside(child, around, now));
      if (child.block) line += 1;
    }
  };
  for (const [index, part] of block.parts.entries()) {
    line += 1;
    gather(part, index === 0 ? "0" : `${Math.min(index, 2)}${markOf(part)}`, inside(part, START, now));
  }
  return pieces;
}

interface Around {
  readonly element: HtmlElement;
  readonly link: HtmlElement | undefined;
  readonly inHeading: boolean;
  readonly preformatted: boolean;
  readonly declared: { readonly day: string; readonly start: number } | undefined;
}

const START: Omit<Around, "element"> = {
  link: undefined,
  inHeading: false,
  preformatted: false,
  declared: undefined,
};

function inside(element: HtmlElement, around: Omit<Around, "element">, now: number): Around {
  const { tag, attributes } = element;
  return {
    element,
    link: tag === "a" && attributes.href !== undefined ? element : around.link,
    inHeading: around.inHeading || /^h[1-6]$/.test(tag),
    preformatted: around.preformatted || tag === "pre",
    declared: declaredDate(element, now) ?? around.declared,
  };
}

/** Returns the date in an attribute of an element: `datetime`, `title` or `content`. */
function declaredDate({ tag, attributes }: HtmlElement, now: number): Around["declared"] {
  for (const value of [attributes.datetime, attributes.title, attributes.content]) {
    if (value === undefined || value.length > 80 || !/\d/.test(value)) continue;
    const exact = readDate(value, now);
    if (exact !== undefined) return { day: exact, start: 0 };
    // A short inline element may have a `title` attribute that contains the date in words.
    if (
      value === attributes.title &&
      (tag === "time" || tag === "abbr" || tag === "span" || tag === "a" || tag === "li")
    ) {
      const found = findDate(value, now);
      if (found && value.length < 60) return { day: found.day, start: 0 };
    }
    const seconds =
      value === attributes.datetime && /^\d{10}(?:\d{3})?$/.test(value) ? Number(value.slice(0, 10)) : 0;
    if (seconds > 0) return { day: new Date(seconds * 1_000).toISOString(), start: 0 };
  }
  return undefined;
}
