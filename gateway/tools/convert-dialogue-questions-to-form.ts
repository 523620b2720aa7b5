/**
 * Converts a dialogue's questions to a form, and the filled-in form to messages for the dialogue. MCP clients
 * show the form to a person. It has only flat fields, because all clients that support forms support them.
 */
import type { DialogueView, Incoming } from "../../machines/dialogue/dialogue-schemas.ts";
import type { Question } from "../../machines/dialogue/plan/plan-schemas.ts";
import { REPHRASE } from "../../machines/dialogue/question-to-rephrase-task.ts";

/** A field of a form, as a JSON Schema. */
export type FormField =
  | {
      readonly type: "string";
      readonly title: string;
      readonly description?: string;
      readonly enum?: string[];
    }
  | { readonly type: "boolean"; readonly title: string; readonly description?: string };

export interface PersonForm {
  /**
   * Key of the question that the form asks. A client sends it back with the answer. When the state of the
   * dialogue changes, its form gets another key.
   */
  readonly key: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, FormField>>;
  readonly required: readonly string[];
}

export type FormAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

/**
 * Returns the form by which the person can answer the dialogue; `undefined` when the dialogue does not wait
 * for a person.
 */
export function formOf(view: DialogueView): PersonForm | undefined {
  switch (view.status) {
    case "clarifying":
      return clarificationForm(view);
    case "awaiting_approval":
      return approvalForm(view);
    case "mid_exec_dialog":
      return decisionForm(view);
    default:
      return undefined;
  }
}

const keyOf = ({ dialogue_id, status, currentPlan, dialogueState, executionState }: DialogueView): string =>
  [
    dialogue_id,
    status,
    currentPlan?.version ?? 0,
    dialogueState.clarificationRound,
    executionState.failedSteps.length,
    executionState.currentStepIndex,
    dialogueState.pendingQuestions[0]?.id ?? "",
  ].join("-");

/**
 * Returns one form with all questions that a dialogue asks now. If there are several questions, the name of
 * each field contains the number of its question.
 */
function clarificationForm(view: DialogueView): PersonForm {
  const { pendingQuestions: questions } = view.dialogueState;
  const asked: readonly (Question | undefined)[] = questions.length > 0 ? questions : [undefined];
  const isOne = asked.length === 1;
  const lines = asked.map((question) => question?.question ?? REPHRASE);
  return {
    key: keyOf(view),
    message: isOne ? (lines[0] ?? REPHRASE) : lines.map((line, at) => `${at + 1}. ${line}`).join("\n"),
    fields: Object.assign(
      {},
      ...asked.map((question, at) => questionFields(question, isOne ? undefined : at)),
    ),
    required: asked.flatMap((question, at) =>
      (question?.options ?? []).length > 0 ? [] : [fieldName("answer", isOne ? undefined : at)],
    ),
  };
}

const fieldName = (name: string, at: number | undefined): string =>
  at === undefined ? name : `${name}_${at + 1}`;

function questionFields(
  question: Question | undefined,
  at: number | undefined,
): Readonly<Record<string, FormField>> {
  const options = question?.options ?? [];
  const numbered = (title: string): string => (at === undefined ? title : `${at + 1}. ${title}`);
  const choice = {
    [fieldName("choice", at)]: {
      type: "string",
      title: numbered("Choose"),
      enum: options.map(({ text }) => text),
    },
  } as const;
  const words = {
    [fieldName("answer", at)]: {
      type: "string",
      title: numbered(options.length > 0 ? "Or in own words" : "Answer"),
    },
  } as const;
  return { ...(options.length > 0 ? choice : {}), ...(question?.allowFreeform === false ? {} : words) };
}

function approvalForm(view: DialogueView): PersonForm {
  const { summary = "", risks = [], steps = [] } = view.currentPlan ?? {};
  const lines = steps.map(
    ({ description, risk }, at) => `${at + 1}. ${description}${risk === "high" ? " (high risk)" : ""}`,
  );
  return {
    key: keyOf(view),
    message: [`Carry out this plan? ${summary}`, ...lines, ...risks].join("\n"),
    fields: { approve: { type: "boolean", title: "Approve the plan" } },
    required: ["approve"],
  };
}

function decisionForm(view: DialogueView): PersonForm {
  const { failure } = view;
  const options = failure?.recoveries ?? ["retry", "skip", "replan", "abort"];
  return {
    key: keyOf(view),
    message: failure
      ? `A step failed: ${failure.error} ${failure.cause} ${failure.suggestion}`
      : "The plan is paused. How should it continue?",
    fields: {
      decision: {
        type: "string",
        title: "Decision",
        description: failure?.retryStrategy ?? "",
        enum: [...options],
      },
    },
    required: ["decision"],
  };
}

/** Converts the answers of a form to a message. A form that the person declined cancels the dialogue. */
export function messageOf(view: DialogueView, answer: FormAnswer): Incoming | undefined {
  if (answer.action !== "accept")
    return view.status === "mid_exec_dialog"
      ? { action: "midExecDecision", decision: "abort" }
      : { action: "cancel" };
  const { content } = answer;
  switch (view.status) {
    case "clarifying":
      return clarificationOf(view, content);
    case "awaiting_approval": {
      const planVersion = view.currentPlan?.version ?? 1;
      return content.approve === true
        ? { action: "approvePlan", planVersion }
        : { action: "rejectPlan", planVersion };
    }
    case "mid_exec_dialog": {
      const { decision } = content;
      if (decision !== "retry" && decision !== "skip" && decision !== "replan" && decision !== "abort")
        return undefined;
      return { action: "midExecDecision", decision };
    }
    default:
      return undefined;
  }
}

/**
 * Converts the filled-in form to the message with the answers to a round of questions (all questions that a
 * dialogue has asked at once). Questions without an answer will be asked again.
 */
function clarificationOf(
  { dialogueState: { pendingQuestions: questions } }: DialogueView,
  content: Readonly<Record<string, unknown>>,
): Incoming | undefined {
  const said = (question: Question | undefined, at: number | undefined) => {
    const { [fieldName("choice", at)]: choice, [fieldName("answer", at)]: words } = content;
    if (typeof words === "string" && words.trim() !== "") return { answer: words };
    const chosen = question?.options.find(({ text }) => text === choice);
    return chosen && { selectedOptionId: chosen.id };
  };
  if (questions.length > 1) {
    const answers = questions.flatMap((question, at) => {
      const own = said(question, at);
      return own ? [{ questionId: question.id, ...own }] : [];
    });
    return answers.length > 0 ? { action: "submitClarification", answers } : undefined;
  }
  const [question] = questions;
  const own = said(question, undefined);
  const questionId = question === undefined ? {} : { questionId: question.id };
  return own && { action: "submitClarification", ...questionId, ...own };
}
