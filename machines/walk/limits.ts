/**
 * Limits of walks, which are routes that Cairn executes in a session. In milliseconds unless a name says
 * otherwise.
 */
import { MINUTE } from "../units.ts";

export const walkLimits = {
  /** Maximum number of new routes in one walk, after a step did not lead to the expected screen. */
  reroutes: 4,
  /** Maximum number of steps in one walk, over all its routes. */
  steps: 60,
  /** Time limit of one step. */
  stepWithin: 2 * MINUTE,
  /** Maximum time that a caller waits until a walk (an executed route) has arrived. */
  waitWithin: 5 * MINUTE,
} as const;
