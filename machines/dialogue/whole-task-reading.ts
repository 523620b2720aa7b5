/**
 * Plans a whole task on a page at once. It splits the task into clauses and assigns an element to each: the
 * assignment that matches the most words and values of the task.
 */

import { nameOf } from "../session/element-line.ts";
import { formPath } from "../session/form-of-element.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { boundField } from "./bound-values.ts";
import type { Page, ReadClause, Reading } from "./clause-match-score.ts";
import { sourceOf, type Token, textOf, tokensOf } from "./clause-tokens.ts";
import { leadVerb } from "./clause-verb.ts";
import { TICKING } from "./controls-for-clause.ts";
import { isField, isList, isTick, MEANING, roleOf, rowText } from "./element-names.ts";
import { withoutTwins } from "./elements-with-same-effect.ts";
import { withFormEntries } from "./form-entry-reading.ts";
import { contentWords } from "./normalised-words.ts";
import { plainPhrase } from "./plain-verbs-for-phrases.ts";
import { readingsOf, UNTICKABLE } from "./possible-targets-of-clause.ts";
import { PRONOUN } from "./possible-values-in-clause.ts";
import { HAVING } from "./references-to-earlier-clause.ts";
import { joinedTokens, piecesOf, verbBefore } from "./split-task-at-commas.ts";
import { asImperative, FIRST_VERB, withoutAsides } from "./split-task-at-imperatives.ts";
import { withSubmit } from "./submit-click.ts";
import { hasWord } from "./target-match.ts";
import { withPageValues } from "./task-values-for-page-fields.ts";
import { withLabelledValues } from "./values-beside-labels.ts";
import { type ElementWords, explained, similarOn, wordsOfPage } from "./words-naming-element.ts";
import { withAnswers } from "./yes-no-answers.ts";

export interface JointReading {
  readonly clauses: readonly ReadClause[];
  /** How well the elements match the task, from 0 to 1: the mean over its tokens (words and values). */
  readonly score: number;
  /**
   * Difference between the scores of this reading and of the second-best reading, in which other elements are
   * assigned to clauses. Clauses that have the same element in both readings do not count.
   */
  readonly margin: number;
  /**
   * Whether the reading leaves out a value of the task, or more than the share `MAX_UNREAD` of its words and
   * values.
   */
  readonly hasUnread: boolean;
  /** Whether the reading has found an element for each part of the task. */
  readonly isComplete: boolean;
  /**
   * Whether the reading uses values that the task states beside the labels of their fields, as in "city:
   * Berlin".
   */
  readonly isLabelled?: boolean;
}

/**
 * Maximum number of pieces (texts between commas or words such as "and") of a task. A task with more pieces
 * is not read as a whole.
 */
const MAX_PIECES = 10;
/**
 * Maximum number of pieces of the task (texts between separators such as commas) that are joined to one
 * clause.
 */
const MAX_JOINED = 4;
/** Maximum number of tokens (words and values) in a clause that is joined from several pieces of the task. */
const JOINED_LENGTH = 24;
/**
 * Number of partial assignments that are kept after each piece of the task: those with the best scores (the
 * width of a beam search).
 */
const BEAM = 40;
/**
 * Score (0 to 1) of a part of the task that only gives a reason, such as "Everyone should see it" in
 * "Everyone should see it, make it public".
 */
const EXPLANATION = 0.4;
/**
 * Weight of each word and value in a part of the task that only gives a reason. In other parts, the weight is
 * 1.
 */
const EXPLANATION_WEIGHT = 0.5;
/**
 * How much the weight of a word decreases with the number of elements that have it. At 0.5, a word of two
 * elements weighs two thirds of a word of one element.
 */
const FREQUENCY = 0.5;
/**
 * Maximum share (0 to 1) of a task's tokens (words and values) that no element of the page explains. A plan
 * above this share is not used.
 */
