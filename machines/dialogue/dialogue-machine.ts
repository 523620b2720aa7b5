/**
 * The state machine of a dialogue: it plans a task, asks questions, announces the plan or waits for approval,
 * executes the steps one by one, and recovers from failures. Its states and transitions are those of the
 * protocol specification.
 */

import { assign, emit, enqueueActions, not, setup } from "xstate";
import { effect } from "../effect-placeholder.ts";
import type { Emitted } from "../machine-emissions.ts";
import { answersTo, repeatedQuestion } from "./answers-to-dialogue-questions.ts";
import {
  type DialogueContext,
  type DialogueEvent,
  doneSteps,
  initialContext,
  notPressedIn,
  type PlanInput,
  type PlanOutput,
  type StepInput,
  type StepOutput,
  sent,
  withUnsentForm,
} from "./dialogue-context.ts";
import { dialogueLimits } from "./dialogue-limits.ts";
import { type DialogueStatus, inputEnabled } from "./dialogue-states-that-accept-text.ts";
import {
  assumeAnnounce,
  clarifyWithOptions,
  type DialogueMessage,
  midExecDialog,
  planReady,
  possibleDecisions,
  saidIn,
  stepStarted,
  taskCompleted,
} from "./messages-about-dialogue-state.ts";
import { messagesOfPlan } from "./messages-about-new-plan.ts";
import { summaryOf } from "./plan/build-plan-step.ts";
import { analyseFailure } from "./plan/failed-step-explanation.ts";
import { routeOf } from "./plan/plan-confidence.ts";
import type { Plan } from "./plan/plan-schemas.ts";
import { editedStep, retriedStep } from "./plan/plan-step-edits.ts";
import { needsSending } from "./planner/whether-plan-must-send-form.ts";
import { refusalReason } from "./refused-dialogue-message-reasons.ts";

const hasHighRisk = ({ steps }: Plan): boolean => steps.some(({ risk }) => risk === "high");

type Output<Type extends DialogueEvent["type"]> =
  Extract<DialogueEvent, { type: Type }> extends { output: infer O } ? O : never;

const planned = (event: DialogueEvent): Output<"xstate.done.actor.plan"> | undefined =>
  event.type === "xstate.done.actor.plan" ? event.output : undefined;
const acted = (event: DialogueEvent): Output<"xstate.done.actor.act"> | undefined =>
  event.type === "xstate.done.actor.act" ? event.output : undefined;

