/** The context and the events of a dialogue's state machine, and the functions that create its messages. */

import type { CommandOf } from "../actor-kind-protocol.ts";
import { topicToken } from "../encode-id-for-message-topic.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted, Occasion } from "../machine-emissions.ts";
import { dialogueLimits } from "./dialogue-limits.ts";
import type { DialogueProtocol } from "./dialogue-protocol.ts";
import type { DialogueMessage, DialogueView, HistoryEntry } from "./dialogue-schemas.ts";
import { type DialogueStatus, inputEnabled } from "./dialogue-states-that-accept-text.ts";
import { summaryOf, withDependencies } from "./plan/build-plan-step.ts";
import type { Failure, PageState, Plan, Question, Refinement } from "./plan/plan-schemas.ts";

export interface DialogueContext {
  readonly id: string;
  readonly room_name: string;
  readonly url: string | null;
  readonly knowledge_id: string | null;
  readonly auto_approve: boolean;
  readonly auto_recover: boolean;
  readonly task: string | null;
  readonly plan: Plan | null;
  readonly planHistory: readonly Plan[];
  readonly questions: readonly Question[];
  /** The person's answers, by the id of the question. */
  readonly answers: Readonly<Record<string, string>>;
  /** The text of each answered question, by the id of the question. */
  readonly asked: Readonly<Record<string, string>>;
  readonly round: number;
  readonly refineIteration: number;
  /**
   * Whether the maximum number of rounds of questions is reached. The dialogue then shows its best plan,
   * although questions are open.
   */
  readonly bestEffort: boolean;
  readonly stepIndex: number;
  readonly completed: readonly number[];
  /** Descriptions of the steps that earlier plans of this task have done. */
  readonly done: readonly string[];
  /**
   * The page on which the open part of the task is planned. It is null while no plan has left a part of the task
   * open.
   */
  readonly reached: ReachedByPlan | null;
  /**
   * Set if the last step has entered a value in a form and no step sends this form: the name of the button that sends
   * it. Otherwise null.
   */
  readonly notPressed?: string | null;
  readonly skipped: readonly number[];
  readonly failed: DialogueView["executionState"]["failedSteps"];
  readonly failure: Failure | null;
  readonly checkpoint: DialogueView["executionState"]["checkpoint"];
  /** The newest known state of the page. `tab` is the number of the tab that shows this page. */
  readonly page: PageState | null;
  readonly tab: number | null;
  /** Number of session actions requested so far. It makes the id of each action unique. */
  readonly attempt: number;
  /** Whether the person has requested a pause. The dialogue pauses when the current step has ended. */
  readonly pausing: boolean;
  /**
   * The last message of a person that the dialogue has accepted, with its fields. If a later message is refused
   * because it comes too late, the error quotes the accepted one.
   */
  readonly decided:
    | ({ readonly action: string; readonly timestamp: number } & Readonly<Record<string, unknown>>)
    | null;
  readonly seq: number;
  /** The newest messages of the dialogue's conversation. */
  readonly history: readonly HistoryEntry[];
  readonly error: string | null;
}

export const initialContext = (id: string): DialogueContext => ({
  id,
  room_name: "",
  url: null,
  knowledge_id: null,
  auto_approve: false,
  auto_recover: false,
  task: null,
  plan: null,
  planHistory: [],
  questions: [],
  answers: {},
  asked: {},
  round: 0,
  refineIteration: 0,
  bestEffort: false,
  stepIndex: 0,
  completed: [],
  done: [],
  reached: null,
  skipped: [],
  failed: [],
  failure: null,
  checkpoint: null,
  page: null,
  tab: null,
  attempt: 0,
  pausing: false,
  decided: null,
  seq: 0,
  history: [],
  error: null,
});

export interface PlanInput {
  readonly task: string;
  readonly room_name: string;
  /** The address that is opened before the first plan is made. */
  readonly url: string | null;
  readonly knowledge_id: string | null;
  readonly answers: Readonly<Record<string, string>>;
  readonly asked: Readonly<Record<string, string>>;
  readonly version: number;
  /** Steps of the previous plan that are already done. The new plan does not repeat them. */
  readonly done: readonly string[];
  readonly reached: ReachedByPlan | null;
}

/**
 * Facts about a plan that was carried out, but did not use all words of its task. The task is continued on
 * the page that this plan has reached.
 */
export interface ReachedByPlan {
  readonly plan: Plan;
  /** Indices of the elements that the plans of the task have pressed. They are not pressed again. */
  readonly pressed: readonly number[];
  /** Number of times that the task was continued. */
  readonly times: number;
}

export interface PlanOutput {
  /** Whether the task is done: the page that the last plan has reached is the one that the task names. */
  readonly isDone?: boolean;
  readonly plan: Plan;
  readonly questions: readonly Question[];
  readonly iterations: readonly Refinement[];
  readonly page: PageState | null;
}

