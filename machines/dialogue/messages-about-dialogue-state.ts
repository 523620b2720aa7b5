/**
 * The messages of a dialogue that show its state to the person, and the person's own messages as they are
 * stored in the conversation. The messages about a new plan are in `messages-about-new-plan.ts`.
 */

import { type DialogueContext, type DialogueEvent, flaggedSteps, valuesLeft } from "./dialogue-context.ts";
import { dialogueLimits } from "./dialogue-limits.ts";
import { summaryOf } from "./plan/build-plan-step.ts";
import type { Failure } from "./plan/plan-schemas.ts";
import { REPHRASE } from "./question-to-rephrase-task.ts";

export interface DialogueMessage {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Message that asks the open questions of a round. The fields of the first question are also fields of the
 * message.
 */
export function clarifyWithOptions({ questions, round }: DialogueContext): DialogueMessage {
  const [first] = questions;
  return {
    type: "clarifyWithOptions",
    payload: {
      questionId: first?.id ?? null,
      question: first?.question ?? REPHRASE,
      options: first?.options ?? [],
      allowFreeform: first?.allowFreeform ?? true,
      questions,
      round,
      maxRounds: dialogueLimits.rounds,
    },
  };
}

/** Announces a plan that starts by itself, with its assumptions and the time for corrections. */
export function assumeAnnounce({ plan }: DialogueContext): DialogueMessage {
  return {
    type: "assumeAnnounce",
    payload: {
      assumptions: plan?.assumptions ?? [],
      plan: { summary: plan?.summary ?? "", steps: plan?.steps ?? [] },
      autoExecuteDelay: dialogueLimits.announce,
    },
  };
}

/** Shows the person a plan that waits for approval. */
export function planReady({ plan, bestEffort }: DialogueContext): DialogueMessage {
  return {
    type: "planReady",
    payload: { plan, confidence: plan?.confidence ?? null, requiresApproval: true, bestEffort },
  };
}

export function stepStarted(context: DialogueContext): DialogueMessage {
  const { plan, stepIndex } = context;
  const step = plan?.steps[stepIndex] ?? null;
  const dependsOnSkipped = flaggedSteps(context).includes(stepIndex);
  return { type: "stepStarted", payload: { stepIndex, step, dependsOnSkipped } };
}

/** Reports which step failed or why the dialogue is paused, and which decisions are possible. */
export function midExecDialog({ failure, stepIndex, plan, decided }: DialogueContext): DialogueMessage {
  const step = plan?.steps[failure?.stepIndex ?? stepIndex];
  return {
    type: "midExecDialog",
    payload: {
      failedStep: {
        stepIndex: failure?.stepIndex ?? stepIndex,
        action: step?.action ?? null,
        targetDescription: step?.target
          ? `${step.target.role} "${step.target.name}"`.trim()
          : (step?.description ?? ""),
        error: failure?.error ?? null,
      },
      analysis: failure ?? pauseAnalysis(decided),
      options: possibleDecisions(failure),
      suggestedAction:
        failure?.recommendedAction ?? (decided?.action === "correctAssumption" ? "replan" : "retry"),
    },
  };
}

/** Says why a dialogue waits before its next step, although no step has failed. */
function pauseAnalysis(decided: DialogueContext["decided"]) {
  if (decided?.action !== "correctAssumption")
    return {
      cause: "The person paused the plan.",
      suggestion: "Continue (retry), skip the next step, or plan again.",
    };
  const value = decided.newValue === undefined ? "" : ` to "${decided.newValue}"`;
  return {
    cause: `"${decided.field}" was corrected${value}.`,
    suggestion: "Make a new plan with the correction.",
  };
}

export function taskCompleted(context: DialogueContext): DialogueMessage {
  return {
    type: "taskCompleted",
    payload: {
      summary: summaryOfRun(context),
      completedSteps: context.completed,
      skippedSteps: context.skipped,
      failedSteps: context.failed,
      unusedValues: valuesLeft(context),
      notPressed: context.notPressed ?? null,
    },
  };
}

/**
 * Returns the summary of the plan. If steps were skipped, returns what was done and what was skipped. If the last step
 * only entered a value in a form, the summary says so.
 */
function summaryOfRun({ plan, completed, skipped, notPressed }: DialogueContext): string {
  const open = notPressed ? `. "${notPressed}" was not pressed.` : "";
  if (skipped.length === 0) return `${plan?.summary ?? ""}${open}`;
  const listed = (steps: readonly number[]): string =>
    summaryOf(steps.flatMap((at) => plan?.steps[at] ?? []));
  return `${completed.length > 0 ? listed(completed) : "Nothing"}. Skipped: ${listed(skipped)}.`;
}

/** The decisions that a person can make about a failed step or about a paused dialogue. */
export function possibleDecisions(failure: Failure | null): readonly Failure["recommendedAction"][] {
  return failure ? failure.recoveries : ["retry", "skip", "replan", "abort"];
}

const ACTIONS: Partial<Readonly<Record<DialogueEvent["type"], string>>> = {
  START_TASK: "startTask",
  SUBMIT_CLARIFICATION: "submitClarification",
  CORRECT_ASSUMPTION: "correctAssumption",
  APPROVE_PLAN: "approvePlan",
  REJECT_PLAN: "rejectPlan",
  EDIT_STEP: "editStep",
  MID_EXEC_DECISION: "midExecDecision",
  PAUSE: "pause",
  CANCEL: "cancel",
};

/** Converts a command into the message of the person, which is stored in the conversation. */
export function saidIn(
  event: DialogueEvent,
): { readonly action: string } & Readonly<Record<string, unknown>> {
  // The cast is safe: every event has a type and a time.
  const { type, at: _at, ...fields } = event as DialogueEvent & Readonly<Record<string, unknown>>;
  const { task, questionId, answer, selectedOptionId, answers, field, newValue } = fields;
  const { planVersion, reason, stepIndex, step, decision } = fields;
  const said = {
    task,
    questionId,
    answer,
    selectedOptionId,
    answers,
    field,
    newValue,
    planVersion,
    reason,
    stepIndex,
    step,
    decision,
  };
  const given = Object.entries(said).filter(([, value]) => value !== undefined);
  return { action: ACTIONS[type] ?? type, ...Object.fromEntries(given) };
}
