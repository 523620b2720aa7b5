/** Schemas of plans, questions to the person and failures, named as in the protocol specification. */
import { z } from "zod";
import { plannedActions } from "./possible-plan-step-actions.ts";

const breakdownSchema = z.object({
  intentClarity: z.number(),
  targetMatch: z.number(),
  valueConfidence: z.number(),
});

export const confidenceSchema = z.object({ overall: z.number(), breakdown: breakdownSchema });

export const recommendationSchema = z
  .enum(["proceed", "assume_announce", "ask"])
  .describe("Where the confidence leads; a step of high risk is approved in any case");
export type Recommendation = z.infer<typeof recommendationSchema>;

/** Describes the element of a plan's step, so that it is found on the page at the time of the step. */
const stepTargetSchema = z.object({
  role: z.string(),
  name: z.string(),
  around: z.string().optional().describe("Words of the row or card that it stands in"),
  attributes: z.record(z.string(), z.string()).optional().describe("Those that identify it"),
  also: z.array(z.string()).optional().describe("Other words for an element that is not on the page yet"),
  submits: z
    .array(z.string())
    .optional()
    .describe("The element submits the form of the field that one of these names"),
});
export type StepTarget = z.infer<typeof stepTargetSchema>;

const expectedResultSchema = z.object({
  type: z.enum(["value", "text", "url", "screen", "effect"]).describe("How the step is verified"),
  expected: z.string().nullable().describe("The value, text, address or screen; null: any effect"),
});

const planStepSchema = z.object({
  action: z.string().describe("A name of execute_action"),
  targetId: z.number().int().nullable().describe("Index of the element on the page of the plan"),
  target: stepTargetSchema.nullable().describe("null: the action needs none"),
  value: z.string().nullable(),
  secret: z
    .string()
    .nullable()
    .default(null)
    .describe("Name of the secret that is typed in place of a value"),
  expectedResult: expectedResultSchema.default({ type: "effect", expected: null }),
  description: z.string(),
  risk: z.enum(["low", "high"]),
  reversible: z.boolean(),
  approved: z
    .string()
    .optional()
    .describe("The question of the page that the person has approved by a retry of the step"),
  confidence: z.number(),
  deferred: z
    .boolean()
    .default(false)
    .describe("The element is on a later page: it is looked for when the step runs"),
  dependsOn: z.array(z.number().int()).default([]).describe("Steps without which this one makes no sense"),
});
export type PlanStep = z.infer<typeof planStepSchema>;

/** The fields of a step that a person may change. The risk and the description are then computed again. */
export const editedStepSchema = z
  .strictObject({
    action: z.enum(plannedActions),
    targetId: z.number().int().nullable(),
    target: z.strictObject({ role: z.string(), name: z.string(), around: z.string().optional() }).nullable(),
    value: z.string().nullable(),
    secret: z.string().nullable(),
  })
  .partial()
  .refine((step) => Object.values(step).some((value) => value !== undefined), {
    message: "name at least one of action, target, targetId, value and secret",
  })
  .refine(({ target, targetId }) => typeof targetId !== "number" || target, {
    path: ["target"],
    message: "target is needed with targetId: an index counts only for the element with this name",
  });

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
  source: z.enum(["map", "page", "model"]).default("page").describe("What the plan was made from"),
  unplaced: z
    .array(z.string())
    .optional()
    .describe("Values that the task names and no step uses; absent when each is used"),
  open: z
    .array(z.string())
    .optional()
    .describe("Words of the task for which the task is planned again on the page that this plan reaches"),
  fallback: z
    .string()
    .optional()
    .describe("Why the configured model did not make this plan; absent when it was not needed"),
});
export type Plan = z.infer<typeof planSchema>;

export const questionSchema = z.object({
  id: z.string(),
  type: z.enum(["option_select", "freeform", "confirm"]),
  question: z.string(),
  options: z.array(z.object({ id: z.string(), text: z.string(), confidence: z.number() })),
  allowFreeform: z.boolean().default(true),
});
export type Question = z.infer<typeof questionSchema>;

export const feedbackSchema = z.object({
  score: z.number().min(0).max(1),
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** One round of improving a plan: the scores before and after, and the found issues. */
export const refinementSchema = z.object({
  iteration: z.number().int(),
  previousScore: z.number(),
  score: z.number(),
  issues: z.array(z.string()),
  improvements: z.array(z.string()),
});
export type Refinement = z.infer<typeof refinementSchema>;

/** A reference to the page on which a plan was made or a checkpoint was stored. */
export const pageStateSchema = z.object({ url: z.string(), revision: z.number().int() });
export type PageState = z.infer<typeof pageStateSchema>;

export const recoveries = ["retry", "skip", "replan", "abort"] as const;

export const failureSchema = z.object({
  stepIndex: z.number().int(),
  code: z.string(),
  error: z.string(),
  cause: z.string(),
  suggestion: z.string(),
  canRetry: z.boolean(),
  canSkip: z.boolean(),
  canReplan: z.boolean(),
  retryStrategy: z.string().nullable(),
  suggestedTargetId: z.number().int().nullable(),
  recommendedAction: z.enum(recoveries),
  recoveries: z.array(z.enum(recoveries)).describe("What can be done, the best first"),
  evidence: z.record(z.string(), z.unknown()),
  mayHaveHappened: z.boolean().describe("The action was cut off: a retry may do it twice"),
});
export type Failure = z.infer<typeof failureSchema>;
