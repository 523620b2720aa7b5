/**
 * The statechart of a dialogue: plan, clarify, announce or get approval, execute step by step, recover.
 * Its states and transitions are those of the protocol specification.
 */
import { assign, emit, enqueueActions, setup } from "xstate";
import { effect } from "../effect.ts";
import type { Emitted } from "../emitted.ts";
import { routeOf } from "./confidence.ts";
import {
  type DialogueContext,
  type DialogueEvent,
  initialContext,
  type PlanInput,
  type PlanOutput,
  type StepInput,
  type StepOutput,
  sent,
} from "./dialogue-context.ts";
import { type DialogueStatus, inputEnabled } from "./dialogue-state.ts";
import { dialogueLimits } from "./limits.ts";
import type { Plan } from "./plan-schemas.ts";

const hasHighRisk = ({ steps }: Plan): boolean => steps.some(({ risk }) => risk === "high");

type Output<Type extends DialogueEvent["type"]> =
  Extract<DialogueEvent, { type: Type }> extends { output: infer O } ? O : never;

const planned = (event: DialogueEvent): Output<"xstate.done.actor.plan"> | undefined =>
  event.type === "xstate.done.actor.plan" ? event.output : undefined;
const acted = (event: DialogueEvent): Output<"xstate.done.actor.act"> | undefined =>
  event.type === "xstate.done.actor.act" ? event.output : undefined;

/** The route of a plan that was just made. */
function planRoute(event: DialogueEvent) {
  const output = planned(event);
  return output && routeOf(output.plan.confidence.overall, hasHighRisk(output.plan));
}

