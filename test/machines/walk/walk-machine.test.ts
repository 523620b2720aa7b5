/**
 * Tests the state machine of a walk along a route: its steps, new routes after an unexpected screen, and its
 * reports to the map.
 */
import { expect, test } from "bun:test";
import { type AnyEventObject, initialTransition, transition } from "xstate";
import type { Emitted } from "../../../machines/machine-emissions.ts";
import type { RouteOutput, StepOutput } from "../../../machines/walk/walk-context.ts";
import { walkLimits } from "../../../machines/walk/walk-limits.ts";
import { walkMachine } from "../../../machines/walk/walk-machine.ts";

const request = { room_name: "room", knowledge_id: "map", target: "Goal" };
const action = { tool_name: "click", parameters: {}, description: "Click", confidence: 1, screen_id: "a" };
const route = (length: number): RouteOutput => ({
  ok: true,
  screen_id: null,
  url: null,
  route: {
    actions: Array.from({ length }, () => action),
    screens: Array.from({ length }, (_, at) => `s${at}`),
    edges: Array.from({ length }, (_, at) => [`from${at}`, `to${at}`] as const),
  },
});
const step = (outcome: StepOutput["step"]["outcome"]): StepOutput => ({
  url: null,
  step: { description: "Click", tool_name: "click", outcome, screen_id: null, error: null },
});

class Driver {
  #snapshot = initialTransition(walkMachine, { id: "walk" })[0];
  emitted: Emitted[] = [];

  send(event: AnyEventObject): this {
    // The test adds the field `at` (the time) to each event, as the runtime does.
    const [next, actions] = transition(walkMachine, this.#snapshot, { at: 1, ...event } as never);
    this.#snapshot = next;
    // The cast is needed, because XState's type lists only the machine's own actions, and `xstate.emit` is an
    // action of XState itself.
    this.emitted = (actions as readonly { readonly type: string; readonly params?: unknown }[]).flatMap(
      (one) => (one.type === "xstate.emit" ? [(one.params as { event: Emitted }).event] : []),
    );
    if (next.status === "error") throw next.error;
    return this;
  }
  routed(output: RouteOutput): this {
    return this.send({ type: "xstate.done.actor.route", output });
  }
  stepped(output: StepOutput): this {
    return this.send({ type: "xstate.done.actor.step", output });
  }
  get state() {
    return this.#snapshot.value;
  }
  get context() {
    return this.#snapshot.context;
  }
}

test("a walk along a route ends after its last step, and reports each confirmed transition to the map", () => {
  const walk = new Driver().send({ type: "START", request }).routed(route(2));
  expect(walk.state).toBe("stepping");
  walk.stepped(step("done"));
  expect(walk.emitted).toEqual([
    {
      type: "send",
      to: "knowledge/map",
      command: { type: "TRAVELLED", outcomes: [{ from: "from0", via: "to0", ok: true }] },
    },
  ]);
  expect([walk.state, walk.context.next]).toEqual(["stepping", 1]);
  expect(walk.stepped(step("done")).state).toBe("arrived");
});

test("a walk along a route that reaches an unexpected screen requests another route, and finally gives up", () => {
  const walk = new Driver().send({ type: "START", request });
  for (let tries = 0; tries < walkLimits.reroutes; tries++) {
    walk.routed(route(1)).stepped(step("surprise"));
    expect([walk.state, walk.context.reroutes]).toEqual(["routing", tries + 1]);
  }
  expect(walk.context.avoid[0]).toEqual(["from0", "to0"]);
  walk.routed(route(1)).stepped(step("failed"));
  expect([walk.state, walk.context.error?.code]).toEqual(["failed", "walk.lost"]);
});

test("a walk along a route takes no step if it starts at its target, fails if there is no route, and stops when it is cancelled", () => {
  expect(new Driver().send({ type: "START", request }).routed(route(0)).state).toBe("arrived");
  const refused: RouteOutput = { ok: false, code: "screen.not_found", message: "no" };
  expect(new Driver().send({ type: "START", request }).routed(refused).context.error?.code).toBe(
    "screen.not_found",
  );
  expect(new Driver().send({ type: "START", request }).send({ type: "CANCEL" }).state).toBe("cancelled");
});

test("a walk along a route whose step lacks values fails with the list of missing fields, and reports nothing about the transition to the map", () => {
  const missing = [{ name: "guest", label: "Guest name", type: "text" }];
  const walk = new Driver().send({ type: "START", request }).routed(route(1));
  walk.stepped({ ...step("failed"), missing });
  expect([walk.state, walk.context.error?.code, walk.context.missing]).toEqual([
    "failed",
    "walk.missing_parameters",
    missing,
  ]);
  expect(walk.emitted).toEqual([]);
});

test("a walk along a route gives up after it has opened the same address twice without reaching the screen", () => {
  const opened = step("surprise");
  const output = { ...opened, step: { ...opened.step, tool_name: "navigate", description: "Open Goal" } };
  const walk = new Driver().send({ type: "START", request }).routed(route(1)).stepped(output);
  expect(walk.state).toBe("routing");
  expect(walk.routed(route(1)).stepped(output).state).toBe("failed");
});
