/** Limits of the console. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const consoleLimits = {
  /** Deadline for the layout of one diagram. */
  layoutWithin: 20 * SECOND,
  /** Idle time after which the layout thread ends. The thread takes 70 MB. */
  layoutIdle: 10 * SECOND,
  /** Lifetime of a console session. */
  session: 12 * 60 * MINUTE,
  /** Cached diagrams: more than there are machines. */
  diagrams: 50,
} as const;