/** Returns the dialogue's next state for a new plan. It depends on the plan's confidence and risk. */
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
    /** Replies to the person's command with the status of the dialogue's next state. */
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
            decided: context.decided,
            // The numbers of plans continue in the next task, so a number identifies one plan of the dialogue. The
            // approval of an old plan then never applies to a plan of a later task.
            planHistory: context.plan
              ? [...context.planHistory, context.plan].slice(-dialogueLimits.recentPlans)
              : context.planHistory,
            ...(event.place ?? placeOf(context)),
            task: event.task,
          }
        : {},
    ),
    /** Stores a person's message as a row of the dialogue. */
    receive: enqueueActions(({ context, event, enqueue }) => {
      const message = saidIn(event);
      const { change, emitted } = sent(context, "received", { message }, event.at);
      enqueue.assign({ ...change, decided: { ...message, timestamp: event.at / 1_000 } });
      for (const one of emitted) enqueue.emit(one);
    }),
    /**
     * Publishes one message for each round in which the plan was refined, and one for the plan's confidence.
     */
    reportPlan: enqueueActions(({ context, event, enqueue }) => {
      const output = planned(event);
      let now: Pick<DialogueContext, "seq" | "history"> = context;
      for (const { type, payload } of output ? messagesOfPlan(output) : []) {
        const { change, emitted } = sent({ ...context, ...now }, type, payload, event.at);
        now = change;
        for (const one of emitted) enqueue.emit(one);
      }
      enqueue.assign({ seq: now.seq, history: now.history });
    }),
    /**
     * Stores a checkpoint before a step: the page where the previous step ended, or the page of the plan for
     * the first step.
     */
    checkpoint: assign(({ context, event }) => ({
      checkpoint: {
        beforeStepIndex: context.stepIndex,
        pageState: context.page,
        timestamp: event.at / 1_000,
      },
    })),
    /** Publishes a message of the dialogue and stores it. */
    send: enqueueActions(({ context, event, enqueue }, { type, payload }: DialogueMessage) => {
      const { change, emitted } = sent(context, type, payload, event.at);
      enqueue.assign(change);
      for (const one of emitted) enqueue.emit(one);
    }),
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
    /** Reports that a step is done, with the evidence that it took effect. */
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
      return {
        plan: output.plan,
        questions: output.questions.map((one) => repeatedQuestion(one, context)),
        planHistory,
        stepIndex: 0,
        completed: [],
        done: doneSteps(context),
        skipped: [],
        failure: null,
        page: output.page,
        refineIteration: Math.min(
          dialogueLimits.refinements,
          context.refineIteration + output.iterations.length,
        ),
      };
    }),
    /**
     * Stores whether the announced plan still has open questions. This is possible after the maximum number
     * of rounds of questions. Such a plan waits for approval.
     */
    bestEffort: assign(({ event }) => ({ bestEffort: (planned(event)?.questions.length ?? 0) > 0 })),
    keepAnswer: assign(({ context, event }) => {
      if (event.type === "CORRECT_ASSUMPTION") {
        const assumed = assumptionOf(context, event.field);
        if (!assumed || event.newValue === undefined) return {};
        return { answers: { ...context.answers, [assumed.questionId]: event.newValue } };
      }
      if (event.type !== "SUBMIT_CLARIFICATION") return {};
      const given = answersTo(context.questions, event) ?? [];
      return {
        answers: {
          ...context.answers,
          ...Object.fromEntries(given.map(({ question, answer }) => [question.id, answer])),
        },
        asked: {
          ...context.asked,
          ...Object.fromEntries(given.map(({ question }) => [question.id, question.question])),
        },
      };
    }),
    /**
     * If a person rejects an assumed value and gives no other value, the dialogue asks for the right value.
     * The person answers with free text.
     */
    askAssumption: assign(({ context, event }) => {
      const assumed = event.type === "CORRECT_ASSUMPTION" ? assumptionOf(context, event.field) : undefined;
      if (!assumed) return {};
      const question = `What is right for "${assumed.field}" instead of "${assumed.assumedValue}"?`;
      return {
        questions: [
          { id: assumed.questionId, type: "freeform" as const, question, options: [], allowFreeform: true },
        ],
      };
    }),
    nextRound: assign({ round: ({ context }) => Math.min(dialogueLimits.rounds, context.round + 1) }),
    nextAttempt: assign({ attempt: ({ context }) => context.attempt + 1, pausing: false }),
    completeStep: assign(({ context, event }) => {
      const output = acted(event);
      return {
        completed: [...context.completed, context.stepIndex],
        stepIndex: context.stepIndex + 1,
        failure: null,
        notPressed: output?.ok ? notPressedIn(output.evidence) : null,
        ...(output?.ok ? { page: output.page ?? context.page, tab: output.tab ?? context.tab } : {}),
      };
    }),
    skipStep: assign(({ context }) => ({
      stepIndex: context.stepIndex + 1,
      // After the last step, the dialogue may ask about a value that no step uses. There is no step at
      // `stepIndex` then, so an answer that skips this question skips no step.
      skipped:
        context.stepIndex < (context.plan?.steps.length ?? 0)
          ? [...context.skipped, context.stepIndex]
          : context.skipped,
      failure: null,
      failed: context.failure ? resolved(context, "skipped") : context.failed,
    })),
    retryStep: assign(({ context }) => ({
      failure: null,
      failed: context.failure ? resolved(context, "retried") : context.failed,
      plan:
        context.plan &&
        withStep(context.plan, context.stepIndex, (step) => retriedStep(step, context.failure)),
    })),
    replan: assign(({ context }) => ({
      failed: context.failure ? resolved(context, "replanned") : context.failed,
    })),
    recover: assign(({ context }) => ({
      failure: null,
      failed: resolved(context, "retried by itself"),
      plan:
        context.plan &&
        withStep(context.plan, context.stepIndex, (step) => retriedStep(step, context.failure)),
    })),
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
    /**
     * The plan has not used all words of the task. So the task is planned again on the page that the plan has
     * reached.
     */
    continueTask: assign(({ context: { plan, reached } }) =>
      plan
        ? {
            reached: {
              plan,
              pressed: [...(reached?.pressed ?? []), ...plan.steps.flatMap(({ targetId }) => targetId ?? [])],
              times: (reached?.times ?? 0) + 1,
            },
          }
        : {},
    ),
    /** Asks the person about words of the task that no plan has used. */
    keepOpen: assign(({ context: { plan, stepIndex } }) => ({
      failure: analyseFailure(Math.max(0, stepIndex - 1), {
        error: `The task names ${quoted(plan?.open ?? [])}, and no step has used it.`,
        data: { code: "value_unused", values: plan?.open ?? [] },
      }),
    })),
    /** Asks the person about values that the task names and that the plan did not use. */
    keepUnused: assign(({ context: { plan, stepIndex } }) => ({
      failure: analyseFailure(Math.max(0, stepIndex - 1), {
        error: `The task names ${quoted(plan?.unplaced ?? [])}, and no step has used it.`,
        data: { code: "value_unused", values: plan?.unplaced ?? [] },
      }),
    })),
    /**
     * Asks the person whether to send the form in which the last step has entered a value. The decision `retry` presses the
     * button of the form, and `skip` completes the task without it.
     */
    keepUnsent: assign(({ context: { plan, stepIndex }, event }) => {
      const output = acted(event);
      if (!plan || !output?.ok) return {};
      const name = notPressedIn(output.evidence);
      const error = `The form has the values of the task, and "${name}" was not pressed, so nothing has changed yet.`;
      return {
        plan: withUnsentForm(plan, output.evidence),
        failure: analyseFailure(stepIndex, { error, data: { code: "form_not_sent", button: name } }),
      };
    }),
    /**
     * Asks the person how to continue after a correction that came while the last step ran. The dialogue
     * cannot pause before a next step then, because there is none.
     */
    keepCorrection: assign(({ context: { stepIndex, decided } }) => ({
      failure: analyseFailure(Math.max(0, stepIndex - 1), {
        error: `The last step was done before "${decided?.field}" was corrected${decided?.newValue === undefined ? "" : ` to "${decided.newValue}"`}.`,
        data: { code: "corrected" },
      }),
    })),
    pause: assign({ pausing: true }),
    editStep: assign(({ context, event }) => {
      if (event.type !== "EDIT_STEP" || !context.plan) return {};
      const { step: edit } = event;
      const plan = withStep(context.plan, event.stepIndex, (step) => editedStep(step, edit));
      const risks = plan.steps
        .filter(({ risk }) => risk === "high")
        .map(({ description }) => `${description} may not be undone.`);
      const planHistory = [...context.planHistory, context.plan].slice(-dialogueLimits.recentPlans);
      const summary = summaryOf(plan.steps);
      return { plan: { ...plan, version: plan.version + 1, summary, risks }, planHistory };
    }),
    fail: assign(({ event }) => ({
      error: "error" in event ? event.error.message : "The dialogue cannot continue.",
    })),
    refuseDecided: emit(
      ({ context, event }, { status }: { readonly status: DialogueStatus }): Emitted => ({
        type: "refuse",
        code: "dialogue.already_decided",
        message: refusalReason(context, event, status),
        details: {
          state: status,
          planVersion: context.plan?.version ?? null,
          decided: context.decided,
          questions: context.questions.map(({ id }) => id),
        },
      }),
    ),
  },
  guards: {
    needsQuestions: ({ event }) =>
      planRoute(event) === "clarify" && (planned(event)?.questions.length ?? 0) > 0,
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
      const isLeft = context.round < dialogueLimits.rounds;
      return !isClear && isLeft && (output?.questions.length ?? 0) > 0;
    },
    /** Whether a `START_TASK` message has the task and the place with which the dialogue was started. */
    isRepeatedStart: ({ context, event }) => {
      if (event.type !== "START_TASK" || event.task !== context.task) return false;
      const { place } = event;
      const own = placeOf(context);
      return place !== null && placeFields.every((field) => place[field] === own[field]);
    },
    isOfPlan: ({ context, event }) =>
      event.type === "CANCEL" &&
      (event.planVersion === undefined || event.planVersion === context.plan?.version),
    /** A plan without steps that still has questions does nothing, so it cannot be approved. */
    isApproval: ({ context, event }) =>
      event.type === "APPROVE_PLAN" &&
      event.planVersion === context.plan?.version &&
      !(context.bestEffort && context.plan.steps.length === 0),
    isThisVersion: ({ context, event }) =>
      "planVersion" in event && event.planVersion === context.plan?.version,
    isEdit: ({ context, event }) =>
      event.type === "EDIT_STEP" &&
      event.planVersion === context.plan?.version &&
      event.stepIndex < context.plan.steps.length,
    isAnswer: ({ context, event }) =>
      event.type === "SUBMIT_CLARIFICATION" && answersTo(context.questions, event) !== undefined,
    isAssumption: ({ context, event }) =>
      event.type === "CORRECT_ASSUMPTION" && assumptionOf(context, event.field) !== undefined,
    isNewValue: ({ context, event }) =>
      event.type === "CORRECT_ASSUMPTION" &&
      event.newValue !== undefined &&
      assumptionOf(context, event.field) !== undefined,
    recoversAlone: ({ context, event }) => {
      const output = acted(event);
      if (output?.ok !== false || !context.auto_recover) return false;
      const tries = context.failed.filter(({ stepIndex }) => stepIndex === context.stepIndex).length;
      const { code, canRetry, mayHaveHappened, recommendedAction } = output.failure;
      // After the error `approval_needed`, a retry would approve the risk of the step. Only a person may
      // approve the risk, so there is no automatic retry.
      const isSafe = canRetry && !mayHaveHappened && code !== "approval_needed";
      return isSafe && recommendedAction === "retry" && tries < dialogueLimits.autoRecoveries;
    },
    isPossible: ({ context, event }) =>
      event.type === "MID_EXEC_DECISION" && possibleDecisions(context.failure).includes(event.decision),
    hasStepFailed: ({ event }) => acted(event)?.ok === false,
    isLastStep: ({ context }) => isLastStep(context),
    /**
     * Whether the current step is the plan's last one, and the plan has left at least one value of the task
     * unused.
     */
    leavesValues: ({ context }) => isLastStep(context) && (context.plan?.unplaced ?? []).length > 0,
    leavesOpen: ({ context }) => leavesOpen(context),
    /** Whether the task changes something, and the form in which the last step has entered a value was not sent. */
    leavesUnsent: ({ context, event }) => {
      const output = acted(event);
      const button = output?.ok ? notPressedIn(output.evidence) : null;
      return isLastStep(context) && button !== null && needsSending(context.task ?? "", button);
    },
    canContinue: ({ context }) =>
      leavesOpen(context) && (context.reached?.times ?? 0) < dialogueLimits.continuations,
    /** Whether the page that the last plan has reached is the one that the task names. */
    isTaskDone: ({ event }) => planned(event)?.isDone === true,
    isCorrectedInLastStep: ({ context }) =>
      isLastStep(context) && context.pausing && context.decided?.action === "correctAssumption",
    isLastSkip: ({ context, event }) =>
      event.type === "MID_EXEC_DECISION" && event.decision === "skip" && isLastStep(context),
    isPausing: ({ context }) => context.pausing,
    isRetry: ({ event }) => event.type === "MID_EXEC_DECISION" && event.decision === "retry",
    isSkip: ({ event }) => event.type === "MID_EXEC_DECISION" && event.decision === "skip",
    isReplan: ({ event }) => event.type === "MID_EXEC_DECISION" && event.decision === "replan",
    hasSteps: ({ context }) => (context.plan?.steps.length ?? 0) > 0,
  },
});

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(", ");

