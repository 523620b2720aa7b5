/**
 * Answers a confirmation that the page asks for after a click of a dialogue. The answer confirms if the
 * approval of the step also covers it; otherwise it closes the confirmation.
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
   * Outcome of the click that confirmed or cancelled. Missing if the confirmation stays open, because it asks
   * for a text that the plan does not contain.
   */
  readonly outcome?: ActionOutcome;
}

/** The page before a step, as far as it tells what is new after the step. */
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
  // A step of low risk, such as a link, may lead to a page with any form.
  if (step.action !== "click" || (!isHigh && (next || isNewDocument))) return undefined;
  const page = await readPage(room, scope);
  const asked = isNewDocument ? confirmationForm(page, before) : confirmationOf(page, before);
  if (!asked || isLeftToStep(asked, next)) return undefined;
  const { confirm, dismiss, fields, question } = asked;
  if (fields.length > 0)
    return isHigh ? { dialog: { type: "page", message: question, accepted: false } } : undefined;
  const accepted = isHigh && isApproved(asked, step);
  if (!accepted && !asksForApproval(asked)) return undefined;
  const { highlight_index: index, interactionType } = accepted ? confirm : dismiss;
  const name = accepted && interactionType === "submit" ? "submit_form" : "click";
  const request = { room, action: { name, params: { index } }, id: `${action_id}-page-dialog` } as const;
  const outcome = await performInSession({ ...request, within: dialogueLimits.stepWithin }, scope);
  return { dialog: { type: "page", message: question, accepted }, outcome };
}
