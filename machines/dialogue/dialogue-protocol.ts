/**
 * The commands, queries and results of the actor kind `dialogue`. A dialogue plans a task together with a
 * person and executes it.
 */
import { z } from "zod";
import { defineProtocol, noFields, noParams, typed } from "../actor-kind-protocol.ts";
import type { HighlightedElement } from "../session/page/page-snapshot.ts";
import { dialogueSchema, incomingSchema, type RefinePlan, startDialogueSchema } from "./dialogue-schemas.ts";
import type { Plan, Question, Refinement } from "./plan/plan-schemas.ts";

/** A task, and the page on which it is planned without creating a dialogue. */
export interface PreviewRequest {
  readonly task: string;
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
  readonly title: string;
  readonly dom_summary: string;
  readonly knowledge_id: string | null;
}

export interface RefineRequest extends PreviewRequest {
  readonly plan: Plan;
  readonly feedback: RefinePlan["feedback"];
}

const accepted = z.object({ status: z.string() });
const { task, auto_approve, auto_recover } = startDialogueSchema.shape;
const [, clarification, correction, approval, rejection, edit, decision, , cancellation] =
  incomingSchema.options;
const own = { action: true, id: true } as const;

export const dialogueProtocol = defineProtocol({
  commands: {
    START_TASK: {
      fields: z.object({
        task,
        /**
         * The page or session for which the task is planned. With `null`, the task is planned for the place
         * of the dialogue's previous task.
         */
        place: z
          .object({
            room_name: z.string(),
            url: z.string().nullable(),
            knowledge_id: z.string().nullable(),
            auto_approve,
            auto_recover,
          })
          .nullable(),
      }),
      reply: accepted,
    },
    SUBMIT_CLARIFICATION: { fields: clarification.omit(own), reply: accepted },
    CORRECT_ASSUMPTION: { fields: correction.omit(own), reply: accepted },
    APPROVE_PLAN: { fields: approval.omit(own), reply: accepted },
    REJECT_PLAN: { fields: rejection.omit(own), reply: accepted },
    EDIT_STEP: { fields: edit.omit(own), reply: accepted },
    MID_EXEC_DECISION: { fields: decision.omit(own), reply: accepted },
    PAUSE: { fields: noFields, reply: accepted },
    CANCEL: { fields: cancellation.omit(own), reply: accepted },
  },
  queries: {
    state: { params: noParams, result: dialogueSchema },
    /** Plans a task without creating a dialogue. Nothing is executed or stored. */
    preview: {
      params: typed<PreviewRequest>(),
      result: typed<{ readonly plan: Plan; readonly questions: readonly Question[] }>(),
    },
    refine: {
      params: typed<RefineRequest>(),
      result: typed<{
        readonly plan: Plan;
        readonly iterations: readonly Refinement[];
        readonly score: number;
      }>(),
    },
  },
});
export type DialogueProtocol = typeof dialogueProtocol;
