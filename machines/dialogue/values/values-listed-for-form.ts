/**
 * Reads a task that lists values for one form without naming all its fields, such as "Quick invoice for Kino
 * Lux, "Projector rent", 420 net". Each listed value goes to one field or option of the form.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { type FormGroup, formGroups } from "../elements/field-groups-of-page.ts";
import { isSameChoice } from "../elements/texts-that-may-name-element.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { type Token, textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords } from "../words/normalised-words.ts";
import { AS, NAMED } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { type Assigned, FragmentScorer } from "./form-fields-for-task-part.ts";
import { seeksThing } from "./tasks-that-look-for-things.ts";
import { bound, boundField } from "./values-bound-by-field-index.ts";
import { PREPOSITION, RELATIVE } from "./words-that-assign-form-values.ts";

/**
 * A task is divided into parts (fragments), each with one value. Each part subtracts this amount from the
 * total score, so a further part must raise the score by more than this amount.
 */
const FRAGMENT = 0.05;
/**
 * Deduction for each separator, such as a comma, inside of a part (fragment) of the task. Most parts end at
 * the next separator.
 */
const SEPARATOR = 0.5;
/**
 * Maximum number of pieces (texts between separators such as commas) that are joined to one part (fragment)
 * of the task.
 */
const JOINED = 4;
/** Maximum number of pieces (texts between separators) of a task that is read as a list of form values. */
const MAX_PIECES = 16;
/**
 * Number of partial assignments of values to fields that are kept after each piece of the task. Those with
 * the best scores are kept.
 */
const BEAM = 60;
/** Minimum mean score (0 to 1) of the fields to which the values of a task are assigned. */
const MIN_MEAN = 0.78;

interface Partial {
  /** The values in the part of the task that was read so far, each with the field or option that gets it. */
  readonly assigned: readonly Assigned[];
  /** Number of parts (fragments) of the task for which a field or an option was found. */
  readonly filled: number;
  readonly sum: number;
  readonly tokens: number;
}

/**
 * Rewrites a task that lists values as instructions for the fields and controls of one form. Returns `undefined` if a
 * part of the task fits no field or control of the form.
 */
export function withFormEntries(task: string, elements: readonly HighlightedElement[]): string | undefined {
  const pieces = piecesOf(tokensOf(task));
  if (pieces.length < 2 || pieces.length > MAX_PIECES) return undefined;
  const readings = formGroups(elements)
    .filter(({ buttons }) => !seeksThing(task, buttons))
    .flatMap((group) => bestReading(pieces, group) ?? [])
    .toSorted((one, other) => other.mean - one.mean);
  const [best] = readings;
  if (best === undefined || best.mean < MIN_MEAN) return undefined;
  const ordered = best.assigned.toSorted(
    (one, other) => one.element.highlight_index - other.element.highlight_index,
  );
  return ordered.map(({ element, value }) => bound(element, value)).join(", ");
}

/**
 * Returns the best reading (assignment of values to fields) of a task on one form, with its mean score.
 * `undefined` if it assigns fewer than two values.
 */
function bestReading(pieces: readonly (readonly Token[])[], group: FormGroup) {
  const scorer = new FragmentScorer(group);
  const beams: Partial[][] = Array.from({ length: pieces.length + 1 }, () => []);
  beams[0] = [{ assigned: [], filled: 0, sum: 0, tokens: 0 }];
  for (let at = 0; at < pieces.length; at++) {
    const states = (beams[at] ?? []).toSorted((one, other) => other.sum - one.sum).slice(0, BEAM);
    for (let end = at + 1; end <= Math.min(pieces.length, at + JOINED); end++) {
      const tokens = trimmed(pieces.slice(at, end).flat());
      const length = tokens.filter(({ kind }) => kind !== "separator").length;
      const separators =
        tokens.length -
        length +
        pieces.slice(at + 1, end).filter(([first]) => RELATIVE.test(first?.plain ?? "")).length;
      const options = scorer.read(tokens, at === 0 && !isListedName(pieces[0] ?? [], group));
      for (const state of states)
        for (const { entries, score } of options) {
          const isTaken = entries.some(({ element }) =>
            state.assigned.some((one) => one.element === element || isSameChoice(one.element, element)),
          );
          if (isTaken) continue;
          beams[end]?.push({
            assigned: [...state.assigned, ...entries],
            filled: state.filled + (entries.some(({ element }) => group.entries.includes(element)) ? 1 : 0),
            sum: state.sum + score * length - FRAGMENT - SEPARATOR * separators,
            tokens: state.tokens + length,
          });
        }
    }
  }
  const [best] = (beams.at(-1) ?? []).toSorted((one, other) => other.sum - one.sum);
  if (best === undefined) return undefined;
  const submit = scorer.submit(pieces[0] ?? []);
  const isPressed = best.assigned.some(({ element }) => group.buttons.includes(element));
  const assigned =
    submit && !isPressed ? [...best.assigned, { element: submit, value: "on", score: 1 }] : best.assigned;
  return best.filled < 2 ? undefined : { assigned, mean: best.sum / best.tokens };
}

/**
 * Whether a task starts with a name of several words and a comma, so that the name is a value: "Nova AG, Graz, 2
 * pallets". A single word may be a greeting.
 */
function isListedName(piece: readonly Token[], group: FormGroup): boolean {
  const names = piece.slice(0, -1);
  return (
    piece.at(-1)?.text === "," &&
    names.length >= 2 &&
    names.every(({ kind, text }) => kind === "word" && /^\p{Lu}/u.test(text)) &&
    contentWords(textOf(names)).every((word) => wordScore(word, group.words) === 0) &&
    !FIRST_VERB.test(names[0]?.text ?? "") &&
    !/^I(?:['’]|$)/u.test(names[0]?.text ?? "")
  );
}

/** Removes the separators at the start and at the end of tokens. */
export function trimmed(tokens: readonly Token[]): readonly Token[] {
  const from = tokens.findIndex(({ kind }) => kind !== "separator");
  const to = tokens.findLastIndex(({ kind }) => kind !== "separator");
  return from < 0 ? [] : tokens.slice(from, to + 1);
}

/** Splits a task before each preposition and each quoted text, and after each separator. */
export function piecesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const pieces: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const isStart =
      (token.kind === "word" && PREPOSITION.test(token.plain)) ||
      boundField(token.text) !== undefined ||
      (before !== undefined && boundField(tokens[at - 2]?.text ?? "") !== undefined) ||
      NAMED.test(token.plain) ||
      RELATIVE.test(token.plain) ||
      (token.isQuoted &&
        boundField(before?.text ?? "") === undefined &&
        !PREPOSITION.test(before?.plain ?? "")) ||
      (before?.isQuoted === true && token.kind === "word" && !AS.test(token.plain));
    if (isStart) pieces.push([]);
    pieces.at(-1)?.push(token);
    if (token.kind === "separator") pieces.push([]);
  }
  return pieces.filter((piece) => piece.some(({ kind }) => kind !== "separator"));
}
