/**
 * Limits of walks. A walk is the execution of a route in a session. In milliseconds unless a name says
 * otherwise.
 */
import { MINUTE } from "../time-and-size-units.ts";

export const walkLimits = {
  /**
   * Maximum number of new routes that one walk requests. A new route is needed when a step did not lead to
   * the expected screen.
   */
  reroutes: 4,
  /** Maximum number of steps in one walk, counted over all its routes. */
  steps: 60,
  /** Time limit for one step of a walk. */
  stepWithin: 2 * MINUTE,
  /** Maximum time that a caller waits for the end of a walk (the execution of a route). */
  waitWithin: 5 * MINUTE,
} as const;
