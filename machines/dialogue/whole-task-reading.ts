/**
 * Plans a whole task on a page at once. It splits the task into clauses and assigns an element to each clause,
 * so that the elements match as many words and values of the task as possible.
 */

import { nameOf } from "../session/element-line.ts";
import { formPath } from "../session/form-of-element.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { type Page, type Reading, verbOf } from "./clause-description.ts";
import { readingsOf } from "./clause-readings.ts";
import { sourceOf, type Token, textOf, tokensOf } from "./clause-tokens.ts";
import { leadVerb, statesField } from "./clause-verb.ts";
import { AS, CREATING, SENDING, switchesOff, TYPING, VERBS } from "./clause-words.ts";
import { isField, isList, roleOf } from "./element-names.ts";
import { type ElementWords, explained, similarOn, wordsOfPage } from "./element-words.ts";
import { formFields, submitsOf } from "./elements-of-one-form.ts";
import { plainPhrase } from "./plain-verbs-for-phrases.ts";
import { withPageValues } from "./spoken-values.ts";
import { hasWord } from "./target-match.ts";
import { contentWords, plainText } from "./target-words.ts";
import { FIRST_VERB } from "./task-parts.ts";
import { withoutTwins } from "./twin-elements.ts";
import { PRONOUN } from "./value-spans.ts";

export interface ReadClause {
  readonly text: string;
  readonly reading: Reading;
  /** Whether the clause has no verb of its own and takes over the verb of the clause before it. */
  readonly sharesVerb: boolean;
}

export interface JointReading {
  readonly clauses: readonly ReadClause[];
  /** How well the elements match the task, from 0 to 1: the mean over its tokens (words and values). */
  readonly score: number;
  /**
   * How far the score is above that of the second-best assignment of elements. Clauses that are equal in both
   * assignments are left out.
   */
  readonly margin: number;
  /** True if a value of the task has no element, or if more than `MAX_UNREAD` of its tokens have none. */
  readonly hasUnread: boolean;
  /** Whether each part of the task has an element. */
  readonly isComplete: boolean;
}

/**
 * Maximum number of pieces of a task. Pieces are separated by commas, "and" and the like. A task with more
 * pieces is not planned here.
 */
const MAX_PIECES = 10;
/** Maximum number of pieces (texts between separators such as commas) that form one clause. */
const MAX_JOINED = 4;
/** Maximum number of tokens (words and values) in a clause that consists of several pieces. */
const JOINED_LENGTH = 24;
/**
 * Number of best partial assignments that are continued at each piece of the task (the width of the beam
 * search).
 */
const BEAM = 40;
/**
 * A task such as "Create a tag named Red" fills in one field. If no button follows this field, the form is
 * submitted only if it has at most this number of text fields.
 */
const SMALL_FORM = 2;
/**
 * Score (0 to 1) of a part that only gives a reason, such as "Everyone should see it" in "Everyone should see
 * it, make it public".
 */
const EXPLANATION = 0.4;
/** Weight of the tokens of such a reason, compared with the tokens of a part that names an element. */
const EXPLANATION_WEIGHT = 0.5;
/**
 * How much less a word counts the more elements have it. At 0.5, a word of two elements counts two thirds of a
 * word that only one element has.
 */
const FREQUENCY = 0.5;
/**
 * A plan is not used if more than this share (0 to 1) of the task's tokens (words and values) have no element.
 */
const MAX_UNREAD = 0.4;
/**
 * The page counts as containing a word if the score (0 to 1) of the word against one of its elements is at
 * least this high.
 */
const KNOWN = 0.5;
/**
 * Deduction from the sum of an assignment for each clause; a token adds at most about 1 to the sum. A task is
 * thus split into more clauses only if each part then matches better.
 */
const CLAUSE = 0.09;
/** Score (0 to 1) of a part of the task that matches no element. */
const UNREAD = 0.2;
/**
 * Increase of a clause's score if its element is in the same form as the field of the clause before. An element
 * near that field gets a part of it.
 */
const SAME_FORM = 0.08;

/**
 * Increase of a clause's score if the clause only says that the values before are saved, and its element is the
 * nearest button after them that does so.
 */
const SAVES_ENTRY = 0.2;
/** Maximum number of elements between a value and the button that saves it. */
const SAVES_WITHIN = 25;
/** Matches a clause that only says that the values before are saved: "save the changes", "and save it". */
const SAVE_CLAUSE =
  /^(?:and\s+)?(?:save|store|apply|update|confirm|submit|speichere?|speichern|enregistre[rz]?|guarda)(?:\s+(?:it|them|that|this|everything|the\s+(?:change|changes|form|settings|entry)|my\s+changes|das|es|la|lo|le|les|los))?$/iu;