const MAX_UNREAD = 0.4;
/**
 * A word of the task is found on the page only if the best element for the word has at least this score (0 to
 * 1).
 */
const KNOWN = 0.5;
/**
 * Amount that is subtracted from the total score for each clause of a task. A task is split into more clauses
 * only if this improves the score by more than the amount. For comparison, one token adds at most about 1 to
 * the score.
 */
const CLAUSE = 0.09;
/** Score (0 to 1) of a part of the task that matches no element. */
const UNREAD = 0.2;
/**
 * Increase of a clause's score if its element is in the same form as the field of the previous clause. An
 * element outside of the form, but near that field, gets a part of the increase.
 */
const SAME_FORM = 0.08;

/**
 * Bonus on the score of the nearest save button after entered values, for a clause that only asks to save
 * ("save the changes").
 */
const SAVES_ENTRY = 0.2;
/** Number of elements after a field that are searched for the button that saves its value. */
const SAVES_WITHIN = 25;
/** Matches a clause that only asks to save the values entered before: "save the changes", "and save it". */
const SAVE_CLAUSE =
  /^(?:and\s+)?(?:save|store|apply|update|confirm|submit|speichere?|speichern|enregistre[rz]?|guarda)(?:\s+(?:it|them|that|this|everything|the\s+(?:change|changes|form|settings|entry)|my\s+changes|das|es|la|lo|le|les|los))?$/iu;

/**
 * Whether a clause is read as a click on the save button of the field that was filled last. It is the first
 * save button after this field.
 */
function isSaveOf(
  { element, kind }: Reading,
  clauses: readonly ReadClause[],
  elements: readonly HighlightedElement[],
): boolean {
  const last = clauses.findLast(({ reading }) => reading.kind !== "click")?.reading.element;
  if (kind !== "click" || last === undefined) return false;
  const at = elements.indexOf(last);
  const next = elements
    .slice(at + 1, at + 1 + SAVES_WITHIN)
    .find((one) => roleOf(one) === "button" && SAVE_WORDS.some((word) => hasWord(one, word)));
  return next === element;
}
const SAVE_WORDS = ["save", "update", "submit"] as const;

interface State {
  readonly clauses: readonly ReadClause[];
  readonly sum: number;
  readonly tokens: number;
  /** Words and values of the task for which no element was chosen. */
  readonly unread: readonly Token[];
}

/**
 * Conditions for using a reading of a task without doubt. `clause`: minimum score (0 to 1) of the element of
 * each clause. `margin`: minimum lead over the second-best reading.
 */
const SURE = { clause: 0.6, margin: 0.04 } as const;

/**
 * Whether a reading is clear: it uses all values of its task and has a sufficient lead over the second-best
 * reading.
 */
export const isSureReading = ({ hasUnread, margin, clauses }: JointReading): boolean =>
  !hasUnread && margin >= SURE.margin && clauses.every(({ reading: { score } }) => score >= SURE.clause);

/** @param onScored called each time the score of an element for a clause is computed; tests count the calls */
export function readJointly(
  task: string,
  elements: readonly HighlightedElement[],
  onScored: () => void = () => undefined,
): JointReading | undefined {
  const written = withPageValues(withoutAsides(asImperative(task)), elements);
  const labelled = withLabelledValues(written, elements);
  const stated = labelled === undefined ? undefined : readEntries(labelled, elements, onScored);
  const other = readEntries(written, elements, onScored);
  if (!stated?.isComplete || !isSureReading(stated)) return other;
  const best = other && hasEntriesOf(other, stated) ? other : stated;
  // A comma may belong to a value. In "Place: car park, Lindenallee 4", the words after the comma are not the
  // value of another field, because no field is named for them.
  const isNamed = best.clauses.every(({ reading: { kind, name } }) => kind !== "set" || name > 0);
  return isNamed ? { ...best, isLabelled: true } : other;
}

