/** Limits of the web console. Values are in milliseconds or bytes unless a comment says otherwise. */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const consoleLimits = {
  /** Time limit for the layout of one diagram. */
  layoutWithin: 20 * SECOND,
  /** Idle time after which the layout thread is ended, to free its 70 MB of memory. */
  layoutIdle: 10 * SECOND,
  /** Lifetime of a console session, after which the person signs in again. */
  session: 12 * 60 * MINUTE,
  /** Maximum number of cached diagrams. It is higher than the number of state machines. */
  diagrams: 50,
} as const;
