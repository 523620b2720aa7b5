/** The tools of dialogues: a task in words, planned with a person, executed in a session. */
import { z } from "zod";
import {
  dialogueIdSchema,
  dialogueSchema,
  incomingSchema,
  messageSchema,
  startDialogueSchema,
} from "../../machines/dialogue/dialogue-schemas.ts";
import { defineTool } from "./define-tool.ts";

const acceptedSchema = z.object({ dialogue_id: z.string(), status: z.string() });
const dialogueRef = { dialogue_id: dialogueIdSchema };
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const acts = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

const startDialogue = defineTool({
  name: "start_dialogue",
  scope: "act",
  description:
    "Plan a task in words and carry it out in a session: clear tasks ask for approval, likely ones announce their " +
    "assumptions and begin after 3 s, unclear ones ask. Answers at once; follow it with get_dialogue",
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
  annotations: acts,
  handle: (cairn, input, { commandId }) => cairn.dialogues.start(input, commandId),
});

const answerDialogue = defineTool({
  name: "answer_dialogue",
  scope: "act",
  description:
    "Answer a dialogue: startTask {task}, submitClarification {questionId, answer}, correctAssumption {field, value}, " +
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
  annotations: acts,
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
  annotations: reads,
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
  annotations: reads,
  handle: (cairn, { dialogue_id, since }) => cairn.dialogues.messages(dialogue_id, since),
});

export const dialogueTools = [startDialogue, answerDialogue, getDialogue, listDialogueMessages];
