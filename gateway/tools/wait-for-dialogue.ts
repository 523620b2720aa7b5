/**
 * The tool that waits until a dialogue has ended or needs a person. If the MCP client can ask its person, the
 * question is asked and the wait continues. Otherwise the call returns the open question.
 */

import { z } from "zod";
import { dialogueTopic } from "../../machines/dialogue/dialogue-context.ts";
import {
  type DialogueView,
  dialogueIdSchema,
  dialogueSchema,
} from "../../machines/dialogue/dialogue-schemas.ts";
import { CairnError } from "../../machines/errors.ts";
import type { Cairn } from "../actor-system-interface.ts";
import { formOf, messageOf } from "./convert-dialogue-questions-to-form.ts";
import { type Call, defineTool } from "./define-tool.ts";
import { repeatOnEvents } from "./repeat-check-until-result.ts";
import { changesPage } from "./tool-annotations.ts";
import { toolLimits } from "./tool-limits.ts";

const { waitSeconds, maxWaitSeconds } = toolLimits;
const ENDED: readonly string[] = ["idle", "completed", "error"];

/**
 * Waits until the dialogue has ended, or until it needs a person and the client cannot ask one, but no longer than
 * until the time `until`. Resolves with the state of the dialogue.
 */
async function followDialogue(
  cairn: Cairn,
  dialogueId: string,
  until: number,
  call: Call,
): Promise<DialogueView> {
  return await repeatOnEvents(
    cairn,
    dialogueTopic(dialogueId),
    { until, signal: call.signal },
    async function check(isOver): Promise<DialogueView | undefined> {
      const view = await cairn.dialogues.get(dialogueId);
      if (ENDED.includes(view.status) || isOver()) return view;
      const form = formOf(view);
      if (!form) {
        const { currentStepIndex, totalSteps } = view.executionState;
        call.progress?.(currentStepIndex, totalSteps, view.status);
        return undefined;
      }
      if (!call.askPerson) return view;
      const message = messageOf(view, await call.askPerson(form));
      if (message) await answerInTime(cairn, dialogueId, message);
      return await check(isOver);
    },
  );
}

/**
 * Answers a dialogue. If another person has answered first, Cairn refuses this answer. That error is ignored,
 * because the dialogue has an answer then.
 */
async function answerInTime(
  cairn: Cairn,
  dialogueId: string,
  message: NonNullable<ReturnType<typeof messageOf>>,
): Promise<void> {
  try {
    await cairn.dialogues.answer(dialogueId, message);
  } catch (thrown) {
    if (!(thrown instanceof CairnError) || thrown.code !== "dialogue.already_decided") throw thrown;
  }
}

export const waitForDialogue = defineTool({
  name: "wait_for_dialogue",
  scope: "act",
  description:
    "Wait until a dialogue has ended or needs a person, or for wait_seconds; answers its state with the open question",
  advice: {
    use: "Put the question to your person and send the answer with answer_dialogue, then wait again.",
  },
  sets: ["dialogue"],
  input: z
    .object({
      dialogue_id: dialogueIdSchema,
      wait_seconds: z
        .number()
        .int()
        .min(0)
        .max(maxWaitSeconds)
        .default(waitSeconds)
        .describe("How long to wait at most"),
    })
    .strict(),
  output: dialogueSchema,
  annotations: changesPage,
  subject: ({ dialogue_id }) => `dialogue/${String(dialogue_id)}`,
  handle: (cairn, { dialogue_id, wait_seconds }, call) =>
    followDialogue(cairn, dialogue_id, performance.now() + wait_seconds * 1_000, call),
});
