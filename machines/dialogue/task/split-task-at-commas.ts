/**
 * Splits a task into pieces at commas, at words such as "and", and before words such as "with". Each clause
 * consists of one or more pieces.
 */

import { AS } from "../words/task-word-lists.ts";
import { FIRST_VERB } from "./split-task-at-imperatives.ts";
import { type Token, tokensOf } from "./split-task-into-tokens.ts";

/**
 * Words that may start a new piece of the task without a comma, such as "with" in "a study with the name
 * beta".
 */
const SOFT = /^(?:with|mit|avec|con|that|which|who|whose)$/u;
/**
 * Matches words such as "for" that start a new piece of the task after a quoted text. In `log a call "Price
 * talk" for the ferry line`, the new piece starts at "for".
 */
const FOR = /^(?:for|fur|pour|para|per)$/u;
/**
 * Matches a word that starts a new piece of the task if an e-mail address follows: the new piece of "send it to
 * ada@example.com" is "to ada@example.com". `an` is German, and `a` is French (`à`), Spanish and Italian.
 */
const RECIPIENT = /^(?:to|for|an|a)$/u;

/**
 * Splits the tokens of a task into pieces, which are the texts between separators.
 *
 * @param splitsValues whether a further value with the name of its field starts a new piece
 */
export function piecesOf(tokens: readonly Token[], splitsValues = true): readonly (readonly Token[])[] {
  const pieces: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const next = tokens[at + 1];
    if (
      (RECIPIENT.test(token.plain) && next?.plain.includes("@") === true) ||
      (splitsValues && isSecondValue(at, tokens, pieces.at(-1) ?? [])) ||
      SOFT.test(token.plain) ||
      (before?.isQuoted && token.kind === "word" && (!AS.test(token.plain) || FOR.test(token.plain))) ||
      (before?.plain.includes("@") && token.kind === "word" && !AS.test(token.plain)) ||
      (before?.plain.includes("@") === true && token.plain === "as")
    )
      pieces.push([]);
    pieces.at(-1)?.push(token);
    if (token.kind === "separator" && !/[:=(]/u.test(token.text)) pieces.push([]);
  }
  return pieces.filter((piece) => piece.some(({ kind }) => kind !== "separator"));
}

/**
 * Whether a second value, with the name of its field, starts at the token `at`. In "barcode 30112 to reader
 * number 884" it starts at "to": the name of the field is "reader number", and the value is 884.
 */
function isSecondValue(at: number, tokens: readonly Token[], piece: readonly Token[]): boolean {
  const hasValue = piece.some(({ kind, isQuoted }) => kind === "value" && !isQuoted);
  if (!SECOND.test(tokens[at]?.plain ?? "") || !hasValue) return false;
  const after = tokens.slice(at + 1, at + 2 + FIELD_NAME);
  const value = after.findIndex(({ kind }) => kind !== "word");
  return value > 0 && after[value]?.kind === "value";
}
/**
 * Matches words that may introduce a second value in a clause: "to" in "barcode 30112 to reader number 884".
 */
const SECOND = /^(?:to|for|at|an|fur|a|pour|para|per|al|alla)$/u;
/**
 * Maximum number of words in the name of a field that precedes its value, such as "reader number" in "reader
 * number 884".
 */
const FIELD_NAME = 3;

/** Whether a task has only one clause, so that its plan needs at most one step. */
export const isOneClause = (task: string): boolean => piecesOf(tokensOf(task)).length <= 1;

/**
 * Returns the verb of the nearest earlier piece that starts with one. A piece without a verb takes it over: in
 * "Dismiss this and that", the piece "that" gets the verb "Dismiss".
 */
export function verbBefore(pieces: readonly (readonly Token[])[], from: number): Token | undefined {
  for (const piece of pieces.slice(0, from).toReversed()) {
    const [first] = piece.filter(({ kind }) => kind === "word");
    if (first && FIRST_VERB.test(first.text)) return first;
  }
  return undefined;
}

/** Joins consecutive pieces of a task to one list of tokens, without a separator at the end. */
export function joinedTokens(
  pieces: readonly (readonly Token[])[],
  from: number,
  to: number,
): readonly Token[] {
  const joined = pieces.slice(from, to).flat();
  return joined.at(-1)?.kind === "separator" ? joined.slice(0, -1) : joined;
}