function isLastStep({ plan, stepIndex }: DialogueContext): boolean {
  return stepIndex + 1 >= (plan?.steps.length ?? 0);
}

/** Whether the current step is the plan's last one, and the plan has not used all words of the task. */
function leavesOpen(context: DialogueContext): boolean {
  return isLastStep(context) && (context.plan?.open ?? []).length > 0;
}

function resolved(context: DialogueContext, resolution: string): DialogueContext["failed"] {
  return context.failed.map((one, at) => (at === context.failed.length - 1 ? { ...one, resolution } : one));
}

function withStep(
  plan: Plan,
  index: number,
  change: (step: Plan["steps"][number]) => Plan["steps"][number],
): Plan {
  return { ...plan, steps: plan.steps.map((step, at) => (at === index ? change(step) : step)) };
}

function placeOf({ room_name, url, knowledge_id, auto_approve, auto_recover }: DialogueContext) {
  return { room_name, url, knowledge_id, auto_approve, auto_recover };
}

const placeFields = ["room_name", "url", "knowledge_id", "auto_approve", "auto_recover"] as const;

function assumptionOf({ plan }: DialogueContext, field: string): Plan["assumptions"][number] | undefined {
  return plan?.assumptions.find((one) => one.field === field);
}

const accept = (status: DialogueStatus) => ({ type: "accept", params: { status } }) as const;
const entered = (status: DialogueStatus) => ({ type: "stateChanged", params: { status } }) as const;
const refused = (status: DialogueStatus) => ({ type: "refuseDecided", params: { status } }) as const;
/**
 * A caller that got no answer sends `START_TASK` again. It gets the state of the dialogue, and no second task
 * is started.
 */