/** Whether a reading enters all values of another reading. */
const hasEntriesOf = (reading: JointReading, other: JointReading): boolean =>
  other.clauses.every(
    ({ reading: { kind, element, value } }) =>
      kind === "click" ||
      reading.clauses.some((clause) => clause.reading.element === element && clause.reading.value === value),
  ) && reading.clauses.length <= other.clauses.length + 1;

/** Reads a task by its clauses and by the entries of a form, and returns the reading with more values. */
function readEntries(
  written: string,
  elements: readonly HighlightedElement[],
  onScored: () => void,
): JointReading | undefined {
  const plain = readClauses(written, elements, onScored);
  const entries = withFormEntries(written, elements);
  const entered = entries === undefined ? undefined : readClauses(entries, elements, onScored);
  if (entered === undefined || plain === undefined) return entered ?? plain;
  const isFuller = entriesOf(entered) > entriesOf(plain);
  const isWeak = plain.clauses.some(({ reading: { score } }) => score < WEAK_CLAUSE);
  const isSame = entriesOf(entered) === entriesOf(plain) && (isWeak || hasSameElements(entered, plain));
  return isFuller || isSame || !isSureReading(plain) ? entered : plain;
}

/**
 * A clause with a score (0 to 1) below this value is weak. If the plain reading of a task has a weak clause,
 * the reading as form values is preferred, provided that it sets as many values. Values of weak clauses do
 * not count.
 */
const WEAK_CLAUSE = 0.8;

const hasSameElements = (one: JointReading, other: JointReading): boolean =>
  one.clauses.length === other.clauses.length &&
  one.clauses.every(({ reading: { element } }) =>
    other.clauses.some(({ reading }) => reading.element === element),
  );

/** Returns how many values a reading enters, including checkboxes that it sets. */
const entriesOf = ({ clauses }: JointReading): number =>
  clauses.filter(({ reading: { kind, score } }) => kind !== "click" && score >= WEAK_CLAUSE).length;

function readClauses(
  written: string,
  elements: readonly HighlightedElement[],
  onScored: () => void,
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
    clauses: withSubmit(withAnswers(first.clauses.map(named), elements), elements),
    score: scoreOf(first),
    margin: second ? marginOf(first, second) : 1,
    isComplete: unread.length === 0,
    hasUnread: unread.some(({ kind }) => kind === "value") || unread.length > MAX_UNREAD * first.tokens,
  };
}

/**
 * If the first word of a clause is a marker for a field, replaces the clause's text by the name of the field
 * and the value.
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

/**
 * A possible clause of a task: the text of one or more pieces of the task, and the elements to which it may
 * refer.
 */
interface Clause {
  /** Index of the first piece (part of the task's text) after this clause. */
  readonly end: number;
  readonly tokens: readonly Token[];
  /** Number of the words and values in the clause. */
  readonly length: number;
  /**
   * The text of the clause. If it has no verb, the verb of an earlier clause is added. Idioms are replaced by
   * plain verbs.
   */
  readonly text: string;
  readonly sharesVerb: boolean;
  /** Whether the clause starts with a word such as "that", which refers to the clause before. */
  readonly isRelative: boolean;
  /** Whether the clause only asks to save the values entered before. */
  readonly isSave: boolean;
  /** The elements that the clause may mean, best first. */
  readonly readings: readonly Reading[];
}

/**
 * Returns the possible clauses that start at the piece of the task with the index `at`. A clause consists of
 * this piece, or of this piece and some of the following ones.
 */
