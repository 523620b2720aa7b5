/** Limits of walks: routes that Cairn executes in a session. Milliseconds unless a name says otherwise. */
import { MINUTE } from "../units.ts";

export const walkLimits = {
  /** New routes of one walk after something else happened than expected. */
  reroutes: 4,
  /** Steps of one walk over all its routes. */
  steps: 60,
  /** Deadline of one step. */
  stepWithin: 2 * MINUTE,
  /** Deadline of a caller that waits for the arrival. */
  waitWithin: 5 * MINUTE,
} as const;
