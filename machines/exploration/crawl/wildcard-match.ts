/**
 * Matches a text against patterns with `*`, in time linear in the text. It is used for robots.txt and for the
 * URL patterns of a job. Regular expressions are not used, because a slow expression in a request could block
 * a worker.
 */

/**
 * Whether a text is a valid URL pattern. `*` matches any text, including slashes, and the pattern must match
 * completely. A pattern that starts with `/` is compared with path and query. A pattern that starts with `*`,
 * `http://` or `https://` is compared with the complete URL.
 */
export function isUrlPattern(pattern: string): boolean {
  return /^(?:\/|\*|https?:\/\/)/.test(pattern) && !/[\s#]/.test(pattern);
}

/** A pattern that was split at each `*`. A text matches if it contains these pieces in order. */
export type Pieces = readonly string[];

/**
 * Whether a text starts with the first piece and contains the other pieces in order. Each piece is matched at
 * its first possible position. This leaves the most text for the next pieces, so no backtracking is needed.
 *
 * @param whole whether the last piece of the pattern must be at the end of the text
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
