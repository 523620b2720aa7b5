/** Reads who wrote an article and when, from the lines around its title, where no metadata says it. */

import type { HtmlElement } from "../parse/html-document.ts";
import { nameIn } from "./author-names.ts";
import { type PieceContext, piecesOf } from "./block-pieces.ts";

export interface Byline {
  readonly author: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string | null;
}

/** Pieces of text that stand around a title. */
const AROUND = 40;
/** A name needs markup or a word such as "by" that says so. */
const NAMED = 2;
/** A longer text is the article. */
const LINE_LENGTH = 90;

/** @param main the main content, which begins with the title */
export function readByline(main: HtmlElement, context: PieceContext): Byline {
  const pieces = piecesOf({ parts: [main] }, new Set(), context).filter(
    ({ text }) => text.length <= LINE_LENGTH,
  );
  // Some themes have the line behind the text.
  const near = pieces.length <= 2 * AROUND ? pieces : [...pieces.slice(0, AROUND), ...pieces.slice(-AROUND)];
  const date = near.find(
    (piece) => piece.date !== undefined && (piece.declared || piece.text.length < LINE_LENGTH / 2),
  );
  let author: { readonly name: string; readonly score: number } | undefined;
  for (const [index, piece] of near.entries()) {
    const found = nameIn(piece, near[index - 1], date);
    if (found && found.score >= NAMED && (!author || found.score > author.score)) author = found;
  }
  return { author: author?.name ?? null, date: date?.date?.slice(0, 10) ?? null };
}