function clausesFrom(
  at: number,
  pieces: readonly (readonly Token[])[],
  elements: readonly HighlightedElement[],
  page: Page,
): readonly Clause[] {
  const clauses: Clause[] = [];
  for (let end = at + 1; end <= Math.min(pieces.length, at + MAX_JOINED); end++) {
    const tokens = joinedTokens(pieces, at, end);
    if (end > at + 1 && tokens.length > JOINED_LENGTH) break;
    const text = textOf(tokens);
    const plain = plainTokens(tokens);
    const verb =
      at > 0 && !FIRST_VERB.test(text) && boundField(tokens[0]?.text ?? "") === undefined
        ? verbBefore(pieces, at)
        : undefined;
    clauses.push({
      end,
      tokens,
      length: lengthOf(tokens),
      text: [verb?.text, sourceOf(plain)].filter(Boolean).join(" "),
      sharesVerb: verb !== undefined,
      isRelative: at > 0 && RELATIVE.test(tokens[0]?.plain ?? ""),
      isSave: SAVE_CLAUSE.test(text),
      readings: readingsWith(verb, tokens, plain, elements, page),
    });
  }
  return clauses;
}

/**
 * Returns the elements to which a clause may refer, best first.
 *
 * @param verb for a clause without a verb: the verb of an earlier clause
 * @param plain the tokens after idioms were replaced by plain verbs
 */
function readingsWith(
  verb: Token | undefined,
  tokens: readonly Token[],
  plain: readonly Token[],
  elements: readonly HighlightedElement[],
  page: Page,
): readonly Reading[] {
  // In "Tick the items of Ada and Bob", the second piece "Bob" may be a link's name. But "tick" refers to
  // both, so a click on the link scores lower.
  const sharesTick = verb !== undefined && TICKING.test(verb.plain);
  const found = [
    ...readingsOf(plain, page).map((reading) =>
      sharesTick && reading.kind === "click" ? { ...reading, score: reading.score * UNTICKABLE } : reading,
    ),
    // Checkboxes are also compared with the person's own words, before idioms are replaced: "I don't want the
    // summary any more" may switch a checkbox off.
    ...(plain === tokens ? [] : readingsOf(tokens, page).filter(({ kind }) => kind === "check")),
    ...(verb ? readingsOf([verb, ...tokens], page) : []),
  ]
    .toSorted((one, other) => other.score - one.score)
    .filter(({ element }, at, all) => all.findIndex((one) => one.element === element) === at);
  const distinct = withoutTwins(
    found.map((reading) => ({ element: reading.element, score: reading.score })),
    elements,
  );
  return found.filter(({ element }) => distinct.some((one) => one.element === element));
}

/**
 * Assigns an element of the page to each part of a task, by a beam search. Returns the assignments, best
 * first.
 */
function assignments(
  pieces: readonly (readonly Token[])[],
  elements: readonly HighlightedElement[],
  page: Page,
): readonly State[] {
  const beams: State[][] = Array.from({ length: pieces.length + 1 }, () => []);
  beams[0] = [{ clauses: [], sum: 0, tokens: 0, unread: [] }];
  for (let at = 0; at < pieces.length; at++) {
    const clauses = clausesFrom(at, pieces, elements, page);
    const unassigned = withoutElement(pieces, at);
    for (const state of (beams[at] ?? []).toSorted(byScore).slice(0, BEAM)) {
      for (const { sum, tokens, unread } of unassigned)
        beams[at + 1]?.push({
          ...state,
          sum: state.sum + sum,
          tokens: state.tokens + tokens,
          unread: [...state.unread, ...unread],
        });
      for (const clause of clauses)
        for (const reading of clause.readings) {
          const next = withElement(state, reading, clause, elements);
          if (next) beams[clause.end]?.push(next);
        }
    }
  }
  return (beams.at(-1) ?? []).filter(({ clauses }) => clauses.length > 0).toSorted(byScore);
}

/**
 * Returns the readings, with their scores, that assign no element to a piece of the task. The piece is then a
 * question to the agent, a reason, or a text that was not understood.
 */
