/**
 * Decides which date in a block is the date of the post. Another date may be the day on which the author
 * joined, or the time at which the post was changed.
 */
import { NAME } from "./author-names.ts";
import type { Piece } from "./pieces-of-repeated-blocks.ts";

/**
 * Matches words and classes that mark another date than the date of a post: when its author registered, or
 * when it was changed.
 */
const OTHER_DATE =
  /\b(?:joined|join date|member since|registered|registriert|beigetreten|dabei seit|mitglied seit|inscrit|membre depuis|miembro desde|registrado|membro desde|iscritto|lid sinds|born|birth|edited|modified|bearbeitet|geändert|modifié|editado|last (?:seen|visit|active|online|edit))\b/i;

/**
 * Returns the date of the post in each block. If possible, the dates are from the same place (slot) in all blocks.
 * This slot has dates in most blocks, preferably in a sorted order, and its dates are not those on which the
 * authors joined the site. A block without a date in this slot gets another of its dates.
 */
export function datesOf(
  read: readonly { readonly pieces: readonly Piece[] }[],
  authors?: readonly (string | null)[],
): readonly (Piece | undefined)[] {
  const slots = new Map<string, (Piece | undefined)[]>();
  for (const [index, { pieces }] of read.entries()) {
    for (const piece of pieces) {
      if (piece.date === undefined) continue;
      const column = slots.get(piece.slot) ?? [];
      slots.set(piece.slot, column);
      column[index] ??= piece;
    }
  }
  let best: { readonly column: readonly (Piece | undefined)[]; readonly score: number } | undefined;
  let order = 0;
  for (const column of slots.values()) {
    const found = column.filter((piece) => piece !== undefined);
    let score = (4 * found.length) / read.length - 0.1 * order++;
    if (found.some((piece) => isOther(piece, read))) score -= 5;
    if (found.some(({ declared }) => declared)) score += 1;
    if (read.length > 2 && isSorted(found)) score += 1;
    if (found.some(({ text }) => text.length < 60)) score += 0.5;
    if (authors && belongsToAuthor(column, authors)) score -= 3;
    if (!best || score > best.score) best = { column, score };
  }
  return read.map(
    ({ pieces }, index) =>
      best?.column[index] ?? pieces.find((piece) => piece.date !== undefined && !isOther(piece, read)),
  );
}

/** Whether a date is not the date of the post, because of words or a class near it, such as "joined". */
function isOther(piece: Piece, read: readonly { readonly pieces: readonly Piece[] }[]): boolean {
  if (OTHER_DATE.test(piece.text) || /edit|join|regist|modif/i.test(piece.element.attributes.class ?? ""))
    return true;
  for (const { pieces } of read) {
    const at = pieces.indexOf(piece);
    if (at < 0) continue;
    const before = pieces[at - 1];
    return (
      before !== undefined &&
      before.date === undefined &&
      before.text.length < NAME.length &&
      OTHER_DATE.test(before.text)
    );
  }
  return false;
}

function isSorted(pieces: readonly Piece[]): boolean {
  const values = pieces.map(({ date }) => date ?? "");
  if (new Set(values).size === 1) return false;
  const up = values.every((value, index) => index === 0 || value >= (values[index - 1] ?? ""));
  return up || values.every((value, index) => index === 0 || value <= (values[index - 1] ?? ""));
}

/**
 * Whether the dates in this slot (the same place in each block) are the dates on which the authors joined the
 * site. This is the case if at least two authors have several posts, and each author has the same date in all
 * own posts.
 */
function belongsToAuthor(
  column: readonly (Piece | undefined)[],
  authors: readonly (string | null)[],
): boolean {
  const byAuthor = new Map<string, Set<string>>();
  let repeated = 0;
  for (const [index, author] of authors.entries()) {
    const date = column[index]?.date;
    if (author === null || date === undefined) continue;
    const known = byAuthor.get(author);
    if (!known) byAuthor.set(author, new Set([date]));
    else {
      repeated += 1;
      known.add(date);
    }
  }
  return repeated > 1 && [...byAuthor.values()].every(({ size }) => size === 1);
}
