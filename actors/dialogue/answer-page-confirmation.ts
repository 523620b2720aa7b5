/**
 * Answers a confirmation that the page shows after a click of a dialogue. If the approval of the step also covers
 * the question, it is confirmed; otherwise it is dismissed.
 */

import type { StepInput } from "../../machines/dialogue/dialogue-context.ts";
import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import { confirmationForm } from "../../machines/dialogue/plan/confirmation-form.ts";
import {
  asksForApproval,
  confirmationOf,
  isApproved,
  isLeftToStep,
} from "../../machines/dialogue/plan/confirmation-question-on-page.ts";
import type { PlanStep } from "../../machines/dialogue/plan/plan-schemas.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import { performInSession } from "../run-session-action-for-actor.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import type { AnsweredDialog } from "./answer-page-dialogs.ts";
import { readPage } from "./session-page-for-dialogue.ts";

export interface AnsweredConfirmation {
  readonly dialog: AnsweredDialog;
  /**
   * Outcome of the click that confirmed or dismissed the question. Missing if nothing was clicked: the question
   * needs a text that the plan does not contain, so it stays open.
   */
  readonly outcome?: ActionOutcome;
}

/** What is known of the page from before a step, to find out what the step has added to it. */
interface PageBeforeStep {
  /** Indices of the elements that the page had; `undefined` if they are not known. */
  readonly before: ReadonlySet<number> | undefined;
  /** Whether the step has led to another page. */
  readonly isNewDocument: boolean;
}

/**
 * Answers the confirmation that the page shows after a step. Returns `undefined` if it shows none, or if the
 * next step of the plan uses one of its controls.
 */
export async function answerConfirmation(
  { room_name: room, action_id, next }: StepInput,
  step: PlanStep,
  { before, isNewDocument }: PageBeforeStep,
  scope: EffectScope<CairnServices>,
): Promise<AnsweredConfirmation | undefined> {
  const isHigh = step.risk === "high";
  // After a step of low risk, nothing is answered if the plan has a next step, or if the page is new: a link may
  // lead to a page with any form.
  if (step.action !== "click" || (!isHigh && (next || isNewDocument))) return undefined;
  const page = await readPage(room, scope);
  const asked = isNewDocument ? confirmationForm(page, before) : confirmationOf(page, before);
  if (!asked || isLeftToStep(asked, next)) return undefined;
  const { confirm, dismiss, fields, question } = asked;
  if (fields.length > 0)
    return isHigh ? { dialog: { type: "page", message: question, accepted: false } } : undefined;
  const accepted = isHigh && isApproved(asked, step);
  if (!accepted && !asksForApproval(asked)) return undefined;
  const answer = accepted ? confirm : dismiss;
  if (!answer) return { dialog: { type: "page", message: question, accepted: false } };
  const { highlight_index: index, interactionType } = answer;
  const name = accepted && interactionType === "submit" ? "submit_form" : "click";
  const request = { room, action: { name, params: { index } }, id: `${action_id}-page-dialog` } as const;
  const outcome = await performInSession({ ...request, within: dialogueLimits.stepWithin }, scope);
  return { dialog: { type: "page", message: question, accepted }, outcome };
}
