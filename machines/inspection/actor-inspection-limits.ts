/**
 * Limits on the parts of an actor that inspection shows. Values are in milliseconds or bytes unless a name
 * says otherwise.
 */
import { SECOND } from "../time-and-size-units.ts";

export const inspectionLimits = {
  /**
   * Limits for an actor's context: levels of nesting, entries of one list, characters of one text, and values
   * in total.
   */
  context: { depth: 12, entries: 100, text: 1_000, values: 5_000 },
  /**
   * Limits for an event that an actor received. The limits are low, because some events, such as those of a
   * crawl, contain whole pages.
   */
  event: { depth: 6, entries: 20, text: 200, values: 200 },
  /**
   * Minimum interval between two reports about an actor that has not changed its state. A change of the state
   * is reported at once.
   */
  stateEvery: SECOND,
} as const;