const repeatedStart = (status: DialogueStatus) =>
  ({ guard: "isRepeatedStart", actions: accept(status) }) as const;
const START = { target: "#dialogue.planning", actions: ["receive", "begin", accept("planning")] } as const;
/**
 * Actions of the transitions that lead back to `idle`. They publish the state `idle`. They are not entry
 * actions of this state, because a new dialogue is already in `idle` before its first message.
 */
const STOPPED = ["receive", accept("idle"), entered("idle")] as const;

/** Cancels the dialogue, unless the message names another version of the plan than the current one. */
const cancelled = (status: DialogueStatus) =>
  [{ guard: "isOfPlan", target: "#dialogue.idle", actions: STOPPED }, { actions: refused(status) }] as const;

/**
 * Refuses every command that the current state does not accept. The error contains the last accepted message
 * of the person.
 */
function refusals(status: DialogueStatus) {
  const actions = refused(status);
  return {
    START_TASK: [repeatedStart(status), { actions }],
    SUBMIT_CLARIFICATION: { actions },
    CORRECT_ASSUMPTION: { actions },
    APPROVE_PLAN: { actions },
    REJECT_PLAN: { actions },
    EDIT_STEP: { actions },
    MID_EXEC_DECISION: { actions },
    PAUSE: { actions },
    CANCEL: { actions },
  } as const;
}

