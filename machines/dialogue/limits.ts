/** Limits of dialogues, from the protocol specification where it names them. Milliseconds unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const dialogueLimits = {
  /** Confidence from which a plan only needs approval. */
  proceed: 0.9,
  /** Confidence from which assumptions are announced instead of asked. */
  assume: 0.5,
  /** How long an announcement may be corrected before its plan runs. */
  announce: 3 * SECOND,
  questionsPerRound: 3,
  rounds: 3,
  refinements: 3,
  /** Score of a plan's evaluation from which it is not refined further. */
  goodScore: 0.9,
  /** Options of one question; `Other` is always possible. */
  options: 4,
  /** Lines of the conversation and plans that the state shows; all of them are rows. */
  recentMessages: 20,
  recentPlans: 3,
  /** Deadline of one step of a plan. */
  stepWithin: 2 * MINUTE,
  taskLength: 2_000,
  /** Characters of a line of the conversation. */
  historyLine: 300,
  /** Retries of one step without asking, when the dialogue may recover by itself. */
  autoRecoveries: 2,
  /** Elements of a request that brings its own page. */
  givenElements: 5_000,
  /** Parts of a task; more are not read. */
  parts: 30,
} as const;
