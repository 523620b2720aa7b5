/**
 * Text against a pattern with `*` for any run of characters, in time that grows with the text alone.
 *
 * robots.txt (`robots.ts`) and a job's include and exclude patterns (`scope.ts`) are written this way. Regular
 * expressions are not: one from a request could keep a worker busy for ever.
 */

/** A pattern split at its stars; the text has to hold the pieces one after another. */
export type Pieces = readonly string[];

/**
 * Whether a text matches: it begins with the first piece and holds the others in their order. Taking each at the
 * first place it is found can never spoil a later match, so there is nothing to go back for.
 *
 * @param whole the last piece has to stand at the text's end; otherwise anything may follow it
 */
export function matchesPieces(pieces: Pieces, whole: boolean, text: string): boolean {
  const first = pieces[0] ?? "";
  if (!text.startsWith(first)) return false;
  if (pieces.length === 1) return !whole || text.length === first.length;
  let position = first.length;
  const last = pieces.length - 1;
  for (let index = 1; index < last; index++) {
    const piece = pieces[index] ?? "";
    const found = text.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  const tail = pieces[last] ?? "";
  if (!whole) return text.indexOf(tail, position) >= 0;
  return text.length - tail.length >= position && text.endsWith(tail);
}