const PLAN_INPUT = ({ context }: { context: DialogueContext }): PlanInput => ({
  task: context.task ?? "",
  room_name: context.room_name,
  url: context.plan === null ? context.url : null,
  knowledge_id: context.knowledge_id,
  answers: context.answers,
  asked: context.asked,
  version: Math.max(0, context.plan?.version ?? 0, ...context.planHistory.map(({ version }) => version)) + 1,
  done: doneSteps(context),
  reached: context.reached,
});

/**
 * Calls the planner and chooses the next state by its result. It is used for the first plan of a task, and for a new
 * plan after a failure.
 */
const ROUTED = {
  id: "plan",
  src: "plan",
  input: PLAN_INPUT,
  onDone: [
    { guard: "isTaskDone", target: "#dialogue.completed" },
    { guard: "needsQuestions", target: "#dialogue.clarifying", actions: ["keepPlan", "reportPlan"] },
    { guard: "isAssumed", target: "#dialogue.assume_announce", actions: ["keepPlan", "reportPlan"] },
    { guard: "runsUnasked", target: "#dialogue.executing", actions: ["keepPlan", "reportPlan"] },
    { target: "#dialogue.awaiting_approval", actions: ["keepPlan", "bestEffort", "reportPlan"] },
  ],
  onError: { target: "#dialogue.error", actions: "fail" },
} as const;

