/**
 * Reads a whole task on a page: it splits the task into clauses and gives each clause an element, so that all
 * words and values are explained as well as possible.
 */

import { formPath } from "../session/form-path.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { type Page, type Reading, verbOf } from "./clause-description.ts";
import { readingsOf } from "./clause-readings.ts";
import { sourceOf, type Token, textOf, tokensOf } from "./clause-tokens.ts";
import { AS, CREATING, SENDING } from "./clause-words.ts";
import { isField, isList, roleOf } from "./element-names.ts";
import { type ElementWords, explained, similarOn, wordsOfPage } from "./element-words.ts";
import { formFields, submitsOf } from "./form-scope.ts";
import { plainPhrase } from "./plain-verbs-for-phrases.ts";
import { hasWord } from "./target-match.ts";
import { contentWords } from "./target-words.ts";
import { FIRST_VERB } from "./task-parts.ts";
import { withoutTwins } from "./twin-elements.ts";

export interface ReadClause {
  readonly text: string;
  readonly reading: Reading;
}

export interface JointReading {
  readonly clauses: readonly ReadClause[];
  /** Mean score of the tokens of the task, from 0 to 1. */
  readonly score: number;
  /** Difference to the score of the best other assignment, in the clauses that differ. */
  readonly margin: number;
  /** Whether the task has a value that no clause uses. */
  readonly hasUnread: boolean;
  /** Whether each clause has an element. */
  readonly isComplete: boolean;
}

/** Maximum number of pieces between separators. A longer task is not read, because its end would be lost. */
const MAX_PIECES = 10;
/** Maximum number of pieces in one clause. */
const MAX_JOINED = 4;
/** Maximum number of tokens of a clause of several pieces. */
const JOINED_LENGTH = 24;
/** Number of assignments of the first clauses that are continued. */
const BEAM = 40;
/** Maximum number of text fields of a form that is submitted after one of them is filled. */
const SMALL_FORM = 2;
/** Score of a statement that only gives a reason: "Everyone should see it, make it public". */
const EXPLANATION = 0.4;
/** Maximum share of the tokens of a task that may stay without an element. */
const MAX_UNREAD = 0.4;
/** Minimum share of a word that an element explains, at which the page counts as having the word. */
const KNOWN = 0.5;
/** Deduction for each clause, so that a task is split only if the parts are explained better. */
const CLAUSE = 0.03;
/** Score of a piece that no element explains. */
const UNREAD = 0.2;
/** Score of a clause is increased by this amount if its element is in the form of the field before it. */
const SAME_FORM = 0.08;

interface State {
  readonly clauses: readonly ReadClause[];
  readonly sum: number;
  readonly tokens: number;
  /** Tokens of the pieces that no element explains. */
  readonly unread: readonly Token[];
}

