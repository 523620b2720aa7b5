/** Limits of the console. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const consoleLimits = {
  /** A diagram that takes longer to lay out is given up … */
  layoutWithin: 20 * SECOND,
  /** … and the layout's thread ends when nothing was to be drawn for so long. */
  layoutIdle: 10 * SECOND,
  /** How long a person stays signed in. */
  session: 12 * 60 * MINUTE,
  /** Actors of one page of the list. */
  actorsPage: 50,
  /** Diagrams that are kept: one for each machine there is. */
  diagrams: 50,
} as const;
