/**
 * Limits of walks. A walk is the execution of a route in a session. Values are in milliseconds unless a name
 * says otherwise.
 */
import { MINUTE, SECOND } from "../time-and-size-units.ts";

export const walkLimits = {
  /**
   * Maximum number of new routes that one walk requests. A new route is needed when a step did not lead to
   * the expected screen.
   */
  reroutes: 4,
  /** Maximum number of steps in one walk, counted over all its routes. */
  steps: 60,
  /** Time limit for one step of a walk (the execution of a route). */
  stepWithin: 2 * MINUTE,
  /**
   * Maximum time after a click in which the expected state of a page, such as an open dialog, must be
   * recognised. The page may first have to load the content of the dialog.
   */
  stateWithin: 10 * SECOND,
  /** Interval at which the session is checked for the expected state. */
  stateEvery: 250,
  /** Maximum time that a caller waits for the end of a walk (the execution of a route). */
  waitWithin: 5 * MINUTE,
} as const;
