/**
 * Limits of gaps (unknown actions) in maps and tasks. They are separate from the schemas, so that threads can
 * use them without zod.
 */

export const gapLimits = {
  /** An inferred step is stored if its confidence is above this value, from the protocol specification. */
  storedAbove: 0.6,
  /** Confidence of a sequence when the model states none, from the protocol specification. */
  unstated: 0.7,
  temperature: 0.3,
  outputTokens: 2_000,
  /** Maximum number of screens that a prompt names, from the protocol specification. */
  namedScreens: 10,
  /** Maximum number of gaps (unknown actions) in one request. */
  gaps: 50,
  intermediateSteps: 5,
} as const;
