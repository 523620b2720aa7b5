/**
 * The state machine of a walk, which executes a route in a session. The walk requests a route from the map,
 * runs one step after another, and recognises the screen after each step. After a step to an unexpected
 * screen, the walk requests a new route.
 */
import { assign, emit, enqueueActions, setup } from "xstate";
import { effect } from "../effect-placeholder.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted } from "../machine-emissions.ts";
import {
  initialWalk,
  type RouteInput,
  type RouteOutput,
  type StepInput,
  type StepOutput,
  type WalkContext,
  type WalkEvent,
  type WalkRoute,
} from "./walk-context.ts";
import { walkLimits } from "./walk-limits.ts";
import type { WalkRequest, WalkStatus } from "./walk-schemas.ts";

const routed = (event: WalkEvent): RouteOutput | undefined =>
  event.type === "xstate.done.actor.route" ? event.output : undefined;
const stepped = (event: WalkEvent): StepOutput | undefined =>
  event.type === "xstate.done.actor.step" ? event.output : undefined;

const machineSetup = setup({
  types: {
    context: {} as WalkContext,
    events: {} as WalkEvent,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    route: effect<RouteInput, RouteOutput>(),
    step: effect<StepInput, StepOutput>(),
  },
  actions: {
    accept: emit(
      ({ context }, { status }: { readonly status: WalkStatus }): Emitted => ({
        type: "reply",
        body: { walk_id: context.walk_id, status },
      }),
    ),
    begin: assign(({ context, event }) =>
      event.type === "START" ? { ...initialWalk(context.walk_id), request: event.request } : {},
    ),
    keepRoute: assign(({ event }) => {
      const output = routed(event);
      return output?.ok ? { route: output.route, next: 0, screen_id: output.screen_id, url: output.url } : {};
    }),
    /**
     * Stores the result of a step. Also reports to the map whether the step's transition led to the expected
     * screen.
     */
    keepStep: enqueueActions(({ context, event, enqueue }) => {
      const output = stepped(event);
      const edge = context.route?.edges[context.next];
      if (!output) return;
      const ok = output.step.outcome === "done";
      const { missing } = output;
      enqueue.assign({
        steps: [...context.steps, output.step],
        next: context.next + 1,
        screen_id: output.step.screen_id,
        url: output.url,
        avoid: edge && !ok ? [...context.avoid, edge] : context.avoid,
        missing,
      });
      // A step without the necessary values, or with a question answered with no, was not executed. So the transition
      // counts neither as successful nor as failed.
      if (!edge || !context.request || missing || output.step.question !== undefined) return;
      // If no click could open the link, its transition counts as failed, even if opening the link's address
      // has led to the right screen.
      const outcomes = [{ from: edge[0], via: edge[1], ok: ok && output.byAddress !== true }];
      const command = { type: "TRAVELLED", outcomes } as const;
      enqueue.emit({ type: "send", to: `knowledge/${context.request.knowledge_id}`, command });
    }),
    reroute: assign(({ context }) => ({ reroutes: context.reroutes + 1, route: null })),
    keepRefusal: assign(({ event }) => {
      const output = routed(event);
      return output && !output.ok ? { error: { code: output.code, message: output.message } } : {};
    }),
    giveUp: assign(({ context }) => ({
      error: {
        code: "walk.lost",
        message: `${context.request?.task ? "The task was not done" : "The target was not reached"}: ${context.steps.at(-1)?.error ?? "the page shows another screen than expected"}`,
      },
    })),
    reportQuestion: assign(({ context }) => ({
      error: { code: "walk.question", message: context.steps.at(-1)?.error ?? "" },
    })),
    requestValues: assign(({ context }) => ({
      error: { code: "walk.missing_parameters", message: context.steps.at(-1)?.error ?? "" },
    })),
    blame: assign((_, { error }: { readonly error: ErrorBody }) => ({
      error: { code: error.code, message: error.message },
    })),
    refuseUnknown: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "walk.not_found",
        message: `There is no walk ${context.walk_id}.`,
        status: 404,
      }),
    ),
    refuseExisting: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "job.exists",
        message: `The walk ${context.walk_id} exists with another target. Choose another id, or leave it out.`,
        status: 409,
      }),
    ),
  },
  guards: {
    hasNoRoute: ({ event }) => routed(event)?.ok === false,
    isThere: ({ event }) => {
      const output = routed(event);
      return output?.ok === true && output.route.actions.length === 0;
    },
    isAsExpected: ({ event }) => stepped(event)?.step.outcome === "done",
    isLastStep: ({ context, event }) =>
      stepped(event)?.step.outcome === "done" && context.next + 1 >= (context.route?.actions.length ?? 0),
    hasQuestion: ({ event }) => stepped(event)?.step.question !== undefined,
    lacksValues: ({ event }) => stepped(event)?.missing !== undefined,
    // The walk opened the address of a state, such as an open tab, but the page did not show this state. A
    // new route would open the same address again, so the walk ends.
    isRepeatedAddress: ({ context, event }) => {
      const step = stepped(event)?.step;
      const last = context.steps.at(-1);
      return step?.tool_name === "navigate" && last?.description === step.description;
    },
    // A walk that executes a recorded task keeps its route. On a new route, the first actions of the task
    // would be executed a second time.
    mayReroute: ({ context }) =>
      context.request?.task === undefined &&
      context.reroutes < walkLimits.reroutes &&
      context.steps.length < walkLimits.steps,
    isSameRequest: ({ context, event }) =>
      event.type === "START" && JSON.stringify(event.request) === JSON.stringify(context.request),
  },
});

