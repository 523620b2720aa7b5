/** Limits of gaps. They are separate from the schemas so that threads without zod can use them. */

export const gapLimits = {
  /** An inference is stored above this confidence, from the protocol specification. */
  storedAbove: 0.6,
  /** Confidence of a sequence for which a model gives none, from the protocol specification. */
  unstated: 0.7,
  temperature: 0.3,
  outputTokens: 2_000,
  /** Screens that a prompt names, from the protocol specification. */
  namedScreens: 10,
  /** Gaps of one request. */
  gaps: 50,
  intermediateSteps: 5,
} as const;
