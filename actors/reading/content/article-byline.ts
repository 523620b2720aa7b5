/**
 * Reads the author and the date of an article from the lines near its title. It is used when the metadata of
 * the page does not name them.
 */

import type { HtmlElement } from "../parse/parse-html-document.ts";
import { nameIn } from "./author-names.ts";
import { type PieceContext, piecesOf } from "./pieces-of-repeated-blocks.ts";

export interface Byline {
  readonly author: string | null;
  /** The date of the article as `YYYY-MM-DD`. */
  readonly date: string | null;
}

/**
 * Number of pieces of text at the start of the main content, and also at its end, in which author and date
 * are searched for.
 */
const AROUND = 40;
/**
 * Minimum score (see `author-names.ts`) at which a name is returned as the author. A name has this score only
 * when markup, or a word such as "by", shows that it is the author.
 */
const NAMED = 2;
/**
 * Maximum number of characters of a line that may contain author or date. A longer line is text of the
 * article.
 */
const LINE_LENGTH = 90;

/**
 * Returns the author and the date of an article, if they are found.
 *
 * @param main the main content, with the title at its beginning
 */
export function readByline(main: HtmlElement, context: PieceContext): Byline {
  const pieces = piecesOf({ parts: [main] }, new Set(), context).filter(
    ({ text }) => text.length <= LINE_LENGTH,
  );
  // The last blocks of the content are searched too, because some pages show author and date at the end.
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
