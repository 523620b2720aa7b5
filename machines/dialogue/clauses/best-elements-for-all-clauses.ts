/**
 * Plans a whole task on a page at once: splits the task into clauses and assigns an element to each. Of the
 * possible assignments, it uses the one that matches the most words and values of the task.
 */

import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { Page, ReadClause } from "../elements/clause-match-score.ts";
import { MEANING } from "../elements/texts-that-may-name-element.ts";
import { type ElementWords, explained, similarOn, wordsOfPage } from "../elements/words-of-page-elements.ts";
import { piecesOf } from "../task/split-task-at-commas.ts";
import { asImperative, withoutAsides } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { withPageValues } from "../values/rewrite-task-values-for-form.ts";
import { withLabelledValues } from "../values/task-values-beside-labels.ts";
import { boundField } from "../values/values-bound-by-field-index.ts";
import { withFormEntries } from "../values/values-listed-for-form.ts";
import { assignments, marginOf, type State, scoreOf } from "./assign-elements-to-clauses.ts";
import { submitVerbOfTask, withSubmit } from "./submit-click-after-values.ts";
import { withAnswers } from "./yes-no-buttons-for-clause.ts";

export interface JointReading {
  readonly clauses: readonly ReadClause[];
  /**
   * How well the elements match the task, from 0 to 1: the mean over the task's tokens (words and values).
   */
  readonly score: number;
  /**
   * How much the score of this assignment of elements to task clauses exceeds the score of the second-best
   * assignment. Clauses with the same element in both assignments do not count.
   */
  readonly margin: number;
  /**
   * Whether this assignment of elements to clauses uses too little of the task: it leaves out a value, or
   * more than the share `MAX_UNREAD` of all words and values.
   */
  readonly hasUnread: boolean;
  /** Whether an element was found for each part of the task. */
  readonly isComplete: boolean;
  /** Whether values were found beside the labels of their fields, as in "city: Berlin". */
  readonly isLabelled?: boolean;
}

/**
 * Maximum number of pieces (texts between commas or words such as "and") of a task. A task with more pieces
 * is not read as a whole.
 */
const MAX_PIECES = 10;
/**
 * How much the weight of a word decreases with the number of elements that have it. At 0.5, a word of two
 * elements weighs two thirds of a word of one element.
 */
const FREQUENCY = 0.5;
/**
 * Maximum share (0 to 1) of a task's tokens (words and values) that match no element of the page. A plan
 * above this share is not used.
 */
const MAX_UNREAD = 0.4;
/**
 * A word of the task counts as present on the page only if the best element for the word has at least this
 * score (0 to 1).
 */
const KNOWN = 0.5;
/**
 * Conditions under which the elements that were found for a task count as certain. `clause`: minimum score (0
 * to 1) of the element of each clause. `margin`: minimum difference to the score of the second-best
 * assignment of elements.
 */
const SURE = { clause: 0.6, margin: 0.04 } as const;

/**
 * Whether the elements of a task are certain: all values of the task are used, and the score is well above
 * that of the second-best assignment of elements.
 */
export const isSureReading = ({ hasUnread, margin, clauses }: JointReading): boolean =>
  !hasUnread && margin >= SURE.margin && clauses.every(({ reading: { score } }) => score >= SURE.clause);

/**
 * Returns the best assignment of elements to the clauses of the whole task; `undefined` if there is none.
 *
 * @param onScored called each time the score of an element for a clause is computed; tests count the calls
 */
export function readJointly(
  task: string,
  elements: readonly HighlightedElement[],
  onScored: () => void = () => undefined,
): JointReading | undefined {
  const written = withPageValues(withoutAsides(asImperative(task)), elements);
  const labelled = withLabelledValues(written, elements);
  const verb = submitVerbOfTask(written, elements);
  const stated = labelled === undefined ? undefined : readEntries(labelled, elements, onScored, verb, true);
  const other = readEntries(written, elements, onScored, verb);
  if (!stated?.isComplete || !isSureReading(stated)) return other;
  const best = other && hasEntriesOf(other, stated) ? other : stated;
  // A comma may belong to a value, as in "Place: car park, Lindenallee 4". Here, "Lindenallee 4" is a clause without
  // the name of a field, so it is no labelled value. The result is only used if each value has the name of its field
  // beside it.
  const isNamed = best.clauses.every(({ reading: { kind, name } }) => kind !== "set" || name > 0);
  return isNamed ? { ...best, isLabelled: true } : other;
}