/** @param onScored called for each reading of a clause that is scored */
export function readJointly(
  task: string,
  elements: readonly HighlightedElement[],
  onScored: () => void = () => undefined,
): JointReading | undefined {
  const pieces = piecesOf(tokensOf(task));
  if (pieces.length === 0 || pieces.length > MAX_PIECES) return undefined;
  const words = wordsOfPage(elements);
  const counts = new Map<string, number>();
  for (const { names } of words)
    for (const word of new Set(names.flatMap((name) => name.words)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const similar = similarOn(words);
  const known = new Map<string, boolean>();
  const related = new Map<string, ReadonlySet<ElementWords>>();
  const page: Page = {
    words,
    similar,
    onScored,
    related: (word) => {
      const found =
        related.get(word) ??
        new Set(
          similar(word).byMeaning.size === 0
            ? []
            : words.filter((one) => explained(word, one, similar).overall > 0),
        );
      related.set(word, found);
      return found;
    },
    weightOf: (word) => 1 / (1 + 0.5 * Math.log2(Math.max(1, counts.get(word) ?? 1))),
    hasWord: (word) => counts.has(word),
    isKnown: (word) => {
      const is =
        known.get(word) ??
        [...page.related(word)].some((one) => explained(word, one, similar).overall >= KNOWN);
      known.set(word, is);
      return is;
    },
  };
  const cache = new Map<string, readonly Reading[]>();
  const inheritedVerb = (from: number, clause: readonly Token[]): Token | undefined =>
    from > 0 && !FIRST_VERB.test(textOf(clause)) ? verbBefore(pieces, from) : undefined;
  const read = (from: number, to: number): readonly Reading[] => {
    const key = `${from} ${to}`;
    const before = cache.get(key);
    if (before) return before;
    const clause = joinedTokens(pieces, from, to);
    const plain = plainTokens(clause);
    const verb = inheritedVerb(from, clause);
    const found = [
      ...readingsOf(plain, page),
      // An idiom such as "I don't want the summary any more" may also switch something off.
      ...(plain === clause ? [] : readingsOf(clause, page).filter(({ kind }) => kind === "check")),
      ...(verb ? readingsOf([verb, ...clause], page) : []),
    ]
      .toSorted((one, other) => other.score - one.score)
      .filter(({ element }, at, all) => all.findIndex((one) => one.element === element) === at);
    const distinct = withoutTwins(
      found.map((reading) => ({ element: reading.element, score: reading.score })),
      elements,
    );
    const kept = found.filter(({ element }) => distinct.some((one) => one.element === element));
    cache.set(key, kept);
    return kept;
  };
  const beams: State[][] = Array.from({ length: pieces.length + 1 }, () => []);
  beams[0] = [{ clauses: [], sum: 0, tokens: 0, unread: [] }];
  for (let at = 0; at < pieces.length; at++) {
    for (const state of (beams[at] ?? []).toSorted(byScore).slice(0, BEAM)) {
      for (let to = at + 1; to <= Math.min(pieces.length, at + MAX_JOINED); to++) {
        const clause = joinedTokens(pieces, at, to);
        if (to > at + 1 && clause.length > JOINED_LENGTH) break;
        const length = clause.filter(({ kind }) => kind !== "separator").length;
        const isQuestion = pieces[at]?.at(-1)?.text === "?" && at + 1 < pieces.length;
        if (to === at + 1 && isQuestion) beams[to]?.push(state);
        if (to === at + 1)
          beams[to]?.push(
            isExplanation(clause) && pieces.length > 1
              ? { ...state, sum: state.sum + (EXPLANATION * length) / 2, tokens: state.tokens + length / 2 }
              : {
                  ...state,
                  sum: state.sum + UNREAD * length,
                  tokens: state.tokens + length,
                  unread: [...state.unread, ...clause],
                },
          );
        for (const reading of read(at, to)) {
          const isUsed = state.clauses.some(({ reading: { element } }) => element === reading.element);
          const isRelative = at > 0 && RELATIVE.test(clause[0]?.plain ?? "");
          if (isUsed || (isRelative && reading.kind !== "select")) continue;
          const bonus = SAME_FORM * closeness(reading.element, state.clauses);
          beams[to]?.push({
            ...state,
            clauses: [
              ...state.clauses,
              {
                text: [inheritedVerb(at, clause)?.text, sourceOf(plainTokens(clause))]
                  .filter(Boolean)
                  .join(" "),
                reading,
              },
            ],
            sum: state.sum + (reading.score + bonus) * length - CLAUSE * 3,
            tokens: state.tokens + length,
          });
        }
      }
    }
  }
  const done = (beams.at(-1) ?? []).filter(({ clauses }) => clauses.length > 0).toSorted(byScore);
  const best = done[0] && withSending(done[0], elements);
  if (!best) return undefined;
  const key = (state: State): string =>
    state.clauses
      .map(({ reading: { element, value } }) => `${element.highlight_index} ${value ?? ""}`)
      .join("|");
  const [first] = done;
  const second = done.find((state) => first && key(state) !== key(first));
  return {
    clauses: best.clauses,
    score: scoreOf(best),
    margin: second && first ? marginOf(first, second) : 1,
    isComplete: best.unread.length === 0,
    hasUnread:
      best.unread.some(({ kind }) => kind === "value") || best.unread.length > MAX_UNREAD * best.tokens,
  };
}

/** A task with several clauses may be sure in all but one, so the difference is that of the clauses that differ. */
function marginOf(first: State, second: State): number {
  const isShared = ({ reading: { element, value } }: ReadClause): boolean =>
    second.clauses.some(({ reading }) => reading.element === element && reading.value === value);
  const differing = first.clauses.filter((clause) => !isShared(clause));
  const length = differing.reduce((sum, { text }) => sum + tokensOf(text).length, 0);
  return ((scoreOf(first) - scoreOf(second)) * first.tokens) / Math.min(first.tokens, Math.max(1, length));
}

/** Adds the click that sends a message, if the verb asks for it: "Reply 'On my way'". */
function withSending(state: State, elements: readonly HighlightedElement[]): State {
  const last = state.clauses.at(-1);
  const verb = last && verbOf(tokensOf(last.text));
  if (last?.reading.kind !== "set") return state;
  const [first] = contentWords(textOf(tokensOf(last.text).slice(0, 1)));
  if (first !== undefined && CREATING.has(first)) return withCreating(state, last.reading, first, elements);
  if (verb === undefined || !SENDING.has(verb)) return state;
  const { element } = last.reading;
  const button =
    nextButton(element, elements) ??
    submitsOf(element, ["send", verb, "reply", "comment", "post"], elements)[0];
  if (!button) return state;
  const reading: Reading = {
    element: button,
    kind: "click",
    value: null,
    off: false,
    score: last.reading.score,
    name: 1,
  };
  return { ...state, clauses: [...state.clauses, { text: `send ${verb}`, reading }] };
}

/** Adds the click that makes a thing from a value: "Create an event called Dentist". */
function withCreating(
  state: State,
  { element, score }: Reading,
  verb: string,
  elements: readonly HighlightedElement[],
): State {
  const isSmall = formFields(element, elements).length <= SMALL_FORM;
  const button =
    nextButton(element, elements) ??
    (isSmall ? submitsOf(element, [verb, "add", "create"], elements)[0] : undefined);
  if (!button || ![...CREATING].some((word) => hasWord(button, word))) return state;
  const reading: Reading = { element: button, kind: "click", value: null, off: false, score, name: 1 };
  return { ...state, clauses: [...state.clauses, { text: verb, reading }] };
}

/** The button directly after a field. */
function nextButton(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const next = elements[elements.indexOf(field) + 1];
  const place = field.xpath.split("/").slice(0, -1).join("/");
  return next && roleOf(next) === "button" && next.xpath.startsWith(`${place}/`) ? next : undefined;
}

const scoreOf = ({ sum, tokens }: State): number => (tokens === 0 ? 0 : sum / tokens);
const byScore = (one: State, other: State): number => scoreOf(other) - scoreOf(one);

/** How near an element is to the field of the clause before it, from 0 to 1 for the same form. */
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

/** Words before which a clause may end without a separator. */
const SOFT = /^(?:with|mit|avec|con|that|which|who|whose)$/u;
/** Words before an address to which something is sent. */
const RECIPIENT = /^(?:to|for|an|a)$/u;
/** Of these, words that refer to the clause before. What follows can only be an option of another list. */
const RELATIVE = /^(?:that|which|who|whose)$/u;

/** Whether a piece of a task has neither a value nor an imperative. */
const isExplanation = (tokens: readonly Token[]): boolean =>
  tokens.every(({ kind, text }, at) => kind !== "value" && !(at > 0 && /^\p{Lu}/u.test(text))) &&
  !FIRST_VERB.test(textOf(tokens)) &&
  tokens.some(({ plain }) => VERB_OF_STATEMENT.test(plain));
const VERB_OF_STATEMENT =
  /^(?:is|are|was|were|should|must|can|can['’]?t|will|would|has|have|had|do|does|did|i|we|he|she|they|you|it|ist|sind|soll|est|sont|es|son)$/u;

function piecesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const pieces: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const next = tokens[at + 1];
    if (
      (RECIPIENT.test(token.plain) && next?.plain.includes("@") === true) ||
      SOFT.test(token.plain) ||
      ((before?.isQuoted || before?.plain.includes("@")) && token.kind === "word" && !AS.test(token.plain))
    )
      pieces.push([]);
    pieces.at(-1)?.push(token);
    if (token.kind === "separator" && !/[:=(]/u.test(token.text)) pieces.push([]);
  }
  return pieces.filter((piece) => piece.some(({ kind }) => kind !== "separator"));
}

/** Whether a task has only one clause, so that a plan by meaning has one step for it. */
export const isOneClause = (task: string): boolean => piecesOf(tokensOf(task)).length <= 1;

/** The verb of the pieces before, which a piece without a verb shares: "Dismiss this and that". */
function verbBefore(pieces: readonly (readonly Token[])[], from: number): Token | undefined {
  for (const piece of pieces.slice(0, from).toReversed()) {
    const [first] = piece.filter(({ kind }) => kind === "word");
    if (first && FIRST_VERB.test(first.text)) return first;
  }
  return undefined;
}

/** The tokens of a clause with a plain verb in place of an idiom. */
function plainTokens(tokens: readonly Token[]): readonly Token[] {
  const text = sourceOf(tokens);
  const plain = plainPhrase(text);
  return plain === text ? tokens : tokensOf(plain);
}

function joinedTokens(pieces: readonly (readonly Token[])[], from: number, to: number): readonly Token[] {
  const joined = pieces.slice(from, to).flat();
  return joined.at(-1)?.kind === "separator" ? joined.slice(0, -1) : joined;
}
