/**
 * Tests the step: how one item (a command, timer or result of an effect) changes one actor, before anything
 * is stored.
 */
import { describe, expect, test } from "bun:test";
import { assign, emit, setup } from "xstate";
import type { CommandBody, Message } from "../../../../actors/runtime/actor-messages.ts";
import { mailboxLimits, stepLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import { type ActorRecord, fromRow, toRow, wakeAt } from "../../../../actors/runtime/core/actor-record.ts";
import {
  type ActorState,
  type EffectResult,
  type Item,
  initialState,
  persist,
  revive,
  type StepResult,
  step,
} from "../../../../actors/runtime/core/actor-step.ts";
import { type AnyActorDefinition, address, defineActor } from "../../../../actors/runtime/index.ts";
import { alarm, counter, job } from "../support/simulated-actor-kinds.ts";

const NOW = 1_000_000;
const target = address("counter", "a");
// The cast is needed, because the registry of actor kinds does not keep the types of their services and
// context. No effect that uses services runs in this test.
const kinds = { counter, job, alarm } as unknown as Readonly<
  Record<"counter" | "job" | "alarm", AnyActorDefinition>
>;

let ids = 0;
function command(body: CommandBody, more: Partial<Message> = {}): Item {
  ids += 1;
  return { kind: "command", message: { id: `id-${ids}`, to: target, body, ...more } };
}

/**
 * Applies items (commands, timers, results of effects) one after another to a new actor. Returns the result
 * of the last item.
 */
function after(kind: keyof typeof kinds, items: readonly Item[], now = NOW): StepResult {
  const definition = kinds[kind];
  const born = initialState(definition, address(kind, "a"), now);
  let result: StepResult = { ...born, changed: true, outcome: undefined, applied: true, event: undefined };
  for (const item of items) result = step(definition, result.state, item, now);
  return result;
}

const context = (state: ActorState) =>
  state.snapshot.context as Readonly<
    Record<"results" | "applied" | "failures" | "progress" | "self", unknown>
  >;
/** @param run start of the effect's run, in milliseconds after `NOW`; it identifies the run */
const finished = (run: number, result: EffectResult): Item => ({
  kind: "effect",
  id: "work",
  run: NOW + run,
  result,
});
const done = (n: number): EffectResult => ({ ok: true, output: { n } });
const start = command({ type: "do", steps: 0, fails: false, leaves: false });

describe("a command to an actor", () => {
  test("is answered with the machine's reply, without changing the given state in place", () => {
    const before = after("counter", []).state;
    const copy = structuredClone(persist(kinds.counter, before));
    const result = step(kinds.counter, before, command({ type: "add" }), NOW);
    expect(result.outcome).toEqual({ ok: true, body: { n: 1 } });
    expect(result.publishes.map(({ topic }) => topic)).toEqual(["counter.added"]);
    expect(persist(kinds.counter, before)).toEqual(copy);
  });

  test("changes nothing if its id is known, and gets the earlier answer again", () => {
    const add = command({ type: "add" });
    const { state } = after("counter", [add, command({ type: "add" })]);
    const again = step(kinds.counter, state, add, NOW);
    expect(again.changed).toBe(false);
    expect(again.outcome).toEqual({ ok: true, body: { n: 1 } });
    expect(again.state).toBe(state);
  });

  test("is remembered at least until two full batches of further commands have been applied", () => {
    const add = command({ type: "add" });
    const others = Array.from({ length: 2 * mailboxLimits.batch - 1 }, () => command({ type: "add" }));
    const { state } = after("counter", [add, ...others]);
    expect(step(kinds.counter, state, add, NOW).changed).toBe(false);
  });

  test("is refused with 409 and the state's name if no state accepts it, and the refusal is remembered", () => {
    const result = after("job", [command({ type: "stop" })]);
    expect(result.outcome).toMatchObject({ ok: false, error: { code: "actor.not_accepted", status: 409 } });
    expect(result.outcome).toMatchObject({ error: { details: { state: "idle" } } });
    expect(result.state.record.remembered.size).toBe(1);
  });

  test("is applied if its transition only emits a message and leaves the snapshot unchanged", () => {
    const echo = setup({}).createMachine({
      on: { send: { actions: emit({ type: "send", to: "counter/a", command: { type: "add" } } as never) } },
    });
    const definition = defineActor({ kind: "echo", version: 1, machine: echo, effects: {}, queries: {} });
    const { state } = initialState(definition as AnyActorDefinition, address("echo", "a"), NOW);
    const result = step(definition as AnyActorDefinition, state, command({ type: "send" }), NOW);
    expect(result.outcome).toEqual({ ok: true, body: null });
    expect(result.state.record.outbox).toHaveLength(1);
  });

  test("is refused with the machine's own code if the machine refuses it", () => {
    const { outcome } = after("counter", [command({ type: "refuse" })]);
    expect(outcome).toMatchObject({ ok: false, error: { code: "counter.no", message: "No.", status: 409 } });
  });

  test("is refused if it is named like an event of XState, because it could end a running effect", () => {
    const forged = command({ type: "xstate.done.actor.work", output: { n: 1 } });
    const result = after("job", [start, forged]);
    expect(result.outcome).toMatchObject({ ok: false, error: { code: "actor.reserved_event" } });
    expect(context(result.state).results).toEqual([]);
  });

  test("leaves the previous state usable if processing it throws", () => {
    const { state } = after("counter", [command({ type: "add" })]);
    const definition = kinds.counter;
    expect(() => step(definition, state, command({ type: "poison" }), NOW)).toThrow("poison");
    expect(step(definition, state, command({ type: "add" }), NOW).outcome).toEqual({
      ok: true,
      body: { n: 2 },
    });
  });
});

describe("a message from another actor", () => {
  const note = (seq: number) =>
    command({ type: "note", from: "relay/a", k: seq }, { from: { actor: "relay/a", seq } });

  test("is applied once, however often and under whatever id it arrives", () => {
    const result = after("counter", [note(5), note(5), note(4)]);
    expect(context(result.state).applied).toEqual(["note:relay/a:5"]);
    expect(result.outcome).toEqual({ ok: true, body: null });
  });

  test("does not count towards the limit of remembered commands", () => {
    expect(after("counter", [note(1), note(2)]).state.record.remembered.size).toBe(0);
  });

  test("makes the actor forget the sender that was silent for longest, if there are too many senders", () => {
    const senders = Array.from({ length: stepLimits.rememberedSenders }, (_, i) =>
      command({ type: "note", from: "x", k: i }, { from: { actor: `relay/${i}`, seq: 1 } }),
    );
    const { heard } = after("counter", [note(1), ...senders]).state.record;
    expect(Object.keys(heard)).toHaveLength(stepLimits.rememberedSenders);
    expect(heard["relay/a"]).toBeUndefined();
    expect(heard["relay/0"]).toBe(1);
  });
});

describe("the effect (background work) of an actor", () => {
  test("is stored as a row with its input, and wakes its actor", () => {
    const { record } = after("job", [start]).state;
    expect(record.effects).toEqual([
      { id: "work", run: NOW + 1, src: "work", input: { n: 1, steps: 0, fails: false } },
    ]);
    expect(wakeAt(record, NOW)).toBe(NOW);
  });

  test("loses its row when it has finished, even if its state does not change", () => {
    const { state } = after("job", [start, finished(1, done(1))]);
    expect(state.snapshot.value).toBe("busy");
    expect(state.record.effects).toEqual([]);
    expect(context(state).results).toEqual([1]);
  });

  test("passes the body of its error to the machine if it fails", () => {
    const error = { code: "work.failed", message: "It was to fail.", details: { n: 1 } };
    expect(context(after("job", [start, finished(1, { ok: false, error })]).state).failures).toEqual([1]);
  });

  test("is not affected by the late result of an earlier run, even if its state was entered again", () => {
    const again = command({ type: "again", steps: 0, fails: false, leaves: false });
    const { state } = after("job", [start, again]);
    expect(state.record.effects.map(({ run }) => run)).toEqual([NOW + 2]);
    const late = step(kinds.job, state, finished(1, done(1)), NOW);
    expect(late).toMatchObject({ applied: false, changed: false });
    expect(late.state).toBe(state);
  });

  test("notifies its machine only while it runs", () => {
    const notify = (run: number): Item => ({
      kind: "notify",
      id: "work",
      run: NOW + run,
      event: { type: "progress", n: 1, k: 1 },
    });
    expect(context(after("job", [start, notify(1)]).state).progress).toEqual({ "1": 1 });
    expect(after("job", [start, notify(7)]).applied).toBe(false);
    expect(after("job", [start, finished(1, done(1)), notify(1)]).applied).toBe(false);
  });

  test("ends when its state is left", () => {
    expect(after("job", [start, command({ type: "stop" })]).state.record.effects).toEqual([]);
  });
});

describe("the timer of an actor", () => {
  const arm = command({ type: "arm", delay: 500 });
  const id = "xstate.after.delay.alarm.on";

  test("is stored as a row with its due time, and wakes its actor then", () => {
    const { record } = after("alarm", [arm]).state;
    expect(record.timers).toEqual([{ id, run: NOW + 1, at: NOW + 500, event: { type: id } }]);
    expect(wakeAt(record, NOW)).toBe(NOW + 500);
  });

  test("changes the state of the machine when it fires, and deletes its row", () => {
    const { state } = after("alarm", [arm, { kind: "timer", id, run: NOW + 1 }], NOW);
    expect(state.snapshot.value).toBe("off");
    expect(state.record.timers).toEqual([]);
  });

  test("does nothing if its state was left and entered again since the timer was set", () => {
    const { state } = after("alarm", [arm, arm, command({ type: "arm", delay: 900 })]);
    expect(state.record.timers).toMatchObject([{ run: NOW + 2, at: NOW + 900 }]);
    expect(step(kinds.alarm, state, { kind: "timer", id, run: NOW + 1 }, NOW).applied).toBe(false);
  });

  test("ends when its state is left or its event is cancelled", () => {
    expect(after("alarm", [arm, command({ type: "disarm" })]).state.record.timers).toEqual([]);
    const reminders = [command({ type: "remind", delay: 1 }), command({ type: "remind", delay: 2 })];
    const { timers } = after("alarm", [...reminders, command({ type: "forget" })]).state.record;
    expect(timers.map((timer) => timer.id)).toEqual(["reminder-1"]);
  });
});

describe("a parked actor, which is out of service,", () => {
  const parked = (state: ActorState): ActorState => ({
    ...state,
    record: { ...state.record, parked: { code: "x.y", message: "why", at: NOW } },
  });

  test("refuses commands with 503, and does not remember the refusals", () => {
    const { state } = after("counter", [command({ type: "add" })]);
    const result = step(kinds.counter, parked(state), command({ type: "add" }), NOW);
    expect(result).toMatchObject({
      changed: false,
      outcome: { ok: false, error: { code: "actor.parked", status: 503 } },
    });
  });

  test("repeats its answer to a command that it processed before", () => {
    const add = command({ type: "add" });
    const { state } = after("counter", [add]);
    const result = step(kinds.counter, parked(state), add, NOW);
    expect(result.outcome).toEqual({ ok: true, body: { n: 1 } });
  });

  test("ignores timers, results and notifications, and is not woken by them", () => {
    const state = parked(after("job", [start]).state);
    expect(step(kinds.job, state, finished(1, done(1)), NOW).applied).toBe(false);
    expect(wakeAt(state.record, NOW)).toBeNull();
  });

  test("is woken for messages that it committed before", () => {
    const { state } = after("job", [start, finished(1, done(1))]);
    expect(state.record.outbox).toHaveLength(1);
    expect(wakeAt(parked(state).record, NOW)).toBe(NOW);
  });
});

describe("a message that an actor sends", () => {
  test("leaves the outbox as soon as it is answered", () => {
    const { state } = after("job", [start, finished(1, done(1))]);
    const [row] = state.record.outbox;
    const settled: Item = { kind: "sent", seq: row?.seq ?? 0 };
    const result = step(kinds.job, state, settled, NOW);
    expect(result.state.record.outbox).toEqual([]);
    expect(step(kinds.job, result.state, settled, NOW).changed).toBe(false);
  });

  test("gets a higher number than any message that its actor sent before the actor was recreated", () => {
    const first = after("job", [start, finished(1, done(1))], NOW).state.record.seq;
    const second = after("job", [], NOW + 1_000).state.record.seq;
    expect(second).toBeGreaterThan(first);
  });
});

describe("a stored actor", () => {
  const stored = (state: ActorState, kind: keyof typeof kinds): ActorRecord => {
    const definition = kinds[kind];
    return fromRow(toRow(address(kind, "a"), 1, 1, persist(definition, state), "any", NOW));
  };

  test("continues in its state, with its effects and timers", () => {
    const again = command({ type: "again", steps: 1, fails: false, leaves: true });
    const before = after("job", [start]).state;
    const revived = revive(kinds.job, stored(before, "job"), 1);
    expect(revived.snapshot.value).toBe("busy");
    const { state } = step(kinds.job, revived, again, NOW);
    expect(state.record.effects).toEqual([
      { id: "work", run: NOW + 2, src: "work", input: { n: 2, steps: 1, fails: false } },
    ]);
  });

  test("is refused if its row names an effect that its kind does not have", () => {
    const record = stored(after("job", [start]).state, "job");
    const without = { ...kinds.job, effects: {} };
    expect(() => revive(without, record, 1)).toThrow("unknown effect work");
  });

  test("is migrated if its row has an older version, or refused if no migration exists", () => {
    const record = stored(after("counter", [command({ type: "add" })]).state, "counter");
    const newer = { ...kinds.counter, version: 2 };
    expect(() => revive(newer, record, 1)).toThrow("cannot be migrated to version 2");
    const migrate = (snapshot: unknown) => ({
      ...(snapshot as { context: object }),
      context: { ...(snapshot as { context: object }).context, self: "migrated" },
    });
    const migrated = revive({ ...newer, migrate: migrate as never }, record, 1);
    expect(context(migrated).self).toBe("migrated");
  });

  test("is refused if its row is not JSON or not an object", () => {
    const row = toRow(target, 1, 1, stored(after("counter", []).state, "counter"), "any", NOW);
    expect(() => fromRow({ ...row, data: "{" })).toThrow("is not JSON");
    expect(() => fromRow({ ...row, data: "[]" })).toThrow("is not a record");
  });
});

test("processing a command throws if the command stops the machine with an error", () => {
  const machine = setup({}).createMachine({
    on: {
      break: {
        actions: assign(() => {
          throw new TypeError("broken");
        }),
      },
    },
  });
  const definition = defineActor({ kind: "broken", version: 1, machine, effects: {}, queries: {} });
  const { state } = initialState(definition as AnyActorDefinition, address("broken", "a"), NOW);
  expect(() => step(definition as AnyActorDefinition, state, command({ type: "break" }), NOW)).toThrow(
    "broken",
  );
});
