/**
 * Computes the confidence of a plan: how clear the intent is, how well the targets match, and how certain the
 * values are. The weights, the limits for approval and the factor for risk are those of the protocol
 * specification.
 */
import { dialogueLimits } from "../dialogue-limits.ts";
import type { Plan } from "./plan-schemas.ts";

export type Confidence = Plan["confidence"];

const WEIGHTS = { intentClarity: 0.3, targetMatch: 0.5, valueConfidence: 0.2 } as const;
/** The confidence of a plan with a high-risk step is multiplied by this factor. */
const RISK_FACTOR = 0.7;
/**
 * Amounts by which the clarity score of a task is reduced. `vague`: a vague word such as "something".
 * `reference`: a pronoun without a noun. `unread`: a part of the task without a step. `rival`: a second
 * element that matches nearly as well. `unknown`: a word of the task that the chosen element does not have.
 */
const PENALTIES = { vague: 0.4, reference: 0.25, unread: 0.5, rival: 0.15, unknown: 0.25 } as const;
/**
 * Minimum score (0 to 1) of a target for which an element was found. The more similar the element's name is to the
 * wanted name, the nearer the score is to 1.
 */
const FOUND = 0.6;
/**
 * Factor for the target score of a plan that lacks an element or a value. Such a plan cannot run, so its
 * confidence must be low enough that the dialogue asks a question.
 */
const GAP = 0.5;
/** Certainty (0 to 1) of a value that Cairn inferred. A value that the task states has certainty 1. */
export const INFERRED_VALUE = 0.8;

const VAGUE =
  /\b(something|stuff|whatever|anything|things?|somehow|some ?where|etc|irgendwas|irgendetwas|quelque chose|algo)\b/giu;
const REFERENCES =
  /\b(that|it|this|those|them|there)\b(?!\s+\p{L}+\s*(?:page|form|row|button|field|link)\b)/giu;
const QUOTES = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/gu;

/** Whether a text names something only vaguely, by words such as "something" or "stuff". */
export const isVague = (text: string): boolean => text.match(VAGUE) !== null;

export interface Unclear {
  /** Number of the task's parts that no step of the plan covers. */
  readonly unread: number;
  /** Number of targets for which a second element matches nearly as well. */
  readonly rivals: number;
  /**
   * Number of words that the task uses for its targets and that the chosen elements lack. An example is "blue",
   * if the task names "the blue chair" and the chosen element is "Chair".
   */
  readonly unknown?: number;
}

export function intentClarity(task: string, { unread, rivals, unknown = 0 }: Unclear): number {
  // Quoted words are values and names, so the search for vague words leaves them out.
  const said = task.replace(QUOTES, " ");
  const count = (pattern: RegExp): number => said.match(pattern)?.length ?? 0;
  const penalty =
    PENALTIES.vague * count(VAGUE) +
    PENALTIES.reference * count(REFERENCES) +
    PENALTIES.unread * unread +
    PENALTIES.rival * rivals +
    PENALTIES.unknown * unknown;
  return Math.max(0, 1 - penalty);
}

/**
 * Returns the score of a step's target: 0 without an element, otherwise 0.6 to 1. The score grows with the
 * similarity between the element's name and the wanted name.
 */
export function targetScore(similarity: number | undefined): number {
  return similarity === undefined ? 0 : FOUND + (1 - FOUND) * Math.min(1, Math.max(0, similarity));
}

function mean(scores: readonly number[]): number {
  return scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/**
 * Returns the confidence of a plan. It is reduced if a step has no element or if a step is of high risk.
 *
 * @param targets score (0 to 1) of each element that the plan uses; 0 for a step without an element
 * @param values score (0 to 1) of each value that the plan types or chooses
 */
export function confidenceOf(
  clarity: number,
  targets: readonly number[],
  values: readonly number[],
  highRisk: boolean,
): Confidence {
  const gap = targets.includes(0) ? GAP : 1;
  const breakdown = {
    intentClarity: clarity,
    targetMatch: round(gap * mean(targets)),
    valueConfidence: round(mean(values)),
  };
  const sum =
    breakdown.intentClarity * WEIGHTS.intentClarity +
    breakdown.targetMatch * WEIGHTS.targetMatch +
    breakdown.valueConfidence * WEIGHTS.valueConfidence;
  return { overall: round(highRisk ? sum * RISK_FACTOR : sum), breakdown };
}

export type Route = "approve" | "announce" | "clarify";

/**
 * Decides by the confidence whether a plan only needs approval, is announced with its assumptions, or needs
 * questions first. The limits are inclusive. A plan with high risk always needs approval, even after its
 * questions are answered.
 */
export function routeOf(overall: number, highRisk: boolean): Route {
  if (overall < dialogueLimits.assume) return "clarify";
  return highRisk || overall >= dialogueLimits.approve ? "approve" : "announce";
}

const round = (score: number): number => Math.round(score * 1_000) / 1_000;