const accept = (status: WalkStatus) => ({ type: "accept", params: { status } }) as const;
const AGAIN = (status: WalkStatus) =>
  [{ guard: "isSameRequest", actions: accept(status) }, { actions: "refuseExisting" }] as const;
const CANCEL = { target: "#walk.cancelled", actions: accept("cancelled") } as const;
const FAIL = {
  target: "#walk.failed",
  // The cast is safe: effects fail with the serialised form of an error.
  actions: {
    type: "blame",
    params: ({ event }: { event: { error: unknown } }) => ({ error: event.error as ErrorBody }),
  },
} as const;

export const walkMachine = machineSetup.createMachine({
  id: "walk",
  context: ({ input }) => initialWalk(input.id),
  initial: "idle",
  states: {
    idle: {
      on: {
        START: { target: "routing", actions: ["begin", accept("walking")] },
        CANCEL: { actions: "refuseUnknown" },
      },
    },
    routing: {
      invoke: {
        id: "route",
        src: "route",
        // The cast is safe: `begin` has set the request.
        input: ({ context }) => ({ request: context.request as WalkRequest, avoid: context.avoid }),
        onDone: [
          { guard: "hasNoRoute", target: "failed", actions: "keepRefusal" },
          { guard: "isThere", target: "arrived", actions: "keepRoute" },
          { target: "stepping", actions: "keepRoute" },
        ],
        onError: FAIL,
      },
      on: { START: AGAIN("walking"), CANCEL },
    },
    stepping: {
      invoke: {
        id: "step",
        src: "step",
        input: ({ context }) => {
          const { route, next, request, walk_id, steps } = context;
          const action = route?.actions[next];
          if (!route || !action || !request) throw new Error("A walk takes a step without a route.");
          return {
            request,
            action,
            screen: route.screens[next] ?? "",
            edge: route.edges[next] ?? null,
            ...partOfStep(route, next),
            action_id: `${walk_id}-${steps.length}`,
          };
        },
        onDone: [
          { guard: "isLastStep", target: "arrived", actions: "keepStep" },
          { guard: "isAsExpected", target: "stepping", reenter: true, actions: "keepStep" },
          { guard: "lacksValues", target: "failed", actions: ["keepStep", "requestValues"] },
          { guard: "hasQuestion", target: "failed", actions: ["keepStep", "reportQuestion"] },
          { guard: "isRepeatedAddress", target: "failed", actions: ["keepStep", "giveUp"] },
          { guard: "mayReroute", target: "routing", actions: ["keepStep", "reroute"] },
          { target: "failed", actions: ["keepStep", "giveUp"] },
        ],
        onError: FAIL,
      },
      on: { START: AGAIN("walking"), CANCEL },
    },
    arrived: { on: { START: AGAIN("arrived"), CANCEL: { actions: accept("arrived") } } },
    failed: { on: { START: AGAIN("failed"), CANCEL: { actions: accept("failed") } } },
    cancelled: { on: { START: AGAIN("cancelled"), CANCEL: { actions: accept("cancelled") } } },
  },
});

/**
 * If a step only shows a part of the screen, such as a section, its input gets `shows_part` and the next
 * action of the route (`following`). For other steps, the result is empty.
 */
function partOfStep(
  { shows_part, actions }: WalkRoute,
  at: number,
): Pick<StepInput, "shows_part" | "following"> {
  const following = actions[at + 1];
  return shows_part?.[at] ? { shows_part: true, ...(following ? { following } : {}) } : {};
}

export function walkStatus(value: unknown): WalkStatus | undefined {
  switch (value) {
    case "idle":
      return undefined;
    case "arrived":
    case "failed":
    case "cancelled":
      return value;
    default:
      return "walking";
  }
}
