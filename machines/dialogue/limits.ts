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
  /** Options of one question; `Other` is always possible. */
  options: 4,
  /** Messages and plans that the state shows; all of them are rows. */
  recentMessages: 20,
  recentPlans: 3,
  /** Deadline of one step of a plan. */
  stepWithin: 2 * MINUTE,
  taskLength: 2_000,
} as const;