const machineSetup = setup({
  types: {
    context: {} as DialogueContext,
    events: {} as DialogueEvent,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    plan: effect<PlanInput, PlanOutput>(),
    countdown: effect<null, null>(),
    act: effect<StepInput, StepOutput>(),
  },
  actions: {
    /** Answers the command with the state that it leads to. */
    accept: emit(
      (_, { status }: { readonly status: DialogueStatus }): Emitted => ({ type: "reply", body: { status } }),
    ),
    begin: assign(({ context, event }) =>
      event.type === "START_TASK"
        ? {
            ...initialContext(context.id),
            seq: context.seq,
            history: context.history,
            attempt: context.attempt,
            planHistory: context.planHistory,
            room_name: event.room_name,
            auto_approve: event.auto_approve,
            task: event.task,
          }
        : {},
    ),
    /** Sends a message and notes it. */
    send: enqueueActions(
      (
        { context, event, enqueue },
        { type, payload }: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> },
      ) => {
        const { change, emitted } = sent(context, type, payload, event.at);
        enqueue.assign(change);
        for (const one of emitted) enqueue.emit(one);
      },
    ),
    stateChanged: enqueueActions(
      ({ context, event, enqueue }, { status }: { readonly status: DialogueStatus }) => {
        const payload = {
          state: status,
          inputEnabled: inputEnabled[status],
          planVersion: context.plan?.version ?? 0,
        };
        const { change, emitted } = sent(context, "stateChanged", payload, event.at);
        enqueue.assign(change);
        for (const one of emitted) enqueue.emit(one);
      },
    ),
    /** Says that a step is done, with what shows it. */
    stepDone: enqueueActions(({ context, event, enqueue }) => {
      const output = acted(event);
      const evidence = output?.ok ? output.evidence : {};
      const payload = { stepIndex: context.stepIndex, outcome: "done", evidence };
      const { change, emitted } = sent(context, "stepCompleted", payload, event.at);
      enqueue.assign(change);
      for (const one of emitted) enqueue.emit(one);
    }),
    keepPlan: assign(({ context, event }) => {
      const output = planned(event);
      if (!output) return {};
      const { plan: before } = context;
      const planHistory = before
        ? [...context.planHistory, before].slice(-dialogueLimits.recentPlans)
        : context.planHistory;
      return { plan: output.plan, questions: output.questions, planHistory, stepIndex: 0 };
    }),
    keepAnswer: assign(({ context, event }) => {
      if (event.type === "CORRECT_ASSUMPTION") {
        const assumed = context.plan?.assumptions.find(({ field }) => field === event.field);
        return assumed ? { answers: { ...context.answers, [assumed.questionId]: event.value ?? "" } } : {};
      }
      if (event.type !== "SUBMIT_CLARIFICATION") return {};
      const id = event.questionId ?? context.questions[0]?.id ?? "";
      return {
        answers: { ...context.answers, [id]: event.answer },
        refineIteration: Math.min(dialogueLimits.refinements, context.refineIteration + 1),
      };
    }),
    nextRound: assign({ round: ({ context }) => Math.min(dialogueLimits.rounds, context.round + 1) }),
    nextAttempt: assign({ attempt: ({ context }) => context.attempt + 1, pausing: false }),
    completeStep: assign(({ context }) => ({
      completed: [...context.completed, context.stepIndex],
      stepIndex: context.stepIndex + 1,
      failure: null,
    })),
    skipStep: assign(({ context }) => ({
      stepIndex: context.stepIndex + 1,
      failure: null,
      failed: resolved(context, "skipped"),
    })),
    retryStep: assign(({ context }) => ({ failure: null, failed: resolved(context, "retried") })),
    keepFailure: assign(({ context, event }) => {
      const output = acted(event);
      if (!output || output.ok) return {};
      const { stepIndex, error } = output.failure;
      const earlier = context.failed.filter((one) => one.stepIndex === stepIndex).length;
      return {
        failure: output.failure,
        failed: [...context.failed, { stepIndex, error, retryCount: earlier, resolution: null }],
      };
    }),
    pause: assign({ pausing: true }),
    editStep: assign(({ context, event }) => {
      if (event.type !== "EDIT_STEP" || !context.plan) return {};
      const steps = context.plan.steps.map((step, at) =>
        at === event.stepIndex ? { ...step, ...withoutUndefined(event.step) } : step,
      );
      const planHistory = [...context.planHistory, context.plan].slice(-dialogueLimits.recentPlans);
      return { plan: { ...context.plan, version: context.plan.version + 1, steps }, planHistory };
    }),
    fail: assign(({ event }) => ({
      error: event.type === "xstate.error.actor.plan" ? event.error.message : "The dialogue cannot go on.",
    })),
    refuseDecided: emit(
      ({ context, event }): Emitted => ({
        type: "refuse",
        code: "dialogue.already_decided",
        message: `${event.type} does not fit any more. Get the dialogue for its state and its plan version.`,
        details: { planVersion: context.plan?.version ?? null },
      }),
    ),
    refuseUnknown: emit({
      type: "refuse",
      code: "dialogue.not_found",
      message: "This dialogue has no task. start_dialogue starts one.",
      status: 404,
    }),
  },
  guards: {
    needsQuestions: ({ event }) => planRoute(event) === "clarify",
    isAssumed: ({ event }) => planRoute(event) === "announce",
    runsUnasked: ({ context, event }) => {
      const output = planned(event);
      return (
        output !== undefined &&
        context.auto_approve &&
        planRoute(event) === "approve" &&
        !hasHighRisk(output.plan)
      );
    },
    isUnclear: ({ context, event }) => {
      const output = planned(event);
      const isClear = planRoute(event) !== "clarify" && output?.questions.length === 0;
      return !isClear && context.round < dialogueLimits.rounds && (output?.questions.length ?? 0) > 0;
    },
    isThisVersion: ({ context, event }) =>
      "planVersion" in event && event.planVersion === context.plan?.version,
    isKnownQuestion: ({ context, event }) =>
      event.type === "SUBMIT_CLARIFICATION" &&
      (event.questionId === undefined || context.questions.some(({ id }) => id === event.questionId)),
    hasValue: ({ event }) => event.type === "CORRECT_ASSUMPTION" && event.value !== undefined,
    hasStepFailed: ({ event }) => acted(event)?.ok === false,
    isLastStep: ({ context }) => context.stepIndex + 1 >= (context.plan?.steps.length ?? 0),
    isLastSkip: ({ context, event }) =>
      event.type === "MID_EXEC_DECISION" &&
      event.decision === "skip" &&
      context.stepIndex + 1 >= (context.plan?.steps.length ?? 0),
    isPausing: ({ context }) => context.pausing,
    isRetry: ({ event }) => event.type === "MID_EXEC_DECISION" && event.decision === "retry",
    isSkip: ({ event }) => event.type === "MID_EXEC_DECISION" && event.decision === "skip",
    isReplan: ({ event }) => event.type === "MID_EXEC_DECISION" && event.decision === "replan",
    hasSteps: ({ context }) => (context.plan?.steps.length ?? 0) > 0,
  },
});

