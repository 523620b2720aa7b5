/**
 * Confidence of a plan: clarity of the intent, match of its targets, certainty of its values. The weights, the zones and
 * the multiplier for risk are those of the protocol specification.
 */
import { dialogueLimits } from "./limits.ts";
import type { Plan } from "./plan-schemas.ts";

export type Confidence = Plan["confidence"];

const WEIGHTS = { intentClarity: 0.3, targetMatch: 0.5, valueConfidence: 0.2 } as const;
/** Factor of a plan with a step of high risk. */
const RISK_FACTOR = 0.7;
/** What a vague term, a reference without a noun, a part that became no step, a close second element and a word that the chosen element does not have take. */
const PENALTIES = { vague: 0.4, reference: 0.25, unread: 0.5, rival: 0.15, unknown: 0.25 } as const;
/** Score of an element that was found, before its similarity is added. */
const FOUND = 0.6;
/** A plan with a gap cannot be carried out: its other targets count half. With it, a gap is always asked about. */
const GAP = 0.5;
/** Certainty of a value that was inferred; one that the task states has 1. */
export const INFERRED_VALUE = 0.8;

const VAGUE =
  /\b(something|stuff|whatever|anything|things?|somehow|some ?where|etc|irgendwas|irgendetwas|quelque chose|algo)\b/giu;
const REFERENCES =
  /\b(that|it|this|those|them|there)\b(?!\s+\p{L}+\s*(?:page|form|row|button|field|link)\b)/giu;
const QUOTES = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/gu;

export interface Unclear {
  /** Parts of the task that became no step. */
  readonly unread: number;
  /** Targets with another element that fits nearly as well. */
  readonly rivals: number;
  /** Words of targets that their elements do not have. */
  readonly unknown?: number;
}

export function intentClarity(task: string, { unread, rivals, unknown = 0 }: Unclear): number {
  // Quoted words are values and names.
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

/** Score of a target: 0 when it was not found, else 0.6 and up to 0.4 by the similarity of its name. */
export function targetScore(similarity: number | undefined): number {
  return similarity === undefined ? 0 : FOUND + (1 - FOUND) * Math.min(1, Math.max(0, similarity));
}

function mean(scores: readonly number[]): number {
  return scores.length === 0 ? 1 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** @param targets scores of the elements that the plan needs; @param values those of its values */
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

/** Where a plan goes. Bounds are inclusive; a plan of high risk is approved from any zone, after its questions. */
export function routeOf(overall: number, highRisk: boolean): Route {
  if (overall < dialogueLimits.assume) return "clarify";
  return highRisk || overall >= dialogueLimits.proceed ? "approve" : "announce";
}

const round = (score: number): number => Math.round(score * 1_000) / 1_000;