function withoutElement(
  pieces: readonly (readonly Token[])[],
  at: number,
): readonly Omit<State, "clauses">[] {
  const clause = joinedTokens(pieces, at, at + 1);
  const length = lengthOf(clause);
  const isQuestion = pieces[at]?.at(-1)?.text === "?" && at + 1 < pieces.length;
  const isReason = isExplanation(clause) && pieces.length > 1;
  const unread = isReason
    ? { sum: EXPLANATION * length * EXPLANATION_WEIGHT, tokens: length * EXPLANATION_WEIGHT, unread: [] }
    : { sum: UNREAD * length, tokens: length, unread: clause };
  const next = pieces[at + 1] ?? [];
  const isContext =
    HAVING.test(textOf(clause)) &&
    FIRST_VERB.test(textOf(next)) &&
    next.some(({ kind, plain }) => kind === "word" && PRONOUN.test(plain));
  return isQuestion || isContext ? [{ sum: 0, tokens: 0, unread: [] }, unread] : [unread];
}

/**
 * Adds the element for the next clause to an assignment. Returns `undefined` if the assignment already uses
 * this element.
 */
function withElement(
  state: State,
  reading: Reading,
  clause: Clause,
  elements: readonly HighlightedElement[],
): State | undefined {
  const { length, text, sharesVerb } = clause;
  const tokens = state.tokens + length;
  if (state.clauses.some(({ reading: { element } }) => element === reading.element)) {
    // Two clauses may mean one click, as in "I like what Ada wrote, give it a like". The second one adds no
    // step.
    if (!isSameClick(reading, clause.tokens, state.clauses.at(-1))) return undefined;
    return { ...state, sum: state.sum + reading.score * length, tokens };
  }
  if (clause.isRelative && reading.kind !== "select") return undefined;
  const isSave = clause.isSave && isSaveOf(reading, state.clauses, elements);
  const isFragment = entersValue(state.clauses) && isFragmentClick({ text, reading, sharesVerb });
  const bonus = SAME_FORM * closeness(reading.element, state.clauses) + (isSave ? SAVES_ENTRY : 0);
  const isFirstValue = reading.kind === "set" && !entersValue(state.clauses);
  const fragments = isFirstValue ? state.clauses.filter(isFragmentClick) : [];
  return {
    ...state,
    clauses: [...state.clauses, { text, reading, sharesVerb }],
    sum:
      state.sum +
      (reading.score * (isFragment ? FRAGMENT_CLICK : 1) + bonus) * length +
      (isInRowOf(reading.element, state.clauses) ? SAME_ROW : 0) -
      CLAUSE -
      JOIN * commasIn(clause.tokens) -
      fragments.reduce(
        (lost, one) => lost + (1 - FRAGMENT_CLICK) * one.reading.score * tokensOf(one.text).length,
        0,
      ),
    tokens,
  };
}

/**
 * Added to the total score for a checkbox in the row of the previous checkbox: "Tick Plans of Project 2 and
 * Invoices".
 */
const SAME_ROW = 0.16;

function isInRowOf(element: HighlightedElement, clauses: readonly ReadClause[]): boolean {
  const last = clauses.at(-1)?.reading.element;
  const row = rowText(element);
  return last !== undefined && row !== "" && isTick(last) && isTick(element) && rowText(last) === row;
}

/** Amount that each comma inside of a clause subtracts from the score. Most commas separate two clauses. */
const JOIN = 0.06;
const commasIn = (tokens: readonly Token[]): number => tokens.filter(({ text }) => text === ",").length;

/**
 * Whether a clause is a click, but contains no verb and only a part of the control's name: "lesson" for the
 * link "Start the lesson".
 */
function isFragmentClick({ text, reading: { kind, element } }: ReadClause): boolean {
  const tokens = tokensOf(text);
  if (kind !== "click" || tokens.length >= FRAGMENT || leadVerb(tokens) || FIRST_VERB.test(text))
    return false;
  const said = contentWords(text);
  return !contentWords(nameOf(element)).every((word) => said.includes(word));
}

const entersValue = (clauses: readonly ReadClause[]): boolean =>
  clauses.some(({ reading: { kind } }) => kind === "set");