function resolved(context: DialogueContext, resolution: string): DialogueContext["failed"] {
  return context.failed.map((one, at) => (at === context.failed.length - 1 ? { ...one, resolution } : one));
}

/** Only what the edit names. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // The filter removes what the type excludes.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

const accept = (status: DialogueStatus) => ({ type: "accept", params: { status } }) as const;
const entered = (status: DialogueStatus) => ({ type: "stateChanged", params: { status } }) as const;
const START = { target: "#dialogue.planning", actions: ["begin", accept("planning")] } as const;
const CANCEL = { target: "#dialogue.idle", actions: [accept("idle")] } as const;

const PLAN_INPUT = ({ context }: { context: DialogueContext }): PlanInput => ({
  task: context.task ?? "",
  room_name: context.room_name,
  answers: context.answers,
  version: (context.plan?.version ?? 0) + 1,
});

/** Where a first plan and a plan after a failure go. */
const ROUTED = {
  id: "plan",
  src: "plan",
  input: PLAN_INPUT,
  onDone: [
    { guard: "needsQuestions", target: "#dialogue.clarifying", actions: "keepPlan" },
    { guard: "isAssumed", target: "#dialogue.assume_announce", actions: "keepPlan" },
    { guard: "runsUnasked", target: "#dialogue.executing", actions: "keepPlan" },
    { target: "#dialogue.awaiting_approval", actions: "keepPlan" },
  ],
  onError: { target: "#dialogue.error", actions: "fail" },
} as const;

