/**
 * Tests commands whose result is no longer needed, because their caller has cancelled them or has timed out.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { assign, setup } from "xstate";
import { mailboxLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import { address, defineActor } from "../../../../actors/runtime/index.ts";
import { Unavailable } from "../../../../machines/errors.ts";
import { commitLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { erased, Stage } from "../support/real-runtime-with-simulated-clock.ts";
import { counter } from "../support/simulated-actor-kinds.ts";

const a = address("counter", "a");
const add = { type: "add" };

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

const applied = () => stage.system.query(a, "applied");

/** Replaces the store's `commit`, so that commits wait until the test calls `letGo`. */
function heldCommits(): { readonly letGo: () => void; readonly waiting: () => number } {
  const commit = stage.store.commit.bind(stage.store);
  const held: (() => void)[] = [];
  stage.store.commit = async (units) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return await commit(units);
  };
  return {
    letGo: () => {
      for (const go of held.splice(0)) go();
    },
    waiting: () => held.length,
  };
}

describe("a cancelled command", () => {
  test("is not run if it waits behind another command, not even when it is repeated", async () => {
    await stage.host("one");
    const commits = heldCommits();
    const first = stage.system.ask(a, add, { id: "first" });
    await stage.clock.advance(1);
    expect(commits.waiting()).toBe(1);
    const abort = new AbortController();
    const second = stage.system.ask(a, add, { id: "second", signal: abort.signal });
    const third = stage.system.ask(a, add, { id: "third" });
    await stage.clock.advance(1);
    abort.abort();
    await stage.clock.advance(1);
    commits.letGo();
    expect(await first).toEqual({ n: 1 });
    const refused = stage.outcome(second, 1);
    await stage.clock.advance(1);
    commits.letGo();
    expect(await refused).toMatchObject({ code: "actor.cancelled", status: 409 });
    expect(await third).toEqual({ n: 2 });
    expect(await applied()).toEqual(["first", "third"]);
    expect(await stage.outcome(stage.system.ask(a, add, { id: "second" }))).toMatchObject({
      code: "actor.cancelled",
    });
  });

  test("is not run when it arrives after its cancellation", async () => {
    await stage.host("one");
    expect(await stage.system.operate(a, { type: "cancel", command: "late" })).toBe("not_run");
    expect(await stage.outcome(stage.system.ask(a, add, { id: "late" }))).toMatchObject({
      code: "actor.cancelled",
    });
    expect(await stage.system.ask(a, add, { id: "other" })).toEqual({ n: 1 });
    expect(await applied()).toEqual(["other"]);
  });

  test("is answered with its outcome if it is being committed", async () => {
    await stage.host("one");
    const commits = heldCommits();
    const abort = new AbortController();
    const asked = stage.system.ask(a, add, { id: "first", signal: abort.signal });
    await stage.clock.advance(1);
    abort.abort();
    await stage.clock.advance(1);
    commits.letGo();
    expect(await asked).toEqual({ n: 1 });
  });

  test("is reported to the actor's state machine if the machine has already processed it, so that the machine can stop the started work", async () => {
    const machine = setup({
      types: { context: {} as { heard: string[] }, events: {} as { type: string; command_id: string } },
    }).createMachine({
      id: "work",
      context: { heard: [] },
      initial: "idle",
      states: {
        idle: { on: { go: "busy" } },
        busy: {
          on: {
            "cairn.cancelled": {
              target: "idle",
              actions: assign({ heard: ({ context, event }) => [...context.heard, event.command_id] }),
            },
          },
        },
      },
    });
    const queries = {
      look: async (_: unknown, scope: { context: unknown; value: unknown }) => [scope.value, scope.context],
    };
    const work = defineActor({ kind: "work", version: 1, machine, effects: {}, queries });
    await stage.host("one", { definitions: [erased(work)] });
    const w = address("work", "w");
    await stage.system.ask(w, { type: "go" }, { id: "begun" });
    expect(await stage.system.operate(w, { type: "cancel", command: "begun" })).toBe("told");
    await stage.clock.advance(1);
    expect(await stage.system.query(w, "look")).toEqual(["idle", { heard: ["begun"] }]);
  });

  test("changes nothing when its machine ignores the cancellation", async () => {
    await stage.host("one");
    await stage.system.ask(a, add, { id: "first" });
    const before = await stage.store.load(a);
    expect(await stage.system.operate(a, { type: "cancel", command: "first" })).toBe("told");
    await stage.clock.advance(1);
    expect(await stage.store.load(a)).toEqual(before);
  });

  test("is not sent if its caller cancelled it before sending", async () => {
    const signal = AbortSignal.abort();
    expect(await stage.outcome(stage.system.ask(a, add, { signal }))).toMatchObject({
      code: "actor.cancelled",
    });
    await stage.host("one");
    await stage.clock.advance(1);
    expect(await applied()).toEqual([]);
  });

  test("is not run if its cancellation arrives first; only a limited number of such cancellations is remembered", async () => {
    await stage.host("one");
    for (let i = 0; i <= mailboxLimits.cancelledAhead; i++)
      await stage.system.operate(a, { type: "cancel", command: `id-${i}` });
    expect(await stage.system.ask(a, add, { id: "id-0" })).toEqual({ n: 1 });
    expect(await stage.outcome(stage.system.ask(a, add, { id: "id-1" }))).toMatchObject({
      code: "actor.cancelled",
    });
  });
});

describe("a command whose caller has timed out", () => {
  test("is not run if it has not started yet, unless it is repeated", async () => {
    const early = stage.outcome(stage.system.ask(a, add, { id: "late", timeout: 5_000 }), 20_000);
    expect(await early).toMatchObject({ code: "actor.timeout" });
    await stage.host("one");
    await stage.clock.advance(1);
    expect(await applied()).toEqual([]);
    expect(await stage.store.list({ limit: 10 })).toEqual([]);
    expect(await stage.system.ask(a, add, { id: "late" })).toEqual({ n: 1 });
  });

  test("does not cancel a repetition of the same command that waits with a later time-out", async () => {
    const early = stage.outcome(stage.system.ask(a, add, { id: "same", timeout: 1_000 }), 5_000);
    expect(await early).toMatchObject({ code: "actor.timeout" });
    const again = stage.system.ask(a, add, { id: "same", timeout: 60_000 });
    await stage.host("one");
    expect(await again).toEqual({ n: 1 });
    expect(await applied()).toEqual(["same"]);
  });

  test("is not run later if its actor could not be loaded at first because the store was unavailable", async () => {
    const load = stage.store.load.bind(stage.store);
    let away = true;
    stage.store.load = async (key) => {
      if (away) throw new Unavailable("store.unavailable", "away");
      return await load(key);
    };
    await stage.host("one", { definitions: [erased(counter)] });
    const late = stage.outcome(stage.system.ask(a, add, { timeout: 1_000 }), 30_000);
    expect(await late).toMatchObject({ code: "actor.timeout" });
    away = false;
    await stage.clock.advance(commitLimits.maxBackoff);
    expect(await applied()).toEqual([]);
  });
});
