/** Limits of what inspection shows of an actor. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const inspectionLimits = {
  /** What is shown of an actor's context: levels, entries of one list, characters of one text, values in all. */
  context: { depth: 12, entries: 100, text: 1_000, values: 5_000 },
  /** The same of an event it takes: a crawl's carry whole pages. */
  event: { depth: 6, entries: 20, text: 200, values: 200 },
  /** While an actor's state stays, lists hear of its activity this often at the most. */
  stateEvery: SECOND,
} as const;
