/**
 * Limits of dialogues. Most come from the protocol specification. In milliseconds unless a name says
 * otherwise.
 */
import { MINUTE, SECOND } from "../units.ts";

export const dialogueLimits = {
  /** Minimum confidence at which a plan needs only approval and no questions. */
  proceed: 0.9,
  /** Minimum confidence at which Cairn announces its assumptions instead of asking questions. */
  assume: 0.5,
  /** Time in which a person can correct an announced assumption before the plan runs. */
  announce: 3 * SECOND,
  questionsPerRound: 3,
  rounds: 3,
  refinements: 3,
  /** Evaluation score of a plan at which refinement stops. */
  goodScore: 0.9,
  /** Maximum number of options of one question. The option `Other` is always added. */
  options: 4,
  /** Maximum number of messages and plans in the state that callers see. The store keeps all of them. */
  recentMessages: 20,
  recentPlans: 3,
  /** Time limit of one step of a plan. */
  stepWithin: 2 * MINUTE,
  taskLength: 2_000,
  /** Maximum length of a line of the conversation, in characters. */
  historyLine: 300,
  /** How often a failed step is retried without a question, if the dialogue permits automatic recovery. */
  autoRecoveries: 2,
  /** Maximum number of elements in a request that contains its own page. */
  givenElements: 5_000,
  /** Maximum number of parts of a task. Further parts are ignored. */
  parts: 30,
} as const;