/** Whether an element is the nearest button after the last entered value that saves, for a clause such as "save". */
function isSaveOf(
  { element, kind }: Reading,
  clause: readonly Token[],
  clauses: readonly ReadClause[],
  page: readonly HighlightedElement[],
): boolean {
  const last = clauses.findLast(({ reading }) => reading.kind !== "click")?.reading.element;
  if (kind !== "click" || last === undefined || !SAVE_CLAUSE.test(textOf(clause))) return false;
  const at = page.indexOf(last);
  const next = page
    .slice(at + 1, at + 1 + SAVES_WITHIN)
    .find((one) => roleOf(one) === "button" && SAVE_WORDS.some((word) => hasWord(one, word)));
  return next === element;
}
const SAVE_WORDS = ["save", "update", "submit"] as const;

interface State {
  readonly clauses: readonly ReadClause[];
  readonly sum: number;
  readonly tokens: number;
  /** Tokens (words and values) of the task for which no element was chosen. */
  readonly unread: readonly Token[];
}

/** @param onScored called each time the score of an element for a clause is computed; tests count the calls */
export function readJointly(
  task: string,
  elements: readonly HighlightedElement[],
  onScored: () => void = () => undefined,
): JointReading | undefined {
  const pieces = piecesOf(tokensOf(withPageValues(task, elements)));
  if (pieces.length === 0 || pieces.length > MAX_PIECES) return undefined;
  const done = assignments(pieces, clauseReader(pieces, elements, pageOf(elements, onScored)));
  const [first] = done;
  if (!first) return undefined;
  const key = (state: State): string =>
    state.clauses
      .map(({ reading: { element, value } }) => `${element.highlight_index} ${value ?? ""}`)
      .join("|");
  const second = done.find((state) => key(state) !== key(first));
  const best = withSubmit(first, elements);
  return {
    clauses: best.clauses,
    score: scoreOf(best),
    margin: second ? marginOf(first, second) : 1,
    isComplete: best.unread.length === 0,
    hasUnread:
      best.unread.some(({ kind }) => kind === "value") || best.unread.length > MAX_UNREAD * best.tokens,
  };
}

/** Prepares the words of a page for the comparison with clauses. Each word is compared with the page once. */
function pageOf(elements: readonly HighlightedElement[], onScored: () => void): Page {
  const words = wordsOfPage(elements);
  const counts = new Map<string, number>();
  for (const { names } of words)
    for (const word of new Set(names.flatMap((name) => name.words)))
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

/** Returns a function that computes the result for each argument once. */
function remembered<Result>(compute: (argument: string) => Result): (argument: string) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (argument) => {
    const found = results.get(argument) ?? { result: compute(argument) };
    results.set(argument, found);
    return found.result;
  };
}

/** Reads the clause that consists of the pieces from the index `from` up to, but not including, `to`. */
interface ClauseReader {
  /** Returns the elements that the clause may mean, best first. */
  readonly read: (from: number, to: number) => readonly Reading[];
  /** Returns the verb that a clause without a verb takes from the clause before. */
  readonly inheritedVerb: (from: number, clause: readonly Token[]) => Token | undefined;
  /** The elements of the page, in its order. */
  readonly page: readonly HighlightedElement[];
}

