/**
 * Tests how the runtime interprets each action of a pure XState transition, and that it refuses actions that
 * cannot be stored.
 */
import { describe, expect, test } from "bun:test";
import { emptyRecord } from "../../../../actors/runtime/core/actor-record.ts";
import { interpret } from "../../../../actors/runtime/core/machine-actions-to-rows.ts";

const NOW = 1_000;
const emitted = (event: unknown) => ({ type: "xstate.emit", params: { event } });
const raised = (id: string | undefined, delay?: number) => ({
  type: "xstate.raise",
  params: { id, delay, event: { type: "tick" } },
});
const invoked = (id: string, src: unknown = "work", input?: unknown) => ({
  type: "xstate.spawnChild",
  params: { id, src, input },
});

describe("the action emit of a state machine", () => {
  test("sets the answer to the last reply or refusal that is emitted", () => {
    const refusal = { type: "refuse", code: "a.b", message: "no" };
    expect(
      interpret([emitted({ type: "reply", body: 1 }), emitted(refusal)], emptyRecord, NOW).answer,
    ).toEqual(refusal as never);
  });

  test("adds each emitted write (to the store) and each emitted publication (of an event) to the result of the step", () => {
    const write = { type: "write", writes: [{ op: "remove", table: "page", ids: [] }] };
    const publish = { type: "publish", topic: "a.b", event: { type: "x" } };
    const { writes, publishes } = interpret(
      [emitted(write), emitted(publish), emitted(write)],
      emptyRecord,
      NOW,
    );
    expect(writes).toHaveLength(2);
    expect(publishes).toEqual([publish as never]);
  });

  test("adds an outbox row with the next number for each emitted message to another actor", () => {
    const send = { type: "send", to: "counter/a", command: { type: "add" } };
    const { outbox, seq } = interpret([emitted(send), emitted(send)], { ...emptyRecord, seq: 7 }, NOW);
    expect(outbox.map((row) => row.seq)).toEqual([8, 9]);
    expect(seq).toBe(9);
  });

  test("throws for a message to an invalid address, because it could never be delivered", () => {
    expect(() =>
      interpret([emitted({ type: "send", to: "nowhere", command: { type: "x" } })], emptyRecord, NOW),
    ).toThrow("kind/id");
  });

  test("throws for an emitted event of an unknown type", () => {
    expect(() => interpret([emitted({ type: "shout" })], emptyRecord, NOW)).toThrow("means nothing");
  });
});

describe("the action raise of a state machine", () => {
  test("adds a timer row if it has a delay, even a delay of zero", () => {
    const { timers } = interpret([raised("a", 50), raised("b", 0)], emptyRecord, NOW);
    expect(timers.map(({ id, run, at }) => [id, run, at])).toEqual([
      ["a", 1, 1_050],
      ["b", 2, 1_000],
    ]);
  });

  test("adds no timer row without a delay, because XState has already processed the event", () => {
    expect(interpret([raised("a")], emptyRecord, NOW).timers).toEqual([]);
  });

  test("replaces a running timer with the same id, under a new run number", () => {
    const { timers } = interpret([raised("a", 50), raised("a", 90)], emptyRecord, NOW);
    expect(timers).toMatchObject([{ id: "a", run: 2, at: 1_090 }]);
  });

  test("gives the timer a unique id if it has none", () => {
    const { timers } = interpret([raised(undefined, 1), raised(undefined, 2)], emptyRecord, NOW);
    expect(new Set(timers.map(({ id }) => id)).size).toBe(2);
  });
});

test("the action cancel of a state machine deletes only the timer with its id", () => {
  const cancel = { type: "xstate.cancel", params: { sendId: "a" } };
  const { timers } = interpret([raised("a", 1), raised("b", 1), cancel], emptyRecord, NOW);
  expect(timers.map(({ id }) => id)).toEqual(["b"]);
});

describe("the action invoke of a state machine", () => {
  test("adds an effect row, with a new run number when its state is entered again", () => {
    const first = interpret([invoked("w", "work", { n: 1 })], emptyRecord, NOW);
    expect(first.effects).toEqual([{ id: "w", run: 1, src: "work", input: { n: 1 } }]);
    const again = interpret([invoked("w", "work", { n: 2 })], { ...emptyRecord, ...first }, NOW);
    expect(again.effects).toEqual([{ id: "w", run: 2, src: "work", input: { n: 2 } }]);
  });

  test("stores null if the effect has no input, as JSON does", () => {
    expect(interpret([invoked("w")], emptyRecord, NOW).effects).toMatchObject([{ input: null }]);
  });

  test("deletes the effect row when the effect is stopped", () => {
    const stop = { type: "xstate.stopChild", params: { id: "w" } };
    expect(interpret([invoked("w"), invoked("v"), stop], emptyRecord, NOW).effects).toMatchObject([
      { id: "v" },
    ]);
  });

  test("throws for an effect without a name, because it could not be found after a crash", () => {
    expect(() => interpret([invoked("w", () => {})], emptyRecord, NOW)).toThrow("has no name");
  });
});

test("converting a machine's action to rows throws if the action has a side effect of its own, because it cannot be made durable", () => {
  expect(() => interpret([{ type: "xstate.sendTo" }], emptyRecord, NOW)).toThrow("cannot be made durable");
  expect(() => interpret([{ type: "notify the world" }], emptyRecord, NOW)).toThrow("cannot be made durable");
});

test("converting the actions of a transition to rows adds them to the rows of earlier transitions, without changing the given record in place", () => {
  const before = { ...emptyRecord, effects: [{ id: "v", run: 1, src: "work", input: null }], run: 1 };
  const frozen = structuredClone(before);
  const after = interpret([invoked("w"), raised("t", 5)], before, NOW);
  expect(after.effects.map(({ id }) => id)).toEqual(["v", "w"]);
  expect(after.run).toBe(3);
  expect(before).toEqual(frozen);
});