export interface StepInput {
  readonly room_name: string;
  readonly knowledge_id: string | null;
  /**
   * The task of the dialogue. A `confirm` dialog that names the action of this task is accepted with the
   * approval of the step.
   */
  readonly task: string;
  readonly step: Plan["steps"][number];
  readonly stepIndex: number;
  /** The step after this one; missing if this is the last one. */
  readonly next?: Plan["steps"][number] | undefined;
  /** Id of the action that the session runs. */
  readonly action_id: string;
}

/** The page, and the number of its tab, after a step. The dialogue stores them as a checkpoint. */
export interface StepPlace {
  readonly page: PageState | null;
  readonly tab: number | null;
}

export type StepOutput =
  | ({ readonly ok: true; readonly evidence: Readonly<Record<string, unknown>> } & StepPlace)
  | { readonly ok: false; readonly failure: Failure };

export type DialogueEvent = Occasion &
  (
    | CommandOf<DialogueProtocol>
    /**
     * The process restarted while the person could still correct an announced plan. The plan is announced
     * again with the full time for corrections.
     */
    | { readonly type: "ANNOUNCE_AGAIN" }
    | { readonly type: "xstate.done.actor.plan"; readonly output: PlanOutput }
    | { readonly type: "xstate.done.actor.countdown"; readonly output: null }
    | { readonly type: "xstate.done.actor.act"; readonly output: StepOutput }
    | { readonly type: "xstate.error.actor.plan"; readonly error: ErrorBody }
    | { readonly type: "xstate.error.actor.act"; readonly error: ErrorBody }
    | { readonly type: "xstate.error.actor.countdown"; readonly error: ErrorBody }
  );

/**
 * Returns the topic of a dialogue's messages. Without `id` or `type`, the topic is a pattern that matches all
 * dialogues or all types.
 */
export function dialogueTopic(id?: string, type?: string): string {
  return `dialogue.${id === undefined ? "*" : topicToken(id)}.${type ?? "*"}`;
}

type Payload = Readonly<Record<string, unknown>>;

/**
 * Assigns the next number of the dialogue to a message. Returns the changed context, the row to store and the
 * event to publish.
 */
export function sent(
  context: DialogueContext,
  type: string,
  payload: Payload,
  at: number,
): { readonly change: Pick<DialogueContext, "seq" | "history">; readonly emitted: readonly Emitted[] } {
  const { id } = context;
  const seq = context.seq + 1;
  const message: DialogueMessage = { type, dialogue_id: id, seq, timestamp: at / 1_000, ...payload };
  const row = { id: [id, seq] as const, body: JSON.stringify(message), at };
  return {
    change: { seq, history: withLine(context.history, lineOf(context, type, payload, at)) },
    emitted: [
      { type: "write", writes: [{ op: "put", table: "dialogue_message", rows: [row] }] },
      { type: "publish", topic: dialogueTopic(id, type), event: message },
    ],
  };
}

function withLine(history: readonly HistoryEntry[], line: HistoryEntry | undefined): readonly HistoryEntry[] {
  return line ? [...history, line].slice(-dialogueLimits.recentMessages) : history;
}

/**
 * Converts a message into a line of the conversation. Returns `undefined` for a change of state, which is not
 * shown in the conversation.
 */
function lineOf(
  { questions, plan: planNow }: Pick<DialogueContext, "questions" | "plan">,
  type: string,
  payload: Payload,
  at: number,
): HistoryEntry | undefined {
  if (type === "stateChanged") return undefined;
  const isPerson = type === "received";
  const { action } = isPerson ? (payload.message as { readonly action: string }) : { action: type };
  return {
    role: isPerson ? "user" : "assistant",
    content: (isPerson ? saidBy(payload, questions) : contentOf(payload, planNow)).slice(
      0,
      dialogueLimits.historyLine,
    ),
    timestamp: at / 1_000,
    messageType: action,
  };
}

/**
 * Returns what a person wrote in a message, such as the task or an answer. For a chosen option, it returns the
 * text of the option. If the message contains no text, it returns the name of the message's action.
 */
function saidBy({ message }: Payload, questions: readonly Question[]): string {
  // The cast is safe: the dialogue machine itself created the message.
  const { action, ...rest } = message as Readonly<Record<string, unknown>>;
  const chosen = (said: Payload): unknown => {
    const words = said.answer ?? said.selectedOptionId;
    const asked = questions.filter(({ id }) => said.questionId === undefined || said.questionId === id);
    return asked.flatMap(({ options }) => options).find(({ id }) => id === words)?.text ?? words;
  };
  if (Array.isArray(rest.answers)) return rest.answers.map(chosen).join("; ");
  const words = rest.task ?? chosen(rest) ?? rest.newValue ?? rest.decision ?? rest.reason;
  return typeof words === "string" ? words : String(action);
}

