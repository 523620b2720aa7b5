/** The tools of dialogues, in which a task in words is planned with a person and executed in a session. */

import { z } from "zod";
import {
  dialogueIdSchema,
  dialogueSchema,
  incomingSchema,
  messageSchema,
  plannedSchema,
  planRequestSchema,
  refinedSchema,
  refineRequestSchema,
  startDialogueSchema,
} from "../../machines/dialogue/dialogue-schemas.ts";
import { defineTool } from "./define-tool.ts";
import { changesPage, readsData } from "./tool-annotations.ts";
import { waitForDialogue } from "./wait-for-dialogue.ts";

const acceptedSchema = z.object({ dialogue_id: z.string(), status: z.string() });
const dialogueRef = { dialogue_id: dialogueIdSchema };

const startDialogue = defineTool({
  name: "start_dialogue",
  scope: "act",
  description:
    "Plan a task in words and carry it out in a session: clear tasks ask for approval, likely ones announce their " +
    "assumptions and begin after 3 s, unclear ones ask. Answers at once; follow it with wait_for_dialogue",
  sets: ["dialogue"],
  http: {
    method: "POST",
    path: "/api/dialogues",
    operationId: "startDialogue",
    tag: "Dialogues",
    errors: [404, 409],
  },
  input: startDialogueSchema,
  output: acceptedSchema,
  annotations: changesPage,
  handle: (cairn, input, { commandId }) => cairn.dialogues.start(input, commandId),
});

const answerDialogue = defineTool({
  name: "answer_dialogue",
  scope: "act",
  description:
    "Answer a dialogue: startTask {task}, submitClarification {questionId, answer or selectedOptionId}, correctAssumption {field, newValue}, " +
    "approvePlan {planVersion}, rejectPlan {planVersion}, editStep {planVersion, stepIndex, step}, midExecDecision " +
    "{decision: retry | skip | replan | abort}, pause, cancel. The first valid answer counts",
  sets: ["dialogue"],
  http: {
    method: "POST",
    path: "/api/dialogues/:dialogue_id/messages",
    operationId: "answerDialogue",
    tag: "Dialogues",
    errors: [404, 409, 422],
  },
  input: z.object({ ...dialogueRef, message: incomingSchema }).strict(),
  output: acceptedSchema,
  annotations: changesPage,
  handle: (cairn, { dialogue_id, message }, { commandId }) =>
    cairn.dialogues.answer(dialogue_id, message, commandId),
});

const getDialogue = defineTool({
  name: "get_dialogue",
  scope: "read",
  description:
    "The state of a dialogue: its plan with confidence, open questions, executed steps, what failed and why",
  sets: ["dialogue"],
  http: {
    method: "GET",
    path: "/api/dialogues/:dialogue_id",
    operationId: "getDialogue",
    tag: "Dialogues",
    errors: [404, 422],
  },
  input: z.object(dialogueRef).strict(),
  output: dialogueSchema,
  annotations: readsData,
  handle: (cairn, { dialogue_id }) => cairn.dialogues.get(dialogue_id),
});

const listDialogueMessages = defineTool({
  name: "list_dialogue_messages",
  scope: "read",
  description: "The messages of a dialogue after a number, in order",
  sets: ["dialogue"],
  http: {
    method: "GET",
    path: "/api/dialogues/:dialogue_id/messages",
    operationId: "listDialogueMessages",
    tag: "Dialogues",
    errors: [404, 422],
    query: ["since"],
  },
  input: z.object({ ...dialogueRef, since: z.coerce.number().int().min(0).default(0) }).strict(),
  output: z.object({ messages: z.array(messageSchema) }),
  annotations: readsData,
  handle: (cairn, { dialogue_id, since }) => cairn.dialogues.messages(dialogue_id, since),
});

const planWithConfidence = defineTool({
  name: "plan_with_confidence",
  scope: "act",
  description:
    "Plan a task on a page without doing anything: steps, confidence with its breakdown, assumptions, open questions",
  sets: ["dialogue"],
  http: {
    method: "POST",
    path: "/api/plan-with-confidence",
    operationId: "planWithConfidence",
    tag: "Dialogues",
    errors: [404, 409, 422],
  },
  input: planRequestSchema,
  output: plannedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  handle: (cairn, input) => cairn.dialogues.planWithConfidence(input),
});

const refinePlan = defineTool({
  name: "refine_plan",
  scope: "act",
  description:
    "Improve a plan by feedback, at most three times, while its score grows; answers each iteration",
  sets: ["dialogue"],
  http: {
    method: "POST",
    path: "/api/refine-plan",
    operationId: "refinePlan",
    tag: "Dialogues",
    errors: [404, 409, 422],
  },
  input: refineRequestSchema,
  output: refinedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  handle: (cairn, input) => cairn.dialogues.refinePlan(input),
});

export const dialogueTools = [
  startDialogue,
  answerDialogue,
  getDialogue,
  waitForDialogue,
  listDialogueMessages,
  planWithConfidence,
  refinePlan,
];
