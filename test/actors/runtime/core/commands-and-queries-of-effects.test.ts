/**
 * Tests effects that ask other actors: an effect repeats its question after a crash, a question can be
 * cancelled, and cyclic questions are refused.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setup } from "xstate";
import { address, defineActor, type EffectScope } from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { erased, Stage } from "../support/real-runtime-with-simulated-clock.ts";
import { counter } from "../support/simulated-actor-kinds.ts";

type Scope = EffectScope<unknown>;
type Work = (scope: Scope) => Promise<unknown>;

const machine = setup({
  types: { events: {} as { readonly type: "GO" | "STOP" } },
  actors: { work: effect<null, unknown>() },
}).createMachine({
  id: "asker",
  initial: "idle",
  states: {
    idle: { on: { GO: "busy" } },
    busy: {
      invoke: { id: "work", src: "work", input: null, onDone: "idle", onError: "idle" },
      on: { STOP: "idle" },
    },
  },
});

/** What the effects have returned or thrown, in the order in which they ended. */
let ended: unknown[];
let stage: Stage;
beforeEach(() => {
  ended = [];
  stage = new Stage();
});
afterEach(() => stage.close());

/** Creates an actor kind whose effect runs `work`. */
function asker(kind: string, work: Work) {
  return erased(
    defineActor({
      kind,
      version: 1,
      // The cast is needed, because the list of actor kinds does not contain the types of their state machines.
      machine: machine as never,
      effects: {
        work: async (_input: null, scope: Scope) => {
          try {
            ended.push(await work(scope));
          } catch (error) {
            ended.push(error);
            throw error;
          }
        },
      },
      queries: { isThere: async () => true },
    }),
  );
}

/** Calls an actor whose kind is missing in the test's types. */
function ask(scope: Scope, kind: string, id: string, type: string, options?: object): Promise<unknown> {
  const untyped = scope.ask as (...question: readonly unknown[]) => Promise<unknown>;
  return untyped(kind, id, { type }, options);
}

const applied = async (id: string) =>
  (await stage.outcome(stage.system.query(address("counter", id), "applied"), 100)) as readonly string[];

const go = (kind: string, id = "one") =>
  stage.outcome(stage.system.ask(address(kind, id), { type: "GO" }), 100);

describe("an effect (background work) that sends a command to another actor", () => {
  test("receives the reply of the other actor", async () => {
    const kind = asker("asker", (scope) => ask(scope, "counter", "a", "add"));
    await stage.host("first", { definitions: [erased(counter), kind] });
    await go("asker");
    expect(ended).toEqual([{ n: 1 }]);
  });

  test("receives the refusal of the other actor as an error", async () => {
    const kind = asker("asker", (scope) => ask(scope, "counter", "a", "refuse"));
    await stage.host("first", { definitions: [erased(counter), kind] });
    await go("asker");
    expect(ended).toMatchObject([{ code: "counter.no" }]);
  });

  test("can query the other actor, which changes nothing there", async () => {
    const kind = asker("asker", async (scope) => {
      await ask(scope, "counter", "a", "add");
      const untyped = scope.query as (...question: readonly unknown[]) => Promise<unknown>;
      return await untyped("counter", "a", "applied", null);
    });
    await stage.host("first", { definitions: [erased(counter), kind] });
    await go("asker");
    expect(ended).toEqual([[expect.stringContaining("asker/one#")]]);
  });

  test("sends two separate commands if it calls `ask` two times", async () => {
    const kind = asker("asker", async (scope) => {
      await ask(scope, "counter", "a", "add");
      return await ask(scope, "counter", "a", "add");
    });
    await stage.host("first", { definitions: [erased(counter), kind] });
    await go("asker");
    expect(ended).toEqual([{ n: 2 }]);
  });

  test("can set the id of its command, so that each repetition with this id gets the same answer", async () => {
    const kind = asker("asker", (scope) => ask(scope, "counter", "a", "add", { id: "given" }));
    await stage.host("first", { definitions: [erased(counter), kind] });
    await go("asker");
    const again = stage.system.ask(address("counter", "a"), { type: "add" }, { id: "given" });
    expect(await stage.outcome(again, 100)).toEqual({ n: 1 });
    expect(await applied("a")).toHaveLength(1);
  });

  test("gets its answer, and its command is applied once, even if the other actor loses its owner in between", async () => {
    const rounds = 100;
    let hold = true;
    const kind = asker("asker", async (scope) => {
      const answer = await ask(scope, "counter", scope.address.id, "add");
      if (hold) await new Promise(() => {});
      return answer;
    });
    const definitions = [erased(counter), kind];
    const first = await stage.host("first", { definitions });
    for (let round = 0; round < rounds; round++) {
      await stage.outcome(stage.system.ask(address("asker", `${round}`), { type: "GO" }), round % 3);
    }
    first.close();
    hold = false;
    await stage.clock.advance(11_000);
    const second = await stage.outcome(stage.host("second", { definitions }), 11_000);
    expect(second).not.toBeInstanceOf(Error);
    await stage.clock.advance(1_000);
    expect(ended).toHaveLength(rounds);
    for (const answer of ended) expect(answer).toEqual({ n: 1 });
    for (let round = 0; round < rounds; round++) expect(await applied(`${round}`)).toHaveLength(1);
  });

  test("stops waiting and cancels the command when the asking actor leaves the state of the effect", async () => {
    const cancelled: string[] = [];
    const kind = asker("asker", (scope) => ask(scope, "slow", "b", "GO", { timeout: 60_000 }));
    await stage.host("first", { definitions: [kind] });
    // Commands to actors of the kind `slow` are dropped, but reported as sent. The effect never receives an
    // answer.
    const enqueue = stage.bus.enqueue.bind(stage.bus);
    stage.bus.enqueue = async (message) => {
      if (message.to.kind !== "slow") await enqueue(message);
    };
    const operate = stage.bus.request.bind(stage.bus);
    stage.bus.request = async (subject, payload, timeout) => {
      const { operation } = payload as { operation?: { type: string; command?: string } };
      if (operation?.type === "cancel") cancelled.push(operation.command ?? "");
      return await operate(subject, payload, timeout);
    };
    await go("asker");
    await stage.outcome(stage.system.ask(address("asker", "one"), { type: "STOP" }), 100);
    expect(ended).toMatchObject([{ code: "effect.superseded" }]);
    expect(cancelled).toEqual([expect.stringContaining("asker/one#")]);
  });
});

describe("a cycle of actors that wait for each other's answers", () => {
  test("is refused, with the path in the error", async () => {
    const first = asker("first", (scope) => ask(scope, "second", "b", "GO"));
    const second = asker("second", (scope) => ask(scope, "third", "c", "GO"));
    const third = asker("third", (scope) => ask(scope, "first", "a", "GO"));
    await stage.host("host", { definitions: [first, second, third] });
    await go("first", "a");
    const path = "first/a → second/b → third/c → first/a";
    expect(ended).toContainEqual(
      expect.objectContaining({ code: "actor.ask_cycle", details: expect.objectContaining({ path }) }),
    );
  });

  test("is refused even if it consists of one actor that waits for its own answer", async () => {
    const kind = asker("first", (scope) => ask(scope, "first", scope.address.id, "STOP"));
    await stage.host("host", { definitions: [kind] });
    await go("first");
    expect(ended).toMatchObject([{ code: "actor.ask_cycle" }]);
  });
});