/**
 * A part of a task that has no verb and fewer tokens than this number, such as "lesson", is an unlikely
 * command to click.
 */
const FRAGMENT = 6;
/**
 * Score factor of a click on an element that a part of the task describes without a verb, such as "lesson" in
 * "…, lesson on 2026-12-08". It applies only if the task also enters values.
 */
const FRAGMENT_CLICK = 0.6;

function lengthOf(clause: readonly Token[]): number {
  return clause.filter(({ kind }) => kind !== "separator").length;
}

/**
 * Returns by how much the score of the task's best reading exceeds that of the second reading. Only clauses
 * that differ are compared, because many equal clauses would hide a doubtful clause.
 */
function marginOf(first: State, second: State): number {
  const isShared = ({ reading: { element, value } }: ReadClause): boolean =>
    second.clauses.some(({ reading }) => reading.element === element && reading.value === value);
  const differing = first.clauses.filter((clause) => !isShared(clause));
  const length = differing.reduce((sum, { text }) => sum + tokensOf(text).length, 0);
  return ((scoreOf(first) - scoreOf(second)) * first.tokens) / Math.min(first.tokens, Math.max(1, length));
}

/**
 * Whether a clause refers by a pronoun to the control that the clause before it clicks. After "I like what
 * Ada wrote", "give it a like" means the same button "Like".
 */
const isSameClick = (reading: Reading, clause: readonly Token[], last: ReadClause | undefined): boolean =>
  last?.reading.kind === "click" &&
  reading.kind === "click" &&
  last.reading.element === reading.element &&
  clause.some(({ kind, plain }) => kind === "word" && PRONOUN.test(plain));

const scoreOf = ({ sum, tokens }: State): number => (tokens === 0 ? 0 : sum / tokens);
const byScore = (one: State, other: State): number => scoreOf(other) - scoreOf(one);

/**
 * Returns a measure (0 to 1) of how near an element is to the field or list of the previous clause. It is 1
 * in the same form.
 */
function closeness(element: HighlightedElement, clauses: readonly ReadClause[]): number {
  const last = clauses.at(-1)?.reading.element;
  return last && (isField(last) || isList(last)) ? nearness(element, last) : 0;
}

function nearness(element: HighlightedElement, last: HighlightedElement): number {
  const form = formPath(last);
  if (form !== undefined && form === formPath(element)) return 1;
  const [steps, lastSteps] = [element.xpath.split("/"), last.xpath.split("/")];
  const shared = steps.findIndex((step, at) => step !== lastSteps[at]);
  return shared < 0 ? 1 : shared / Math.max(steps.length, lastSteps.length);
}

/**
 * Matches a word that refers to the previous clause, such as "that" in "users that are active". A clause that
 * starts with it can only choose an option of a list.
 */
const RELATIVE = /^(?:that|which|who|whose)$/u;

/**
 * Whether a part of a task only states something, as a sentence with "is" does. Such a part contains neither
 * a value nor an imperative.
 */
const isExplanation = (tokens: readonly Token[]): boolean =>
  tokens.every(({ kind, text }, at) => kind !== "value" && !(at > 0 && /^\p{Lu}/u.test(text))) &&
  !FIRST_VERB.test(textOf(tokens)) &&
  tokens.some(({ plain }) => VERB_OF_STATEMENT.test(plain));
const VERB_OF_STATEMENT =
  /^(?:is|are|was|were|should|must|can|can['’]?t|will|would|has|have|had|do|does|did|i|we|he|she|they|you|it|ist|sind|soll|est|sont|es|son)$/u;

/** Replaces an idiom in a clause by a plain verb: "get rid of" by "delete". */
function plainTokens(tokens: readonly Token[]): readonly Token[] {
  const text = sourceOf(tokens);
  const plain = plainPhrase(text);
  return plain === text ? tokens : tokensOf(plain);
}
