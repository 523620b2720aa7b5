/** The context and events of a dialogue's statechart, and the messages it sends. */
import type { Emitted, Occasion } from "../emitted.ts";
import type { ErrorBody } from "../errors.ts";
import type { CommandOf } from "../kind-protocol.ts";
import { topicToken } from "../topic-token.ts";
import type { DialogueMessage, DialogueView } from "./dialogue-schemas.ts";
import { type DialogueStatus, inputEnabled } from "./dialogue-state.ts";
import { dialogueLimits } from "./limits.ts";
import type { Failure, Plan, Question } from "./plan-schemas.ts";
import type { DialogueProtocol } from "./protocol.ts";

export interface DialogueContext {
  readonly id: string;
  readonly room_name: string;
  readonly auto_approve: boolean;
  readonly task: string | null;
  readonly plan: Plan | null;
  readonly planHistory: readonly Plan[];
  readonly questions: readonly Question[];
  /** By the id of the question. */
  readonly answers: Readonly<Record<string, string>>;
  readonly round: number;
  readonly refineIteration: number;
  readonly stepIndex: number;
  readonly completed: readonly number[];
  readonly failed: DialogueView["executionState"]["failedSteps"];
  readonly failure: Failure | null;
  /** Number of actions asked for: each has an id of its own. */
  readonly attempt: number;
  /** The person wants to speak when the step has ended. */
  readonly pausing: boolean;
  readonly seq: number;
  /** The newest messages. */
  readonly history: readonly DialogueMessage[];
  readonly error: string | null;
}

export const initialContext = (id: string): DialogueContext => ({
  id,
  room_name: "",
  auto_approve: false,
  task: null,
  plan: null,
  planHistory: [],
  questions: [],
  answers: {},
  round: 0,
  refineIteration: 0,
  stepIndex: 0,
  completed: [],
  failed: [],
  failure: null,
  attempt: 0,
  pausing: false,
  seq: 0,
  history: [],
  error: null,
});

export interface PlanInput {
  readonly task: string;
  readonly room_name: string;
  readonly answers: Readonly<Record<string, string>>;
  readonly version: number;
}

export interface PlanOutput {
  readonly plan: Plan;
  readonly questions: readonly Question[];
}

export interface StepInput {
  readonly room_name: string;
  readonly step: Plan["steps"][number];
  readonly stepIndex: number;
  /** Id of the session's action. */
  readonly action_id: string;
}

export type StepOutput =
  | { readonly ok: true; readonly evidence: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly failure: Failure };

export type DialogueEvent = Occasion &
  (
    | CommandOf<DialogueProtocol>
    /** The countdown was cut off and begins again. */
    | { readonly type: "ANNOUNCE_AGAIN" }
    | { readonly type: "xstate.done.actor.plan"; readonly output: PlanOutput }
    | { readonly type: "xstate.done.actor.act"; readonly output: StepOutput }
    | { readonly type: "xstate.error.actor.plan"; readonly error: ErrorBody }
  );

/** The topic of a dialogue's messages; without a dialogue or a type, a pattern for all of them. */
export function dialogueTopic(id?: string, type?: string): string {
  return `dialogue.${id === undefined ? "*" : topicToken(id)}.${type ?? "*"}`;
}

/** A message with its number: the context that has sent it, the row and the event. */
export function sent(
  context: DialogueContext,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  at: number,
): { readonly change: Pick<DialogueContext, "seq" | "history">; readonly emitted: readonly Emitted[] } {
  const { id } = context;
  const seq = context.seq + 1;
  const message: DialogueMessage = { type, dialogue_id: id, seq, timestamp: at / 1_000, ...payload };
  const row = { id: [id, seq] as const, body: JSON.stringify(message), at };
  return {
    change: { seq, history: [...context.history, message].slice(-dialogueLimits.recentMessages) },
    emitted: [
      { type: "write", writes: [{ op: "put", table: "dialogue_message", rows: [row] }] },
      { type: "publish", topic: dialogueTopic(id, type), event: message },
    ],
  };
}

/** The state as callers see it. */
export function viewOf(context: DialogueContext, status: DialogueStatus): DialogueView {
  const { plan } = context;
  return {
    dialogue_id: context.id,
    room_name: context.room_name,
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
    },
    currentPlan: plan,
    planHistory: [...context.planHistory],
    failure: context.failure,
    error: context.error,
  };
}
