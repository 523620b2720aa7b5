/**
 * Limits for filling the gaps of maps and tasks. A gap is an unknown action between two known ones. This file does not
 * import zod, so that worker threads can use the limits without loading zod.
 */

export const gapLimits = {
  /**
   * An inferred step is stored only if its confidence (0 to 1) is above this value, which is from the
   * protocol specification.
   */
  storedAbove: 0.6,
  /**
   * Confidence (0 to 1) of steps that the language model proposes without stating one. The value is from the
   * protocol specification.
   */
  unstated: 0.7,
  temperature: 0.3,
  outputTokens: 2_000,
  /** Maximum number of screens named in a prompt. The value is from the protocol specification. */
  namedScreens: 10,
  /** Maximum number of gaps (unknown actions) in one request. */
  gaps: 50,
  intermediateSteps: 5,
} as const;
