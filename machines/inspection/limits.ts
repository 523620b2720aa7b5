/** Limits of what inspection shows of an actor. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const inspectionLimits = {
  /** Bounds of a shown context: levels, entries of one list, characters of one text, values in total. */
  context: { depth: 12, entries: 100, text: 1_000, values: 5_000 },
  /** Bounds of a shown event. Events of a crawl carry whole pages. */
  event: { depth: 6, entries: 20, text: 200, values: 200 },
  /** Minimum interval of activity events for lists while the state stays the same. */
  stateEvery: SECOND,
} as const;
