/** Explains why a dialogue refuses a message of a person: what does not fit, and what would. */
import type { DialogueContext, DialogueEvent } from "./dialogue-context.ts";
import type { DialogueStatus } from "./dialogue-states-that-accept-text.ts";
import { possibleDecisions, saidIn } from "./messages-about-dialogue-state.ts";

/** Message types that name a version of the plan. */
type PlanDecision = Extract<DialogueEvent, { readonly planVersion: number }>;
type Clarification = Extract<DialogueEvent, { readonly type: "SUBMIT_CLARIFICATION" }>;

export function refusalReason(
  context: DialogueContext,
  event: DialogueEvent,
  status: DialogueStatus,
): string {
  return (
    unfittingValue(context, event, status) ??
    `${saidIn(event).action} does not fit now: the dialogue is in ${status}` +
      `${context.decided ? ` after ${context.decided.action}` : ""}. ${adviceFor(context, status)}`
  );
}

/** The messages of a person that each state accepts. */
export const acceptedMessages: Readonly<Record<DialogueStatus, readonly string[]>> = {
  idle: ["startTask"],
  planning: [],
  clarifying: ["submitClarification", "cancel"],
  refining: [],
  assume_announce: ["correctAssumption", "cancel"],
  awaiting_approval: ["approvePlan", "rejectPlan", "editStep", "cancel"],
  executing: ["pause", "correctAssumption", "cancel"],
  mid_exec_dialog: ["midExecDecision"],
  replanning: [],
  completed: ["startTask"],
  error: ["startTask"],
};

/**
 * Returns advice on the messages that the state accepts. In the state `mid_exec_dialog`, these are the
 * decisions that stop or continue the task.
 */
function adviceFor({ failure, plan }: DialogueContext, status: DialogueStatus): string {
  if (status === "mid_exec_dialog")
    return `Send midExecDecision with one of: ${possibleDecisions(failure).join(", ")}. "abort" stops the task.`;
  const fitting = acceptedMessages[status];
  if (fitting.length === 0) return "It accepts no message before its next stateChanged.";
  const version = status === "awaiting_approval" ? ` Its plan has version ${plan?.version}.` : "";
  return `It accepts: ${fitting.join(", ")}.${version}`;
}

/**
 * A state may accept the type of a message, but not its value. Returns the reason in this case; `undefined`
 * if the state accepts the value.
 */
function unfittingValue(
  context: DialogueContext,
  event: DialogueEvent,
  status: DialogueStatus,
): string | undefined {
  const { plan, failure, questions } = context;
  switch (event.type) {
    case "APPROVE_PLAN":
    case "REJECT_PLAN":
    case "EDIT_STEP":
      return status === "awaiting_approval" ? otherPlan(context, event) : undefined;
    case "SUBMIT_CLARIFICATION":
      return status === "clarifying" ? unansweredQuestion(questions, event) : undefined;
    case "CORRECT_ASSUMPTION":
      return status === "assume_announce" || status === "executing"
        ? `The plan assumes nothing for "${event.field}". It has assumptions for: ${listed(plan?.assumptions.map(({ field }) => field))}.`
        : undefined;
    case "CANCEL":
      return acceptedMessages[status].includes("cancel") ? otherVersion(plan, event.planVersion) : undefined;
    case "MID_EXEC_DECISION":
      return status === "mid_exec_dialog"
        ? `"${event.decision}" is not possible after this failure. Possible are: ${possibleDecisions(failure).join(", ")}.`
        : undefined;
    default:
      return undefined;
  }
}

function otherPlan({ plan }: DialogueContext, event: PlanDecision): string | undefined {
  if (!plan || event.planVersion !== plan.version) return otherVersion(plan, event.planVersion);
  const last = plan.steps.length - 1;
  if (last < 0 && event.type !== "REJECT_PLAN")
    return "The plan has no steps. Reject it, and start the task again in other words.";
  return event.type === "EDIT_STEP"
    ? `The plan has no step ${event.stepIndex}. Its steps are 0 to ${last}.`
    : undefined;
}

const otherVersion = (plan: DialogueContext["plan"], version: number | undefined): string =>
  `The current plan has version ${plan?.version}, and not ${version}. Get the dialogue to see it.`;

function unansweredQuestion(
  questions: DialogueContext["questions"],
  event: Clarification,
): string | undefined {
  for (const { questionId, selectedOptionId } of event.answers ?? [event]) {
    const question = questionId === undefined ? questions[0] : questions.find(({ id }) => id === questionId);
    if (!question)
      return `No open question has the id "${questionId}". Open are: ${listed(questions.map(({ id }) => id))}.`;
    const ids = question.options.map(({ id }) => id);
    if (selectedOptionId !== undefined && !ids.includes(selectedOptionId))
      return `The question "${question.id}" has no option "${selectedOptionId}". Its options are: ${listed(ids)}.`;
  }
  return undefined;
}

const listed = (values: readonly string[] = []): string =>
  values.length === 0 ? "none" : values.map((value) => `"${value}"`).join(", ");
