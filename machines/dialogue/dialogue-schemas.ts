/** Schemas of the dialogue API, named as in the protocol specification. */
import { z } from "zod";
import { roomNameSchema } from "../session/session-name-in-request.ts";
import { dialogueLimits } from "./dialogue-limits.ts";
import {
  assumptionSchema,
  confidenceSchema,
  editedStepSchema,
  failureSchema,
  pageStateSchema,
  planSchema,
  questionSchema,
  recommendationSchema,
  recoveries,
  refinementSchema,
} from "./plan/plan-schemas.ts";

export const dialogueIdSchema = z
  .string()
  .regex(/^[\w.-]{1,100}$/, "letters, digits, dots, dashes; at most 100");

const task = z.string().min(1).max(dialogueLimits.taskLength);
const knowledge_id = z.string().min(1).max(100);

export const startDialogueSchema = z
  .object({
    task: task.describe("What is to be done, in words"),
    room_name: roomNameSchema
      .optional()
      .describe("The session to do it in; without it, one is started at url"),
    url: z
      .url({ protocol: /^https?$/ })
      .max(4_000)
      .optional()
      .describe("Page to begin at"),
    knowledge_id: knowledge_id.optional().describe("The map of the site: a known goal needs no search"),
    dialogue_id: dialogueIdSchema.optional(),
    auto_approve: z.boolean().default(false).describe("Run plans without high risk that need approval only"),
    auto_recover: z
      .boolean()
      .default(false)
      .describe("Retry a failed step that nothing came of, before a person is asked"),
  })
  .strict()
  .refine(({ room_name, url }) => room_name !== undefined || url !== undefined, {
    path: ["room_name"],
    message: "room_name or url is needed",
  });

const version = z.number().int().min(1);
const messageId = { id: z.string().min(1).max(200).optional().describe("A repeated one counts once") };

/** Schema of the messages that a person can send to a dialogue. */
export const incomingSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("startTask"), ...messageId, task }),
  z.object({
    action: z.literal("submitClarification"),
    ...messageId,
    questionId: z.string().optional().describe("The first open question without it"),
    answer: task.optional().describe("Own words, or the id of an option"),
    selectedOptionId: z.string().min(1).max(200).optional().describe("The id of an option"),
    answers: z
      .array(
        z.object({
          questionId: z.string(),
          answer: task.optional(),
          selectedOptionId: z.string().min(1).max(200).optional(),
        }),
      )
      .min(1)
      .max(dialogueLimits.questionsPerRound)
      .optional()
      .describe("Answers to several questions of one round, in place of a single answer"),
  }),
  z.object({
    action: z.literal("correctAssumption"),
    ...messageId,
    field: z.string(),
    newValue: z
      .string()
      .min(1)
      .max(dialogueLimits.taskLength)
      .optional()
      .describe("Without it the question is asked"),
  }),
  z.object({ action: z.literal("approvePlan"), ...messageId, planVersion: version }),
  z.object({
    action: z.literal("rejectPlan"),
    ...messageId,
    planVersion: version,
    reason: z.string().max(dialogueLimits.taskLength).optional(),
  }),
  z.object({
    action: z.literal("editStep"),
    ...messageId,
    planVersion: version,
    stepIndex: z.number().int().min(0),
    step: editedStepSchema,
  }),
  z.object({ action: z.literal("midExecDecision"), ...messageId, decision: z.enum(recoveries) }),
  z.object({ action: z.literal("pause"), ...messageId }),
  z.object({
    action: z.literal("cancel"),
    ...messageId,
    planVersion: version.optional().describe("Cancels only this version of the plan; without it, any"),
  }),
]);
export type Incoming = z.infer<typeof incomingSchema>;

export const messageSchema = z.looseObject({
  type: z.string(),
  dialogue_id: z.string(),
  seq: z.number().int(),
  timestamp: z.number(),
});
export type DialogueMessage = z.infer<typeof messageSchema>;

/** A message in the history of a dialogue. The specification of the dialogue protocol defines its fields. */
const historyEntrySchema = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  timestamp: z.number(),
  messageType: z.string(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

const failedStepSchema = z.object({
  stepIndex: z.number().int(),
  error: z.string(),
  retryCount: z.number().int(),
  resolution: z.string().nullable(),
});

const checkpointSchema = z.object({
  beforeStepIndex: z.number().int(),
  pageState: pageStateSchema.nullable().describe("By reference: its address and its snapshot"),
  timestamp: z.number(),
});

export const dialogueSchema = z.object({
  dialogue_id: z.string(),
  room_name: z.string(),
  tabId: z.number().int().nullable().describe("Tab of the room that the last step ended in"),
  status: z.string(),
  inputEnabled: z.boolean(),
  task: z.string().nullable(),
  conversationHistory: z.array(historyEntrySchema),
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
    skippedSteps: z.array(z.number().int()),
    flaggedSteps: z.array(z.number().int()).describe("Those that depend on a skipped one"),
    checkpoint: checkpointSchema.nullable(),
  }),
  currentPlan: planSchema.nullable(),
  planHistory: z.array(planSchema),
  failure: failureSchema.nullable(),
  error: z.string().nullable(),
});
export type DialogueView = z.infer<typeof dialogueSchema>;

/**
 * The source of the page for a plan: the page of a session, a page that is opened for the plan, or elements
 * listed in the request.
 */
const place = {
  room_name: roomNameSchema.optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(4_000)
    .optional(),
  elements: z
    .array(z.looseObject({ tagName: z.string() }))
    .max(dialogueLimits.givenElements)
    .optional()
    .describe("highlightedElements of an analysis"),
};
const isPlaced = (given: {
  readonly room_name?: unknown;
  readonly url?: unknown;
  readonly elements?: unknown;
}) => [given.room_name, given.url, given.elements].filter((one) => one !== undefined).length === 1;
const needsPlace = { path: ["room_name"], message: "one of room_name, url and elements is needed" };

export const planRequestSchema = z
  .object({ task, ...place, knowledge_id: knowledge_id.optional() })
  .strict()
  .refine(isPlaced, needsPlace);
export type PlanWithConfidence = z.output<typeof planRequestSchema>;

export const plannedSchema = z.object({
  plan: planSchema,
  confidence: confidenceSchema,
  recommendation: recommendationSchema,
  assumptions: z.array(assumptionSchema),
  questions: z.array(questionSchema),
});

export const refineRequestSchema = z
  .object({
    task,
    plan: planSchema,
    feedback: z
      .object({ issues: z.array(z.string()).default([]), suggestions: z.array(z.string()).default([]) })
      .loose()
      .optional()
      .describe("What to mend; without it the plan is evaluated first"),
    ...place,
  })
  .strict()
  .refine(isPlaced, needsPlace);
export type RefinePlan = z.output<typeof refineRequestSchema>;

export const refinedSchema = z.object({
  plan: planSchema,
  iterations: z.array(refinementSchema),
  score: z.number(),
});
