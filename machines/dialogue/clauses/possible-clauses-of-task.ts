/**
 * Finds the possible clauses of a task. Each consists of one or more pieces of the task (texts between separators), and
 * has the elements to which it may refer.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { Page, Reading } from "../elements/clause-match-score.ts";
import { withoutTwins } from "../elements/elements-with-same-effect.ts";
import { joinedTokens, verbBefore } from "../task/split-task-at-commas.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { sourceOf, type Token, textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { boundField } from "../values/values-bound-by-field-index.ts";
import { plainPhrase } from "../words/plain-verbs-for-phrases.ts";
import { TICKING } from "./controls-for-clause.ts";
import { readingsOf, UNTICKABLE } from "./possible-elements-for-clause.ts";

/**
 * Maximum number of pieces of the task (texts between separators such as commas) that are joined to one
 * clause.
 */
const MAX_JOINED = 4;
/** Maximum number of tokens (words and values) in a clause that is joined from several pieces of the task. */
const JOINED_LENGTH = 24;
/** Matches a clause that only asks to save the values entered before: "save the changes", "and save it". */
const SAVE_CLAUSE =
  /^(?:and\s+)?(?:save|store|apply|update|confirm|submit|speichere?|speichern|enregistre[rz]?|guarda|gu[aá]rdal[ao]s?|salva(?:re|l[oaie])?)(?:\s+(?:it|them|that|this|everything|the\s+(?:change|changes|form|settings|entry)|my\s+changes|das|es|la|lo|le|les|los|tutto|le\s+modifiche))?$/iu;

/**
 * Matches a word that refers to the previous clause, such as "that" in "users that are active". A clause that
 * starts with it can only choose an option of a list.
 */
const RELATIVE = /^(?:that|which|who|whose)$/u;

/**
 * A possible clause of a task: the text of one or more pieces (texts between separators), and the elements to which
 * it may refer.
 */
export interface Clause {
  /** Index of the first piece (part of the task's text) after this clause. */
  readonly end: number;
  readonly tokens: readonly Token[];
  /** Number of the words and values in the task clause. */
  readonly length: number;
  /**
   * The text of the task clause. If it has no verb, the verb of an earlier clause is added. Idioms are replaced by
   * plain verbs.
   */
  readonly text: string;
  readonly sharesVerb: boolean;
  /** Whether the clause starts with a word such as "that", which refers to the clause before. */
  readonly isRelative: boolean;
  /** Whether the task clause only asks to save the values entered before. */
  readonly isSave: boolean;
  /** The elements that the task clause may mean, best first. */
  readonly readings: readonly Reading[];
}

/**
 * Returns the possible clauses that start at the piece of the task with the index `at`. A clause consists of
 * this piece, or of this piece and some of the following ones.
 */
export function clausesFrom(
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
 * Returns the readings of a task clause, best first. Each has an element to which the clause may refer, what the
 * clause does to it, and a score. No two readings have the same element.
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
  // In "Tick the items of Ada and Bob", the piece "Bob" could also be the name of a link. But the verb "tick"
  // refers to both pieces, so a click on this link gets a lower score.
  const sharesTick = verb !== undefined && TICKING.test(verb.plain);
  const found = [
    ...readingsOf(plain, page).map((reading) =>
      sharesTick && reading.kind === "click" ? { ...reading, score: reading.score * UNTICKABLE } : reading,
    ),
    // Checkboxes are also compared with the words that the person has written, in which idioms are not
    // replaced by plain verbs: "I don't want the summary any more" may switch a checkbox off.
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

/** Returns the number of words and values in tokens. */
export function lengthOf(clause: readonly Token[]): number {
  return clause.filter(({ kind }) => kind !== "separator").length;
}

/** Replaces an idiom in a clause by a plain verb: "get rid of" by "delete". */
function plainTokens(tokens: readonly Token[]): readonly Token[] {
  const text = sourceOf(tokens);
  const plain = plainPhrase(text);
  return plain === text ? tokens : tokensOf(plain);
}