function contentOf(payload: Payload, planNow: Plan | null): string {
  const { question, summary, plan, analysis, step, error, assumptions, iteration } = payload;
  const { questions, stepIndex, outcome, overall } = payload;
  if (typeof iteration === "number") return refinementText(payload);
  if (typeof overall === "number") return `Confidence ${Math.round(overall * 100)}%`;
  if (typeof stepIndex === "number" && outcome === "done")
    return `Done: ${planNow?.steps[stepIndex]?.description ?? ""}`;
  // The cast is safe: the dialogue machine itself created the message.
  if (Array.isArray(questions) && questions.length > 0)
    return (questions as readonly Question[]).map((one) => one.question).join("; ");
  if (typeof question === "string") return question;
  if (typeof summary === "string") return summary;
  if (typeof error === "string") return error;
  if (Array.isArray(assumptions) && assumptions.length > 0)
    return assumptions.map(({ field, assumedValue }) => `${field}: ${assumedValue}`).join("; ");
  const subject = analysis ?? step ?? plan;
  if (typeof subject === "object" && subject !== null) {
    const { cause, description, summary: planned } = subject as Readonly<Record<string, unknown>>;
    return String(cause ?? description ?? planned ?? "");
  }
  return "";
}

/** Describes a round of refinement: its number, the scores before and after it, and what was improved. */
function refinementText({
  iteration,
  maxIterations,
  previousScore,
  newScore,
  improvements,
}: Payload): string {
  const scores = [previousScore, newScore].map((score) => `${Math.round(Number(score) * 100)}%`).join(" → ");
  const improved = Array.isArray(improvements) ? improvements.map(String) : [];
  return [`Iteration ${iteration} of ${maxIterations}: score ${scores}`, ...improved].join("; ");
}

/** Descriptions of all steps of the task that are done, including those of earlier plans. */
export function doneSteps({ done, completed, plan }: DialogueContext): readonly string[] {
  return [...done, ...completed.flatMap((at) => plan?.steps[at]?.description ?? [])];
}

/** Values of the task that no step has used. A value is also unused when the person skipped its step. */
export function valuesLeft({ plan, skipped }: DialogueContext): readonly string[] {
  return [...(plan?.unplaced ?? []), ...skipped.flatMap((at) => plan?.steps[at]?.value ?? [])];
}

/**
 * If the evidence of a step says that the step has only entered a value in a form, returns the name of the button
 * that sends the form; otherwise null.
 */
export const notPressedIn = ({ not_pressed: name }: Readonly<Record<string, unknown>>): string | null =>
  typeof name === "string" ? name : null;

/**
 * Returns the plan with a last step added. The step presses the button of the form in which the step before has only
 * entered a value.
 */
export function withUnsentForm(plan: Plan, evidence: Readonly<Record<string, unknown>>): Plan {
  const name = notPressedIn(evidence) ?? "";
  const { not_pressed_index: index } = evidence;
  const press = {
    action: "click",
    targetId: typeof index === "number" ? index : null,
    target: { role: "button", name },
    value: null,
    secret: null,
    expectedResult: { type: "effect" as const, expected: null },
    description: `Click "${name}"`,
    // The dialogue has asked the person before this step, so the person's decision is the approval of its
    // risk.
    risk: "high" as const,
    reversible: false,
    confidence: 1,
    deferred: false,
    dependsOn: [],
  };
  const steps = withDependencies([...plan.steps, press]);
  return { ...plan, steps, summary: summaryOf(steps) };
}

/** Returns the steps that depend on a skipped step, directly or through other steps. */
export function flaggedSteps({
  plan,
  skipped,
}: Pick<DialogueContext, "plan" | "skipped">): readonly number[] {
  const flagged = new Set<number>(skipped);
  for (const [at, { dependsOn }] of (plan?.steps ?? []).entries())
    if (dependsOn.some((one) => flagged.has(one))) flagged.add(at);
  return [...flagged].filter((at) => !skipped.includes(at));
}

/** The state of a dialogue as callers of the API see it. */
export function viewOf(context: DialogueContext, status: DialogueStatus): DialogueView {
  const { plan } = context;
  return {
    dialogue_id: context.id,
    room_name: context.room_name,
    tabId: context.tab,
    status,
    inputEnabled: inputEnabled[status],
    task: context.task,
    conversationHistory: [...context.history],
    dialogueState: {
      clarificationRound: context.round,
      maxClarificationRounds: dialogueLimits.rounds,
      refineIteration: context.refineIteration,
      maxRefineIterations: dialogueLimits.refinements,
      pendingQuestions: [...context.questions],
      assumptions: [...(plan?.assumptions ?? [])],
    },
    executionState: {
      currentStepIndex: context.stepIndex,
      totalSteps: plan?.steps.length ?? 0,
      completedSteps: [...context.completed],
      failedSteps: [...context.failed],
      skippedSteps: [...context.skipped],
      flaggedSteps: [...flaggedSteps(context)],
      checkpoint: context.checkpoint,
    },
    currentPlan: plan,
    planHistory: [...context.planHistory],
    failure: context.failure,
    error: context.error,
  };
}
