/** Tests kinds of actors whose code a worker loads with their first actor. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { address, definedOnFirstUse } from "../../../../actors/runtime/index.ts";
import { erased, Stage } from "../support/real-runtime-with-simulated-clock.ts";
import { counter } from "../support/simulated-actor-kinds.ts";

const a = address("counter", "a");
const add = { type: "add" };
let stage: Stage;
let loaded: number;

/** Hosts the kind `counter`. The first loads of its code fail. */
async function host(failures = 0): Promise<void> {
  const load = async () => {
    loaded++;
    if (loaded <= failures) throw new Error("the file cannot be read");
    return erased(counter);
  };
  await stage.host("one", { definitions: [definedOnFirstUse("counter", counter.version, load)] });
}

beforeEach(() => {
  stage = new Stage();
  loaded = 0;
});
afterEach(() => stage.close());

describe("a kind that is loaded on first use", () => {
  test("is not loaded before its first command, and is loaded only once", async () => {
    await host();
    expect(loaded).toBe(0);
    expect(
      await Promise.all([stage.system.ask(a, add), stage.system.ask(address("counter", "b"), add)]),
    ).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await stage.system.ask(a, add)).toEqual({ n: 2 });
    expect(loaded).toBe(1);
  });

  test("is loaded by a query to an actor that does not exist yet", async () => {
    await host();
    expect(await stage.system.query(a, "applied", {})).toEqual([]);
    expect(loaded).toBe(1);
  });

  test("is loaded by the inspection of an actor that does not exist", async () => {
    await host();
    expect(await stage.outcome(stage.system.operate(a, { type: "inspect" }))).toMatchObject({
      code: "actor.not_found",
    });
  });

  test("reports to the caller that its code cannot be loaded, and is loaded again for the next command", async () => {
    await host(1);
    expect(await stage.outcome(stage.system.ask(a, add), 1_000)).toMatchObject({
      message: expect.stringContaining("the file cannot be read"),
    });
    expect(await stage.outcome(stage.system.ask(a, add), 1_000)).toEqual({ n: 1 });
    expect(loaded).toBe(2);
  });
});