/** Whether the steps of `reading` enter all values that the steps of `other` enter. */
const hasEntriesOf = (reading: JointReading, other: JointReading): boolean =>
  other.clauses.every(
    ({ reading: { kind, element, value } }) =>
      kind === "click" ||
      reading.clauses.some((clause) => clause.reading.element === element && clause.reading.value === value),
  ) && reading.clauses.length <= other.clauses.length + 1;

/**
 * Reads a task in two ways: clause by clause, and as a list of values for a form. Returns the result of the list if
 * it enters more values, or if the other result is uncertain; otherwise that of the clauses.
 */
function readEntries(
  written: string,
  elements: readonly HighlightedElement[],
  onScored: () => void,
  verb: string | undefined,
  isLabelled = false,
): JointReading | undefined {
  const plain = readClauses(written, elements, onScored, isLabelled ? verb : undefined);
  const entries = withFormEntries(written, elements);
  const entered = entries === undefined ? undefined : readClauses(entries, elements, onScored, verb);
  if (entered === undefined || plain === undefined) return entered ?? plain;
  const isFuller = entriesOf(entered) > entriesOf(plain);
  const isWeak = plain.clauses.some(({ reading: { score } }) => score < WEAK_CLAUSE);
  const isSame = entriesOf(entered) === entriesOf(plain) && isWeak;
  return isFuller || isSame || !isSureReading(plain) ? entered : plain;
}

/**
 * If a clause scores less than this number (0 to 1), its value is doubtful. The task is then read as a list of form
 * values, if that reading enters as many values.
 */
const WEAK_CLAUSE = 0.8;

/** Returns how many values the task clauses enter, including checkboxes that they set. */
const entriesOf = ({ clauses }: JointReading): number =>
  clauses.filter(({ reading: { kind, score } }) => kind !== "click" && score >= WEAK_CLAUSE).length;

function readClauses(
  written: string,
  elements: readonly HighlightedElement[],
  onScored: () => void,
  verb?: string,
): JointReading | undefined {
  const tokens = tokensOf(written);
  const fine = piecesOf(tokens);
  const pieces = fine.length > MAX_PIECES ? piecesOf(tokens, false) : fine;
  if (pieces.length === 0 || pieces.length > MAX_PIECES) return undefined;
  const done = assignments(pieces, elements, pageOf(elements, onScored));
  const [first] = done;
  if (!first) return undefined;
  const key = (state: State): string =>
    state.clauses
      .map(({ reading: { element, value } }) => `${element.highlight_index} ${value ?? ""}`)
      .join("|");
  const second = done.find((state) => key(state) !== key(first));
  const { unread } = first;
  return {
    clauses: withSubmit(withAnswers(first.clauses.map(named), elements), elements, verb),
    score: scoreOf(first),
    margin: second ? marginOf(first, second) : 1,
    isComplete: unread.length === 0,
    hasUnread: unread.some(({ kind }) => kind === "value") || unread.length > MAX_UNREAD * first.tokens,
  };
}

/**
 * A task clause may start with the index of a field, such as `#field-7`. Replaces the text of such a clause by the
 * name of the field and the value.
 */
const named = (clause: ReadClause): ReadClause =>
  boundField(clause.text.split(" ")[0] ?? "") === undefined
    ? clause
    : {
        ...clause,
        text:
          clause.reading.value === null
            ? nameOf(clause.reading.element)
            : `${nameOf(clause.reading.element)} "${clause.reading.value}"`,
        sharesVerb: false,
      };

/**
 * Collects the words of a page, so that clauses can be compared with them. Each word of the task is compared
 * with these words only once.
 */
function pageOf(elements: readonly HighlightedElement[], onScored: () => void): Page {
  const words = wordsOfPage(elements);
  const counts = new Map<string, number>();
  for (const { names } of words)
    for (const word of new Set(names.flatMap((name) => (name.weight > MEANING ? name.words : []))))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const similar = similarOn(words);
  const related = remembered((word: string): ReadonlySet<ElementWords> => {
    if (similar(word).byMeaning.size === 0) return new Set();
    return new Set(words.filter((one) => explained(word, one, similar).overall > 0));
  });
  return {
    words,
    similar,
    onScored,
    related,
    weightOf: (word) => 1 / (1 + FREQUENCY * Math.log2(Math.max(1, counts.get(word) ?? 1))),
    hasWord: (word) => counts.has(word),
    isKnown: remembered((word) =>
      [...related(word)].some((one) => explained(word, one, similar).overall >= KNOWN),
    ),
  };
}

/** Returns a function that computes its result only once for each argument. */
function remembered<Result>(compute: (argument: string) => Result): (argument: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (argument) => {
    const found = results.get(argument) ?? { result: compute(argument) };
    results.set(argument, found);
    return found.result;
  };
}
