/** The protocol of the kind `dialogue`: a task, the answers of a person, and the state. */
import { z } from "zod";
import { defineProtocol, noFields, noParams } from "../kind-protocol.ts";
import { dialogueSchema, incomingSchema, startDialogueSchema } from "./dialogue-schemas.ts";

const accepted = z.object({ status: z.string() });
const { task, room_name, auto_approve } = startDialogueSchema.shape;
const [, clarification, correction, approval, rejection, edit, decision] = incomingSchema.options;

export const dialogueProtocol = defineProtocol({
  commands: {
    START_TASK: { fields: z.object({ task, room_name, auto_approve }), reply: accepted },
    SUBMIT_CLARIFICATION: { fields: clarification.omit({ action: true }), reply: accepted },
    CORRECT_ASSUMPTION: { fields: correction.omit({ action: true }), reply: accepted },
    APPROVE_PLAN: { fields: approval.omit({ action: true }), reply: accepted },
    REJECT_PLAN: { fields: rejection.omit({ action: true }), reply: accepted },
    EDIT_STEP: { fields: edit.omit({ action: true }), reply: accepted },
    MID_EXEC_DECISION: { fields: decision.omit({ action: true }), reply: accepted },
    PAUSE: { fields: noFields, reply: accepted },
    CANCEL: { fields: noFields, reply: accepted },
  },
  queries: { state: { params: noParams, result: dialogueSchema } },
});
export type DialogueProtocol = typeof dialogueProtocol;
