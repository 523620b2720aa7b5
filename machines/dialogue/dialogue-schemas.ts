/** Schemas of a dialogue for its callers, named as in the protocol specification. */
import { z } from "zod";
import { roomNameSchema } from "../session/room-name.ts";
import { dialogueLimits } from "./limits.ts";
import {
  assumptionSchema,
  failureSchema,
  planSchema,
  planStepSchema,
  questionSchema,
} from "./plan-schemas.ts";

export const dialogueIdSchema = z
  .string()
  .regex(/^[\w.-]{1,100}$/, "letters, digits, dots, dashes; at most 100");

export const startDialogueSchema = z
  .object({
    task: z.string().min(1).max(dialogueLimits.taskLength).describe("What is to be done, in words"),
    room_name: roomNameSchema.describe("The session to do it in"),
    dialogue_id: dialogueIdSchema.optional(),
    auto_approve: z.boolean().default(false).describe("Run plans without high risk that need approval only"),
  })
  .strict();

const version = z.number().int().min(1);

/** The answers of a person. `id` makes a repeated one count once. */
export const incomingSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("startTask"), task: z.string().min(1).max(dialogueLimits.taskLength) }),
  z.object({
    action: z.literal("submitClarification"),
    questionId: z.string().optional().describe("The first open question without it"),
    answer: z.string().min(1).max(dialogueLimits.taskLength).describe("The id of an option, or own words"),
  }),
  z.object({
    action: z.literal("correctAssumption"),
    field: z.string(),
    value: z.string().optional().describe("Without it the question is asked"),
  }),
  z.object({ action: z.literal("approvePlan"), planVersion: version }),
  z.object({ action: z.literal("rejectPlan"), planVersion: version, reason: z.string().optional() }),
  z.object({
    action: z.literal("editStep"),
    planVersion: version,
    stepIndex: z.number().int().min(0),
    step: planStepSchema.partial(),
  }),
  z.object({ action: z.literal("midExecDecision"), decision: z.enum(["retry", "skip", "replan", "abort"]) }),
  z.object({ action: z.literal("pause") }),
  z.object({ action: z.literal("cancel") }),
]);
export type Incoming = z.infer<typeof incomingSchema>;

export const messageSchema = z.looseObject({
  type: z.string(),
  dialogue_id: z.string(),
  seq: z.number().int(),
  timestamp: z.number(),
});
export type DialogueMessage = z.infer<typeof messageSchema>;

const failedStepSchema = z.object({
  stepIndex: z.number().int(),
  error: z.string(),
  retryCount: z.number().int(),
  resolution: z.string().nullable(),
});

export const dialogueSchema = z.object({
  dialogue_id: z.string(),
  room_name: z.string(),
  status: z.string(),
  inputEnabled: z.boolean(),
  task: z.string().nullable(),
  conversationHistory: z.array(messageSchema),
  dialogueState: z.object({
    clarificationRound: z.number().int(),
    maxClarificationRounds: z.number().int(),
    refineIteration: z.number().int(),
    maxRefineIterations: z.number().int(),
    pendingQuestions: z.array(questionSchema),
    assumptions: z.array(assumptionSchema),
  }),
  executionState: z.object({
    currentStepIndex: z.number().int(),
    totalSteps: z.number().int(),
    completedSteps: z.array(z.number().int()),
    failedSteps: z.array(failedStepSchema),
  }),
  currentPlan: planSchema.nullable(),
  planHistory: z.array(planSchema),
  failure: failureSchema.nullable(),
  error: z.string().nullable(),
});
export type DialogueView = z.infer<typeof dialogueSchema>;
