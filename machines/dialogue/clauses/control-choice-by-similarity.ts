/**
 * Chooses the control that a clause probably means, if the words of the clause name no control. The weights
 * were fitted to the labelled tasks of the bench `dialogue` by
 * `test/bench/support/dialogue-tasks/fit-control-similarity-weights.ts`.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { leadVerb } from "../task/clause-verb.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import type { WordVectors } from "../words/word-vectors.ts";
import { type Candidate, candidatesFor, type Features, isShowing } from "./control-similarity-to-clause.ts";

/**
 * Weights of the features of a control. A feature is a number that says how well the control fits the task clause.
 * The weighted sum of the features is the score of the control, which has no upper limit.
 */
const WEIGHTS: Features = {
  name: 1.02,
  whole: -0.04,
  place: 3.35,
  row: 1.67,
  words: 3.39,
  named: 0.99,
  explained: 4.07,
  first: 1.64,
  tick: 0.04,
  option: 0.01,
  plain: 0.09,
  shows: 1.01,
  length: 0.3,
  nameless: 1.14,
};

/** Numbers from which the probability is computed that the task clause means the control with the best score. */
export interface Evidence {
  /**
   * The constant 1. Its weight is the intercept of the logistic model: the log-odds when all other numbers
   * are 0.
   */
  readonly always: number;
  /** Score of the best control. */
  readonly score: number;
  /** Difference to the score of the second-best control, at most `MAX_LEAD`. */
  readonly lead: number;
  /**
   * Similarity (0 to 1) of the task clause's first word, which is often a verb, to the nearest word in the name of
   * the best control.
   */
  readonly first: number;
  /**
   * How dissimilar (0 to 1) the first word of the clause, such as "archive", is to the words in the name of
   * the best control. 0 if the clause is no order with a verb, or only asks to show something.
   */
  readonly unmet: number;
  /** Equal to `unmet` if the best control is a link or a tab, which only shows something; otherwise 0. */
  readonly leads: number;
  /**
   * 1 if the planner has already found several controls that fit the words of the clause equally well; otherwise 0.
   */
  readonly several: number;
}
/**
 * Weights of the fields of `Evidence`. The weighted sum is the logarithm of the odds that the task clause means the
 * best control.
 */
const CHANCE: Evidence = {
  always: -1.8,
  score: 0.03,
  lead: 1.49,
  first: -1.06,
  unmet: -1.77,
  leads: -0.51,
  several: -1.92,
};
/** Maximum value of `lead`. A greater difference does not make the best control more probable. */
const MAX_LEAD = 3;

export interface Choice {
  /** The candidates with their scores, best first. */
  readonly scored: readonly Scored[];
  /** Numbers from which `chance` is computed; `undefined` if there is no candidate (control or list option). */
  readonly evidence: Evidence | undefined;
  /** Probability (0 to 1) that the first candidate is the one that the task clause means. */
  readonly chance: number;
}

/**
 * Returns the controls and list options that the task clause may mean, best first, and the probability that the first
 * is meant.
 *
 * @param several whether several controls fit the words of the clause equally well
 */
export function similarElements(
  clause: string,
  elements: readonly HighlightedElement[],
  vectors: WordVectors,
  several: boolean,
): Choice {
  const scored = candidatesFor(clause, elements, vectors)
    .map((candidate) => ({ candidate, score: weighted(candidate.features, WEIGHTS) }))
    .toSorted((one, other) => other.score - one.score);
  const [best, next] = scored;
  if (!best) return { scored, evidence: undefined, chance: 0 };
  const evidence = evidenceOf(clause, best, next, several);
  return { scored, evidence, chance: 1 / (1 + Math.exp(-weighted(evidence, CHANCE))) };
}

export interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

function evidenceOf(
  clause: string,
  { candidate: { element, features }, score }: Scored,
  next: Scored | undefined,
  several: boolean,
): Evidence {
  const isOrder = !isShowing(clause) && leadVerb(tokensOf(clause)) !== undefined;
  const unmet = isOrder ? 1 - features.first : 0;
  return {
    always: 1,
    score,
    lead: Math.min(MAX_LEAD, score - (next?.score ?? 0)),
    first: features.first,
    unmet,
    leads: onlyLeads(element) ? unmet : 0,
    several: several ? 1 : 0,
  };
}

/** Whether a click on the element only shows another page or another part of the page. */
const onlyLeads = (element: HighlightedElement): boolean =>
  element.tagName === "a" ||
  element.interactionType === "navigate" ||
  /^(?:link|tab|menuitem|treeitem)$/u.test(element.role ?? "");

function weighted<Named extends Features | Evidence>(numbers: Named, weights: Named): number {
  // The cast is safe: `Features` and `Evidence` contain only numbers.
  const known = numbers as unknown as Readonly<Record<string, number>>;
  return Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * (known[name] ?? 0), 0);
}
