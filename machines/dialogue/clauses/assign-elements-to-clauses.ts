/**
 * Assigns an element of the page to each clause of a task. A beam search looks for the assignments that match
 * the most words and values of the task.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { Page, ReadClause, Reading } from "../elements/clause-match-score.ts";
import { hasWord } from "../elements/elements-described-by-task-words.ts";
import {
  isField,
  isList,
  isSameChoice,
  isTick,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { leadVerb } from "../task/clause-verb.ts";
import { HAVING } from "../task/references-to-earlier-clause.ts";
import { joinedTokens } from "../task/split-task-at-commas.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { type Token, textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { PRONOUN } from "../values/possible-values-in-clause.ts";
import { PREPOSITION } from "../values/words-that-assign-form-values.ts";
import { contentWords } from "../words/normalised-words.ts";
import { type Clause, clausesFrom, lengthOf } from "./possible-clauses-of-task.ts";

/**
 * Number of partial assignments (the width of a beam search) that are kept after each piece of the task (a
 * text between separators). Those with the best scores are kept.
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
 * Amount that is subtracted from the total score for each clause of a task. A task is split into more clauses
 * only if this improves the score by more than the amount. For comparison, one token adds at most about 1 to
 * the score.
 */
const CLAUSE = 0.09;
/** Score (0 to 1) of a part of the task that matches no element. */
const UNREAD = 0.2;
/**
 * Increase of a task clause's score if its element is in the same form as the field of the previous clause. An
 * element outside of the form, but near that field, gets a part of the increase.
 */
const SAME_FORM = 0.08;

/**
 * Addition to the score of a clause that only asks to save ("save the changes"), if it is read as a click on the
 * first save button after the field that the task has filled last.
 */
const SAVES_ENTRY = 0.2;
/** Number of elements after a field that are searched for the button that saves its value. */
const SAVES_WITHIN = 25;
/**
 * Whether a clause is read as a click on the save button of the last filled field: the first button such as
 * "Save" after this field.
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

/** An assignment of elements to all clauses of a task, or to the clauses of its beginning. */
export interface State {
  readonly clauses: readonly ReadClause[];
  readonly sum: number;
  readonly tokens: number;
  /** Words and values of the task for which no element was chosen. */
  readonly unread: readonly Token[];
}

/** Returns the assignments of elements to the clauses of a task, best first. */
export function assignments(
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
 * Returns the possible meanings of a piece of the task (a text between separators) that names no element, each with a
 * score: a question to the agent, a reason, or a text that was not understood.
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
 * Adds the element for the next task clause to an assignment. Returns `undefined` if the assignment already uses this
 * element.
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
  if (state.clauses.some(({ reading: { element } }) => isSameChoice(element, reading.element)))
    return undefined;
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
 * Leaves out a clause if the next clause describes the same click. "Choose the room with the lake view" is
 * one click on the button "Choose" in the row of the lake view. Returns `undefined` if the two clicks are on
 * elements of different names, so that one of them is wrong.
 */
export function withoutDescribedClicks(clauses: readonly ReadClause[]): readonly ReadClause[] | undefined {
  const kept = clauses.filter((clause, at) => {
    const next = clauses[at + 1];
    return !(next && isDetailOf(clause, next) && isSameName(clause, next));
  });
  return kept.some((clause, at) => at > 0 && isDetailOf(kept[at - 1], clause)) ? undefined : kept;
}

const isDetailOf = (
  clause: ReadClause | undefined,
  { text, sharesVerb, reading: { kind } }: ReadClause,
): boolean =>
  sharesVerb &&
  kind === "click" &&
  clause?.reading.kind === "click" &&
  tokensOf(text)
    .slice(0, 2)
    .some((token) => token.kind === "word" && PREPOSITION.test(token.plain));

const isSameName = ({ reading }: ReadClause, other: ReadClause): boolean =>
  nameOf(reading.element) !== "" && nameOf(reading.element) === nameOf(other.reading.element);

/**
 * Amount that is added to the total score for a checkbox in the row of the previous checkbox. "Tick Plans of
 * Project 2 and Invoices" means two checkboxes in the row "Project 2".
 */
const SAME_ROW = 0.16;

function isInRowOf(element: HighlightedElement, clauses: readonly ReadClause[]): boolean {
  const last = clauses.at(-1)?.reading.element;
  const row = rowText(element);
  return last !== undefined && row !== "" && isTick(last) && isTick(element) && rowText(last) === row;
}

/**
 * A task may be divided into clauses in several ways. This amount is subtracted from the total score of a division
 * for each comma inside of a clause, because most commas separate two clauses.
 */
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

/**
 * Returns by how much the score of the best assignment of elements to the clauses of a task exceeds the score
 * of the second-best. Only clauses that differ are compared, because many equal clauses would hide a doubtful
 * clause.
 */
export function marginOf(first: State, second: State): number {
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

export const scoreOf = ({ sum, tokens }: State): number => (tokens === 0 ? 0 : sum / tokens);
const byScore = (one: State, other: State): number => scoreOf(other) - scoreOf(one);

/**
 * Returns a measure (0 to 1) of how near an element is to the field or list of the previous task clause. It is 1 if
 * both are in the same form.
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
 * Whether a part of a task only states something, as a sentence with "is" does. Such a part contains neither
 * a value nor an imperative.
 */
const isExplanation = (tokens: readonly Token[]): boolean =>
  tokens.every(({ kind, text }, at) => kind !== "value" && !(at > 0 && /^\p{Lu}/u.test(text))) &&
  !FIRST_VERB.test(textOf(tokens)) &&
  tokens.some(({ plain }) => VERB_OF_STATEMENT.test(plain));
const VERB_OF_STATEMENT =
  /^(?:is|are|was|were|should|must|can|can['’]?t|will|would|has|have|had|do|does|did|i|we|he|she|they|you|it|ist|sind|soll|est|sont|es|son|e|sono)$/u;