export const dialogueMachine = machineSetup.createMachine({
  id: "dialogue",
  context: ({ input }) => initialContext(input.id),
  initial: "idle",
  on: {
    START_TASK: { actions: "refuseDecided" },
    SUBMIT_CLARIFICATION: { actions: "refuseDecided" },
    CORRECT_ASSUMPTION: { actions: "refuseDecided" },
    APPROVE_PLAN: { actions: "refuseDecided" },
    REJECT_PLAN: { actions: "refuseDecided" },
    EDIT_STEP: { actions: "refuseDecided" },
    MID_EXEC_DECISION: { actions: "refuseDecided" },
    PAUSE: { actions: "refuseDecided" },
    CANCEL: { actions: "refuseDecided" },
  },
  states: {
    idle: { on: { START_TASK: START } },
    planning: { entry: entered("planning"), invoke: ROUTED },
    clarifying: {
      entry: [
        "nextRound",
        entered("clarifying"),
        {
          type: "send",
          params: ({ context }) => {
            const [first] = context.questions;
            return {
              type: "clarifyWithOptions",
              payload: {
                questionId: first?.id ?? null,
                question: first?.question ?? "What should be done? Say it in other words.",
                options: first?.options ?? [],
                allowFreeform: true,
                questions: context.questions,
                round: context.round,
                maxRounds: dialogueLimits.rounds,
              },
            };
          },
        },
      ],
      on: {
        SUBMIT_CLARIFICATION: [
          { guard: "isKnownQuestion", target: "refining", actions: ["keepAnswer", accept("refining")] },
          { actions: "refuseDecided" },
        ],
        CANCEL,
      },
    },
    refining: {
      entry: entered("refining"),
      invoke: {
        id: "plan",
        src: "plan",
        input: PLAN_INPUT,
        onDone: [
          { guard: "isUnclear", target: "clarifying", actions: "keepPlan" },
          { target: "awaiting_approval", actions: "keepPlan" },
        ],
        onError: { target: "error", actions: "fail" },
      },
    },
    assume_announce: {
      entry: [
        entered("assume_announce"),
        {
          type: "send",
          params: ({ context: { plan } }) => ({
            type: "assumeAnnounce",
            payload: {
              assumptions: plan?.assumptions ?? [],
              plan: { summary: plan?.summary, steps: plan?.steps },
              autoExecuteDelay: dialogueLimits.announce,
            },
          }),
        },
      ],
      invoke: { id: "countdown", src: "countdown", input: null, onDone: "executing", onError: "error" },
      on: {
        // Its announcement was cut off: it counts from the beginning.
        ANNOUNCE_AGAIN: {
          actions: {
            type: "send",
            params: ({ context: { plan } }) => ({
              type: "assumeAnnounce",
              payload: {
                assumptions: plan?.assumptions ?? [],
                plan: { summary: plan?.summary, steps: plan?.steps },
                autoExecuteDelay: dialogueLimits.announce,
              },
            }),
          },
        },
        CORRECT_ASSUMPTION: [
          { guard: "hasValue", target: "refining", actions: ["keepAnswer", accept("refining")] },
          { target: "clarifying", actions: accept("clarifying") },
        ],
        CANCEL,
      },
    },
    awaiting_approval: {
      entry: [
        entered("awaiting_approval"),
        {
          type: "send",
          params: ({ context: { plan } }) => ({
            type: "planReady",
            payload: { plan, confidence: plan?.confidence, requiresApproval: true },
          }),
        },
      ],
      on: {
        APPROVE_PLAN: [
          { guard: "isThisVersion", target: "executing", actions: accept("executing") },
          { actions: "refuseDecided" },
        ],
        REJECT_PLAN: [
          { guard: "isThisVersion", target: "idle", actions: accept("idle") },
          { actions: "refuseDecided" },
        ],
        EDIT_STEP: [
          {
            guard: "isThisVersion",
            target: "awaiting_approval",
            reenter: true,
            actions: ["editStep", accept("awaiting_approval")],
          },
          { actions: "refuseDecided" },
        ],
        CANCEL,
      },
    },
    executing: {
      entry: entered("executing"),
      initial: "deciding",
      states: {
        deciding: {
          always: [{ guard: "hasSteps", target: "acting" }, { target: "#dialogue.completed" }],
        },
        acting: {
          entry: [
            "nextAttempt",
            {
              type: "send",
              params: ({ context: { plan, stepIndex } }) => ({
                type: "stepStarted",
                payload: { stepIndex, step: plan?.steps[stepIndex] ?? null },
              }),
            },
          ],
          invoke: {
            id: "act",
            src: "act",
            input: ({ context: { id, plan, room_name, stepIndex, attempt } }): StepInput => {
              const step = plan?.steps[stepIndex];
              if (!step) throw new RangeError(`The plan of ${id} has no step ${stepIndex}.`);
              return { room_name, step, stepIndex, action_id: `dialogue-${id}-${attempt}` };
            },
            onDone: [
              { guard: "hasStepFailed", target: "#dialogue.mid_exec_dialog", actions: "keepFailure" },
              { guard: "isLastStep", target: "#dialogue.completed", actions: ["stepDone", "completeStep"] },
              {
                guard: "isPausing",
                target: "#dialogue.mid_exec_dialog",
                actions: ["stepDone", "completeStep"],
              },
              { target: "acting", reenter: true, actions: ["stepDone", "completeStep"] },
            ],
            onError: { target: "#dialogue.error", actions: "fail" },
          },
          on: {
            PAUSE: { actions: ["pause", accept("executing")] },
            CORRECT_ASSUMPTION: { actions: ["pause", accept("executing")] },
          },
        },
      },
      on: { CANCEL },
    },
    mid_exec_dialog: {
      entry: [
        entered("mid_exec_dialog"),
        {
          type: "send",
          params: ({ context: { failure, stepIndex } }) => ({
            type: "midExecDialog",
            payload: {
              stepIndex,
              error: failure?.error ?? null,
              failure,
              options: failure
                ? [
                    ...(failure.canRetry ? ["retry"] : []),
                    ...(failure.canSkip ? ["skip"] : []),
                    ...(failure.canReplan ? ["replan"] : []),
                    "abort",
                  ]
                : ["retry", "replan", "abort"],
            },
          }),
        },
      ],
      on: {
        MID_EXEC_DECISION: [
          { guard: "isRetry", target: "executing", actions: ["retryStep", accept("executing")] },
          { guard: "isLastSkip", target: "completed", actions: ["skipStep", accept("completed")] },
          { guard: "isSkip", target: "executing", actions: ["skipStep", accept("executing")] },
          { guard: "isReplan", target: "replanning", actions: ["retryStep", accept("replanning")] },
          { target: "idle", actions: accept("idle") },
        ],
      },
    },
    replanning: { entry: entered("replanning"), invoke: ROUTED },
    completed: {
      entry: [
        entered("completed"),
        {
          type: "send",
          params: ({ context: { plan, completed, failed } }) => ({
            type: "taskCompleted",
            payload: { summary: plan?.summary ?? "", completedSteps: completed, failedSteps: failed },
          }),
        },
      ],
      on: { START_TASK: START },
    },
    error: {
      entry: [
        entered("error"),
        { type: "send", params: ({ context: { error } }) => ({ type: "error", payload: { error } }) },
      ],
      on: { START_TASK: START },
    },
  },
});
