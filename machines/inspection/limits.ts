/** Limits of what inspection shows of an actor. In milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const inspectionLimits = {
  /**
   * Limits of a shown context: levels of nesting, entries of one list, characters of one text, values in
   * total.
   */
  context: { depth: 12, entries: 100, text: 1_000, values: 5_000 },
  /** Limits of a shown event. They are small, because events of a crawl contain whole pages. */
  event: { depth: 6, entries: 20, text: 200, values: 200 },
  /** Minimum interval of activity events in lists of actors while the state stays the same. */
  stateEvery: SECOND,
} as const;