export const dialogueMachine = machineSetup.createMachine({
  id: "dialogue",
  context: ({ input }) => initialContext(input.id),
  initial: "idle",
  states: {
    idle: { on: { ...refusals("idle"), START_TASK: [repeatedStart("idle"), START] } },
    planning: { entry: entered("planning"), invoke: ROUTED, on: refusals("planning") },
    clarifying: {
      entry: [
        "nextRound",
        entered("clarifying"),
        { type: "send", params: ({ context }) => clarifyWithOptions(context) },
      ],
      on: {
        ...refusals("clarifying"),
        SUBMIT_CLARIFICATION: [
          { guard: "isAnswer", target: "refining", actions: ["receive", "keepAnswer", accept("refining")] },
          { actions: refused("clarifying") },
        ],
        CANCEL: cancelled("clarifying"),
      },
    },
    refining: {
      entry: entered("refining"),
      invoke: {
        id: "plan",
        src: "plan",
        input: PLAN_INPUT,
        onDone: [
          { guard: "isUnclear", target: "clarifying", actions: ["keepPlan", "reportPlan"] },
          { target: "awaiting_approval", actions: ["keepPlan", "bestEffort", "reportPlan"] },
        ],
        onError: { target: "error", actions: "fail" },
      },
      on: refusals("refining"),
    },
    assume_announce: {
      entry: [entered("assume_announce"), { type: "send", params: ({ context }) => assumeAnnounce(context) }],
      invoke: {
        id: "countdown",
        src: "countdown",
        input: null,
        onDone: "executing",
        onError: { target: "error", actions: "fail" },
      },
      on: {
        ...refusals("assume_announce"),
        // The process was restarted during the time in which a person may correct the assumptions. So this
        // time starts again.
        ANNOUNCE_AGAIN: { actions: { type: "send", params: ({ context }) => assumeAnnounce(context) } },
        CORRECT_ASSUMPTION: [
          { guard: "isNewValue", target: "refining", actions: ["receive", "keepAnswer", accept("refining")] },
          {
            guard: "isAssumption",
            target: "clarifying",
            actions: ["receive", "askAssumption", accept("clarifying")],
          },
          { actions: refused("assume_announce") },
        ],
        CANCEL: cancelled("assume_announce"),
      },
    },
    awaiting_approval: {
      entry: [entered("awaiting_approval"), { type: "send", params: ({ context }) => planReady(context) }],
      on: {
        ...refusals("awaiting_approval"),
        APPROVE_PLAN: [
          { guard: "isApproval", target: "executing", actions: ["receive", accept("executing")] },
          { actions: refused("awaiting_approval") },
        ],
        REJECT_PLAN: [
          { guard: "isThisVersion", target: "idle", actions: STOPPED },
          { actions: refused("awaiting_approval") },
        ],
        EDIT_STEP: [
          {
            guard: "isEdit",
            target: "awaiting_approval",
            reenter: true,
            actions: ["receive", "editStep", accept("awaiting_approval")],
          },
          { actions: refused("awaiting_approval") },
        ],
        CANCEL: cancelled("awaiting_approval"),
      },
    },
    executing: {
      entry: entered("executing"),
      initial: "deciding",
      states: {
        deciding: {
          always: [
            { guard: "hasSteps", target: "acting" },
            { guard: "leavesValues", target: "#dialogue.mid_exec_dialog", actions: "keepUnused" },
            { target: "#dialogue.completed" },
          ],
        },
        acting: {
          entry: [
            "nextAttempt",
            "checkpoint",
            { type: "send", params: ({ context }) => stepStarted(context) },
          ],
          invoke: {
            id: "act",
            src: "act",
            input: ({ context }): StepInput => {
              const { id, plan, room_name, knowledge_id, stepIndex, attempt } = context;
              const step = plan?.steps[stepIndex];
              if (!step) throw new RangeError(`The plan of ${id} has no step ${stepIndex}.`);
              const next = plan.steps[stepIndex + 1];
              return {
                ...{ room_name, knowledge_id, step, stepIndex, task: context.task ?? "" },
                action_id: `dialogue-${id}-${attempt}`,
                ...(next ? { next } : {}),
              };
            },
            onDone: [
              {
                guard: "recoversAlone",
                target: "acting",
                reenter: true,
                actions: ["keepFailure", "recover"],
              },
              { guard: "hasStepFailed", target: "#dialogue.mid_exec_dialog", actions: "keepFailure" },
              {
                guard: "isCorrectedInLastStep",
                target: "#dialogue.mid_exec_dialog",
                actions: ["stepDone", "completeStep", "keepCorrection"],
              },
              {
                guard: "leavesValues",
                target: "#dialogue.mid_exec_dialog",
                actions: ["stepDone", "completeStep", "keepUnused"],
              },
              {
                guard: "canContinue",
                target: "#dialogue.replanning",
                actions: ["stepDone", "completeStep", "continueTask"],
              },
              {
                guard: "leavesOpen",
                target: "#dialogue.mid_exec_dialog",
                actions: ["stepDone", "completeStep", "keepOpen"],
              },
              {
                guard: "leavesUnsent",
                target: "#dialogue.mid_exec_dialog",
                actions: ["stepDone", "completeStep", "keepUnsent"],
              },
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
            PAUSE: { actions: ["receive", "pause", accept("executing")] },
            CORRECT_ASSUMPTION: [
              { guard: "isAssumption", actions: ["receive", "keepAnswer", "pause", accept("executing")] },
              { actions: refused("executing") },
            ],
          },
        },
      },
      on: { ...refusals("executing"), CANCEL: cancelled("executing") },
    },
    mid_exec_dialog: {
      entry: [entered("mid_exec_dialog"), { type: "send", params: ({ context }) => midExecDialog(context) }],
      on: {
        ...refusals("mid_exec_dialog"),
        MID_EXEC_DECISION: [
          { guard: not("isPossible"), actions: refused("mid_exec_dialog") },
          { guard: "isRetry", target: "executing", actions: ["receive", "retryStep", accept("executing")] },
          {
            guard: "isLastSkip",
            target: "completed",
            actions: ["receive", "skipStep", accept("completed")],
          },
          { guard: "isSkip", target: "executing", actions: ["receive", "skipStep", accept("executing")] },
          { guard: "isReplan", target: "replanning", actions: ["receive", "replan", accept("replanning")] },
          { target: "idle", actions: STOPPED },
        ],
      },
    },
    replanning: { entry: entered("replanning"), invoke: ROUTED, on: refusals("replanning") },
    completed: {
      entry: [entered("completed"), { type: "send", params: ({ context }) => taskCompleted(context) }],
      on: { ...refusals("completed"), START_TASK: [repeatedStart("completed"), START] },
    },
    error: {
      entry: [
        entered("error"),
        { type: "send", params: ({ context: { error } }) => ({ type: "error", payload: { error } }) },
      ],
      on: { ...refusals("error"), START_TASK: [repeatedStart("error"), START] },
    },
  },
});
