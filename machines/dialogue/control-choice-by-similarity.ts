/**
 * Chooses the control that a clause probably means, if the words of the clause name no control. The weights
 * were fitted to the labelled tasks of the bench `dialogue` by
 * `test/bench/support/dialogue-tasks/fit-control-similarity-weights.ts`.
 */
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { tokensOf } from "./clause-tokens.ts";
import { leadVerb } from "./clause-verb.ts";
import { type Candidate, candidatesFor, type Features, isShowing } from "./control-similarity-to-clause.ts";
import type { WordVectors } from "./word-vectors.ts";

/** Weights of the features of a control. Their sum is the score of the control, which has no upper limit. */
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

/** What decides whether the best control is meant, or none. */
export interface Evidence {
  /** Always 1. */
  readonly always: number;
  /** Score of the best control. */
  readonly score: number;
  /** Difference to the score of the second-best control, at most `MAX_LEAD`. */
  readonly lead: number;
  /** Similarity of the first word, as in `Features`. */
  readonly first: number;
  /** How little the control has of the verb of an imperative that is more than "show" (0 to 1). */
  readonly unmet: number;
  /** The same if the control is a link or a tab, which only shows something. */
  readonly leads: number;
  /** 1 if the planner has already found several controls that fit the words equally well. */
  readonly several: number;
}
/** Weights of the evidence. Their sum is the logarithm of the odds that the best control is meant. */
const CHANCE: Evidence = {
  always: -1.8,
  score: 0.03,
  lead: 1.49,
  first: -1.06,
  unmet: -1.77,
  leads: -0.51,
  several: -1.92,
};
/** Maximum lead that counts. A greater one is no better evidence. */
const MAX_LEAD = 3;

export interface Choice {
  /** The candidates with their scores, best first. */
  readonly scored: readonly Scored[];
  /** What decides whether the first candidate is meant; `undefined` if there is no candidate. */
  readonly evidence: Evidence | undefined;
  /** Probability (0 to 1) that the first candidate is the one that the clause means. */
  readonly chance: number;
}

/** @param several whether several controls fit the words of the clause equally well */
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
  // The cast is safe: both interfaces have only numbers.
  const known = numbers as unknown as Readonly<Record<string, number>>;
  return Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * (known[name] ?? 0), 0);
}
