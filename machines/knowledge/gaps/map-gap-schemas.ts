/**
 * Schemas of gaps in a map and of the steps proposed for them: `ActionGap` to `ExtrapolationResult` of the
 * protocol specification. A gap is an unknown action.
 */
import { z } from "zod";
import { knowledgeIdSchema } from "../../exploration/exploration-protocol.ts";
import { gapLimits } from "./map-gap-limits.ts";

export const actionGapSchema = z.object({
  from_action_id: z.string(),
  to_action_id: z.string(),
  from_screen_id: z.string().nullable().default(null),
  to_screen_id: z.string().nullable().default(null),
  context: z.record(z.string(), z.unknown()).default({}),
});
export type ActionGap = z.output<typeof actionGapSchema>;

export const extrapolationRequestSchema = z
  .object({
    knowledge_id: knowledgeIdSchema.describe("Knowledge ID to analyze"),
    website_id: z.string().min(1).describe("Website ID for context"),
    gaps: z
      .array(actionGapSchema)
      .max(gapLimits.gaps)
      .optional()
      .describe("Default: the gaps that are found"),
    include_screens: z.boolean().default(true).describe("Whether to infer screen transitions"),
    max_intermediate_steps: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(gapLimits.intermediateSteps)
      .describe("Maximum intermediate steps to infer"),
  })
  .strict();
export type ExtrapolationRequest = z.output<typeof extrapolationRequestSchema>;

export const inferredActionSchema = z.object({
  action_type: z.string(),
  target: z.string(),
  description: z.string(),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
  screen_id: z.string().nullable(),
});
export type InferredAction = z.infer<typeof inferredActionSchema>;

const inferredTransitionSchema = z.looseObject({
  from_screen_id: z.string(),
  to_screen_id: z.string(),
  trigger_action: z.string(),
});
export type InferredTransition = z.infer<typeof inferredTransitionSchema>;

export const extrapolationResultSchema = z.object({
  gaps_filled: z.number().int(),
  inferred_actions: z.array(inferredActionSchema),
  inferred_transitions: z.array(inferredTransitionSchema),
  confidence_scores: z.record(z.string(), z.number()),
  errors: z.array(z.string()),
  gaps_found: z.number().int(),
  stored: z
    .number()
    .int()
    .describe("Inferences above 0.6, which routes and tasks use until they are refuted"),
  status: z.literal("error").optional().describe("Only of a call that failed as a whole"),
  error: z.string().optional(),
});
export type ExtrapolationResult = z.infer<typeof extrapolationResultSchema>;

/**
 * A model's answer, as the prompt of the protocol specification requests it. Fields that models often omit
 * have defaults.
 */
export const modelProposalSchema = z.object({
  actions: z
    .array(
      z.object({
        action_type: z.string(),
        target: z.string().nullish(),
        description: z.string().nullish(),
        confidence: z.number().min(0).max(1).nullish(),
        reasoning: z.string().nullish(),
        screen_id: z.string().nullish(),
      }),
    )
    .default([]),
  transitions: z
    .array(
      z.object({
        from_screen_id: z.string(),
        to_screen_id: z.string(),
        trigger_action: z.string().nullish(),
      }),
    )
    .default([]),
  confidence: z.number().min(0).max(1).nullish(),
  reasoning: z.string().nullish(),
});
export type ModelProposal = z.output<typeof modelProposalSchema>;
