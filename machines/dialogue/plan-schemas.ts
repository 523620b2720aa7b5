/** Schemas of plans and questions, named as in the protocol specification. */
import { z } from "zod";

export const confidenceSchema = z.object({
  overall: z.number(),
  intentClarity: z.number(),
  targetMatch: z.number(),
  valueConfidence: z.number(),
});

export const planStepSchema = z.object({
  action: z.string().describe("A name of execute_action"),
  targetId: z.number().int().nullable().describe("Index of the element when the plan was made"),
  target: z
    .object({ role: z.string(), name: z.string() })
    .nullable()
    .describe("By which the element is found"),
  value: z.string().nullable(),
  description: z.string(),
  risk: z.enum(["low", "high"]),
  reversible: z.boolean(),
  confidence: z.number(),
});
export type PlanStep = z.infer<typeof planStepSchema>;

export const assumptionSchema = z.object({
  field: z.string(),
  assumedValue: z.string(),
  confidence: z.number(),
  questionId: z.string().describe("The question that a correction answers"),
});

export const planSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  summary: z.string(),
  confidence: confidenceSchema,
  steps: z.array(planStepSchema),
  assumptions: z.array(assumptionSchema),
  risks: z.array(z.string()),
});
export type Plan = z.infer<typeof planSchema>;

export const questionSchema = z.object({
  id: z.string(),
  type: z.enum(["option_select", "freeform", "confirm"]),
  question: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string(), confidence: z.number() })),
});
export type Question = z.infer<typeof questionSchema>;

export const failureSchema = z.object({
  stepIndex: z.number().int(),
  code: z.string(),
  error: z.string(),
  cause: z.string(),
  canRetry: z.boolean(),
  canSkip: z.boolean(),
  canReplan: z.boolean(),
  retryStrategy: z.string().nullable(),
  suggestedTargetId: z.number().int().nullable(),
  recommendedAction: z.enum(["retry", "skip", "replan", "abort"]),
  mayHaveHappened: z.boolean().describe("The action was cut off: a retry may do it twice"),
});
export type Failure = z.infer<typeof failureSchema>;
