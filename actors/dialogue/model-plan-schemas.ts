/** The schemas of a model's answers to questions about plans. */
import { z } from "zod";
import { feedbackSchema } from "../../machines/dialogue/plan/plan-schemas.ts";
import { plannedActions } from "../../machines/dialogue/plan/possible-plan-step-actions.ts";
import { outputSchema } from "../models/model-output-schema.ts";

const share = z.number().min(0).max(1);

export const modelPlanSchema = outputSchema(
  z.object({
    summary: z.string(),
    steps: z.array(
      z.object({
        action: z.enum(plannedActions).exclude(["hover"]),
        targetId: z.number().int().nullable(),
        value: z.string().nullable(),
        expectedResult: z.string().nullable(),
        description: z.string(),
        confidence: share,
      }),
    ),
    assumptions: z.array(z.object({ field: z.string(), assumedValue: z.string(), confidence: share })),
    questions: z.array(
      z.object({
        question: z.string(),
        options: z.array(z.object({ targetId: z.number().int().nullable(), text: z.string() })),
      }),
    ),
  }),
);

export const modelFeedbackSchema = outputSchema(feedbackSchema);