function clauseReader(
  pieces: readonly (readonly Token[])[],
  elements: readonly HighlightedElement[],
  page: Page,
): ClauseReader {
  const cache = new Map<string, readonly Reading[]>();
  const inheritedVerb: ClauseReader["inheritedVerb"] = (from, clause) =>
    from > 0 && !FIRST_VERB.test(textOf(clause)) ? verbBefore(pieces, from) : undefined;
  const read: ClauseReader["read"] = (from, to) => {
    const key = `${from} ${to}`;
    const before = cache.get(key);
    if (before) return before;
    const clause = joinedTokens(pieces, from, to);
    const plain = plainTokens(clause);
    const verb = inheritedVerb(from, clause);
    const found = [
      ...readingsOf(plain, page),
      // The original words are also compared, but only with checkboxes: "I don't want the summary any more" may
      // switch a checkbox off.
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
  return { read, inheritedVerb, page: elements };
}

/** Assigns elements to the pieces of a task by a beam search. Returns the assignments, best first. */
function assignments(pieces: readonly (readonly Token[])[], reader: ClauseReader): readonly State[] {
  const beams: State[][] = Array.from({ length: pieces.length + 1 }, () => []);
  beams[0] = [{ clauses: [], sum: 0, tokens: 0, unread: [] }];
  for (let at = 0; at < pieces.length; at++) {
    for (const state of (beams[at] ?? []).toSorted(byScore).slice(0, BEAM)) {
      beams[at + 1]?.push(...withoutElement(state, pieces, at));
      for (let to = at + 1; to <= Math.min(pieces.length, at + MAX_JOINED); to++) {
        const clause = joinedTokens(pieces, at, to);
        if (to > at + 1 && clause.length > JOINED_LENGTH) break;
        for (const reading of reader.read(at, to))
          beams[to]?.push(...withElement(state, reading, clause, at, reader));
      }
    }
  }
  return (beams.at(-1) ?? []).filter(({ clauses }) => clauses.length > 0).toSorted(byScore);
}

/** Continues an assignment without an element for one piece: a question to the agent, a reason, or unread. */
function withoutElement(state: State, pieces: readonly (readonly Token[])[], at: number): readonly State[] {
  const clause = joinedTokens(pieces, at, at + 1);
  const length = lengthOf(clause);
  const isQuestion = pieces[at]?.at(-1)?.text === "?" && at + 1 < pieces.length;
  const isReason = isExplanation(clause) && pieces.length > 1;
  const unread: State = isReason
    ? {
        ...state,
        sum: state.sum + EXPLANATION * length * EXPLANATION_WEIGHT,
        tokens: state.tokens + length * EXPLANATION_WEIGHT,
      }
    : {
        ...state,
        sum: state.sum + UNREAD * length,
        tokens: state.tokens + length,
        unread: [...state.unread, ...clause],
      };
  return isQuestion ? [state, unread] : [unread];
}

/** Continues an assignment with an element for a clause. Returns none if the element is used already. */
function withElement(
  state: State,
  reading: Reading,
  clause: readonly Token[],
  at: number,
  { inheritedVerb, page }: ClauseReader,
): readonly State[] {
  const length = lengthOf(clause);
  if (state.clauses.some(({ reading: { element } }) => element === reading.element)) {
    // Two clauses may name the same control, as "I like what Ada wrote, give it a like" does.
    if (!isSameClick(reading, clause, state.clauses.at(-1))) return [];
    return [{ ...state, sum: state.sum + reading.score * length, tokens: state.tokens + length }];
  }
  const isRelative = at > 0 && RELATIVE.test(clause[0]?.plain ?? "");
  if (isRelative && reading.kind !== "select") return [];
  const verb = inheritedVerb(at, clause);
  const text = [verb?.text, sourceOf(plainTokens(clause))].filter(Boolean).join(" ");
  const bonus =
    SAME_FORM * closeness(reading.element, state.clauses) +
    (isSaveOf(reading, clause, state.clauses, page) ? SAVES_ENTRY : 0);
  return [
    {
      ...state,
      clauses: [...state.clauses, { text, reading, sharesVerb: verb !== undefined }],
      sum: state.sum + (reading.score + bonus) * length - CLAUSE,
      tokens: state.tokens + length,
    },
  ];
}

function lengthOf(clause: readonly Token[]): number {
  return clause.filter(({ kind }) => kind !== "separator").length;
}

/**
 * Returns how much higher the first assignment of elements scores than the second. Only the clauses that
 * differ are compared. Otherwise, many equal clauses would hide a doubtful one.
 */
function marginOf(first: State, second: State): number {
  const isShared = ({ reading: { element, value } }: ReadClause): boolean =>
    second.clauses.some(({ reading }) => reading.element === element && reading.value === value);
  const differing = first.clauses.filter((clause) => !isShared(clause));
  const length = differing.reduce((sum, { text }) => sum + tokensOf(text).length, 0);
  return ((scoreOf(first) - scoreOf(second)) * first.tokens) / Math.min(first.tokens, Math.max(1, length));
}

/**
 * Adds the click for the verb of the last clauses, after their values were entered: "Reply 'On my way'",
 * "Invite ada@example.com as editor".
 */
function withSubmit(state: State, elements: readonly HighlightedElement[]): State {
  const answered = state.clauses
    .map((clause) => withAnswer(clause, elements))
    .filter(({ reading }, at, all) => all[at - 1]?.reading.element !== reading.element);
  const ordered = { ...state, clauses: submitLast(answered) };
  const last = ordered.clauses.at(-1);
  if (last?.reading.kind !== "set" && last?.reading.kind !== "select") return ordered;
  for (const verb of submitVerbs(entriesAtEnd(ordered.clauses))) {
    const button = submitFor(verb, last.reading, elements);
    if (button && !ordered.clauses.some(({ reading: { element } }) => element === button)) {
      const { score } = last.reading;
      const reading: Reading = { element: button, kind: "click", value: null, off: false, score, name: 1 };
      return {
        ...ordered,
        clauses: [
          ...ordered.clauses,
          { text: SENDING.has(verb) ? `send ${verb}` : verb, reading, sharesVerb: true },
        ],
      };
    }
  }
  return ordered;
}

/** Maximum number of elements between a question on the page and its buttons "Yes" and "No". */
const ANSWER_WITHIN = 4;

/**
 * Replaces the question that a clause answers by the question's button "Yes" or "No": the clause "No driving
 * licence" means the button "No".
 */
function withAnswer(clause: ReadClause, elements: readonly HighlightedElement[]): ReadClause {
  const { element, kind } = clause.reading;
  if (kind !== "check" && kind !== "click") return clause;
  const at = elements.indexOf(element);
  const near = elements.slice(at + 1, at + 1 + ANSWER_WITHIN);
  const answer = (word: string) => near.find((one) => plainText(nameOf(one)) === word);
  const [yes, no] = [answer("yes"), answer("no")];
  const isAnswer = yes && no && nameOf(element).trim().endsWith("?");
  if (!isAnswer) return clause;
  const wanted = switchesOff(clause.text, nameOf(element)) ? no : yes;
  const reading = {
    ...clause.reading,
    element: wanted,
    kind: "click",
    off: false,
    question: element,
  } as const;
  return { ...clause, reading };
}

/** Returns the clauses at the end of the task that put values into fields. */
function entriesAtEnd(clauses: readonly ReadClause[]): readonly ReadClause[] {
  const at = clauses.findLastIndex(({ reading: { kind } }) => kind === "click" || kind === "search");
  return clauses.slice(at + 1);
}

/** Returns the verbs of clauses, without the words that only belong to the name of a field. */
function submitVerbs(clauses: readonly ReadClause[]): ReadonlySet<string> {
  const verbs = clauses.map(({ text, reading }) => ({
    verb: submitVerbOf(text),
    isStated: (verb: string) => statesField(tokensOf(text), verb, nameOf(reading.element)),
  }));
  // A clause that shares the word of a statement has no verb: "Order number is 30, color: red".
  const stated = new Set(verbs.flatMap(({ verb, isStated }) => (verb && isStated(verb) ? [verb] : [])));
  return new Set(verbs.flatMap(({ verb }) => (verb && !stated.has(verb) ? [verb] : [])));
}

/**
 * Returns the verb of a clause if a button with this verb is clicked after values were entered, such as
 * "invite", "reply" or "create".
 */
function submitVerbOf(text: string): string | undefined {
  const tokens = tokensOf(text);
  const [first] = contentWords(textOf(tokens.slice(0, 1)));
  if (first !== undefined && CREATING.has(first)) return first;
  const verb = leadVerb(tokens) ?? verbOf(tokens);
  if (verb === undefined || TYPING.has(verb)) return undefined;
  if (verb === "use" && tokens.some(({ kind }) => kind === "value")) return "apply";
  if (VERBS.SEARCH.has(verb)) return "search";
  const { MESSAGE, ...others } = VERBS;
  const isOther = Object.values(others).some((set) => set.has(verb));
  return SENDING.has(verb) || MESSAGE.has(verb) || !isOther ? verb : undefined;
}

/** Returns the button that is clicked for the verb after the field was filled in, such as "Invite". */
function submitFor(
  verb: string,
  { element, kind }: Reading,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const next = nextButton(element, elements);
  if (CREATING.has(verb)) {
    const isSmall = formFields(element, elements).length <= SMALL_FORM;
    const button = next ?? (isSmall ? submitsOf(element, [verb, "add", "create"], elements)[0] : undefined);
    const adds = button !== undefined && [...CREATING].some((word) => hasWord(button, word));
    return adds && kind === "set" ? button : undefined;
  }
  const names =
    verb === "search"
      ? ["search", "filter"]
      : SENDING.has(verb)
        ? [verb, "send", "reply", "comment", "post", "submit"]
        : [verb];
  const does = (button: HighlightedElement): boolean => names.some((name) => hasWord(button, name));
  const isNext = next !== undefined && (does(next) || (SENDING.has(verb) && !/\p{L}/u.test(nameOf(next))));
  if (isNext) return next;
  const named = submitsOf(element, names, elements)[0];
  return named && does(named) ? named : undefined;
}

/**
 * Moves a click after the following clauses that share its verb and enter values. In "Send a message to Ada
 * saying 'Hello'", "Send" is clicked last.
 */
function submitLast(clauses: readonly ReadClause[]): readonly ReadClause[] {
  const at = clauses.findIndex(({ reading: { kind } }, index) => {
    const next = clauses[index + 1];
    return kind === "click" && next?.sharesVerb === true && next.reading.kind === "set";
  });
  const click = clauses[at];
  if (!click) return clauses;
  const end = clauses.findIndex(
    ({ sharesVerb, reading: { kind } }, index) => index > at && !(sharesVerb && kind !== "click"),
  );
  const stop = end < 0 ? clauses.length : end;
  return [...clauses.slice(0, at), ...clauses.slice(at + 1, stop), click, ...clauses.slice(stop)];
}

/** Returns the button that follows directly after a field. */
function nextButton(
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const next = elements[elements.indexOf(field) + 1];
  const place = field.xpath.split("/").slice(0, -1).join("/");
  return next && roleOf(next) === "button" && next.xpath.startsWith(`${place}/`) ? next : undefined;
}

/** Whether a clause refers by a pronoun to the control that the clause before it clicks: "give it a like". */
const isSameClick = (reading: Reading, clause: readonly Token[], last: ReadClause | undefined): boolean =>
  last?.reading.kind === "click" &&
  reading.kind === "click" &&
  last.reading.element === reading.element &&
  clause.some(({ kind, plain }) => kind === "word" && PRONOUN.test(plain));

const scoreOf = ({ sum, tokens }: State): number => (tokens === 0 ? 0 : sum / tokens);
const byScore = (one: State, other: State): number => scoreOf(other) - scoreOf(one);

/**
 * Returns how near an element is to the field or list of the clause before: 1 in the same form, and less for a
 * more distant place on the page.
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
 * Words at which a new piece of the task may start without a comma, such as "with" in "a study with the name
 * beta".
 */
const SOFT = /^(?:with|mit|avec|con|that|which|who|whose)$/u;
/** Words before an e-mail address at which a new piece of the task starts: "send it to ada@example.com". */
const RECIPIENT = /^(?:to|for|an|a)$/u;
/**
 * Words that refer to the clause before, such as "that" in "users that are active". A clause with such a word
 * at the start can only choose an option of a list.
 */
const RELATIVE = /^(?:that|which|who|whose)$/u;

/**
 * Whether a part of a task only states something: it has a verb such as "is", but no value and no imperative.
 */
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
      ((before?.isQuoted || before?.plain.includes("@")) && token.kind === "word" && !AS.test(token.plain)) ||
      (before?.plain.includes("@") === true && token.plain === "as")
    )
      pieces.push([]);
    pieces.at(-1)?.push(token);
    if (token.kind === "separator" && !/[:=(]/u.test(token.text)) pieces.push([]);
  }
  return pieces.filter((piece) => piece.some(({ kind }) => kind !== "separator"));
}

/** Whether a task has only one clause. `planByMeaning` then returns a plan with one step. */
export const isOneClause = (task: string): boolean => piecesOf(tokensOf(task)).length <= 1;

/**
 * Returns the verb of an earlier piece for a piece without a verb. In "Dismiss this and that", the piece "that"
 * gets the verb "Dismiss".
 */
function verbBefore(pieces: readonly (readonly Token[])[], from: number): Token | undefined {
  for (const piece of pieces.slice(0, from).toReversed()) {
    const [first] = piece.filter(({ kind }) => kind === "word");
    if (first && FIRST_VERB.test(first.text)) return first;
  }
  return undefined;
}

/** Replaces an idiom in a clause by a plain verb: "get rid of" by "delete". */
function plainTokens(tokens: readonly Token[]): readonly Token[] {
  const text = sourceOf(tokens);
  const plain = plainPhrase(text);
  return plain === text ? tokens : tokensOf(plain);
}

function joinedTokens(pieces: readonly (readonly Token[])[], from: number, to: number): readonly Token[] {
  const joined = pieces.slice(from, to).flat();
  return joined.at(-1)?.kind === "separator" ? joined.slice(0, -1) : joined;
}
