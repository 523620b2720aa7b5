/**
 * Tests actor snapshots of other releases. Older ones are migrated, and newer ones are left unchanged for a
 * node that can read them.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workerLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import { toRow } from "../../../../actors/runtime/core/actor-record.ts";
import { initialState, persist } from "../../../../actors/runtime/core/actor-step.ts";
import { type AnyActorDefinition, address, shardOf } from "../../../../actors/runtime/index.ts";
import { erased, Stage } from "../support/real-runtime-with-simulated-clock.ts";
import { counter } from "../support/simulated-actor-kinds.ts";

const a = address("counter", "a");
const add = { type: "add" };
/** The actor kind `counter` of a later release, in which its state machine has version 2. */
const newer = { ...erased(counter), version: 2 };

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

test("a shard host of an older release leaves a command for a newer machine version in the queue, for the next owner of the shard", async () => {
  const { data } = toRow(a, shardOf(a), 2, persist(newer, initialState(newer, a, 0).state), "any", 0);
  const row = await stage.put({ ...a, shard: shardOf(a), version: 2, data });
  const load = stage.store.load.bind(stage.store);
  let giveUp = () => {};
  stage.store.load = async (key) => {
    giveUp();
    return await load(key);
  };
  const old = await stage.host("old");
  giveUp = () => old.desire([]);
  const answer = stage.system.ask(a, add, { id: "first" });
  await stage.clock.advance(workerLimits.grace + 1_000);
  expect(old.shards).toEqual([]);
  expect(await load(a)).toEqual(row);
  await stage.host("new", { definitions: [newer] });
  expect(await answer).toEqual({ n: 1 });
  expect(await load(a)).toMatchObject({ version: 2 });
});

describe("the stored snapshot of an older machine version", () => {
  async function stored(version: number, snapshot: unknown): Promise<void> {
    await stage.put({ ...a, shard: shardOf(a), version, data: JSON.stringify({ snapshot }) });
  }
  /** A snapshot of version 1, in which the list of applied ids has another name. */
  const old = {
    status: "active",
    value: {},
    historyValue: {},
    children: {},
    context: { self: "counter/a", done: ["x", "y"] },
  };
  const migrating = (migrate: NonNullable<AnyActorDefinition["migrate"]>): AnyActorDefinition => ({
    ...newer,
    migrate,
  });
  const rename = migrating((snapshot, fromVersion) => {
    // The cast is safe: in these tests, the stored snapshot is always `old` (defined above).
    const { context, ...rest } = snapshot as typeof old;
    return { ...rest, context: { self: context.self, applied: [...context.done, `from ${fromVersion}`] } };
  });

  test("is migrated by its kind, and stored in the new version with the next command", async () => {
    await stored(1, old);
    await stage.host("one", { definitions: [rename] });
    expect(await stage.system.query(a, "applied")).toEqual(["x", "y", "from 1"]);
    expect(await stage.store.load(a)).toMatchObject({ version: 1 });
    expect(await stage.system.ask(a, add, { id: "next" })).toEqual({ n: 4 });
    const row = await stage.store.load(a);
    expect(row?.version).toBe(2);
    expect(JSON.parse(row?.data ?? "").snapshot.context.applied).toEqual(["x", "y", "from 1", "next"]);
  });

  test("is refused and stays unchanged if it cannot be migrated", async () => {
    const broken = [
      newer,
      migrating(() => {
        throw new Error("no way");
      }),
      migrating((snapshot) => ({ ...(snapshot as typeof old), value: "nowhere" })),
    ];
    await stored(1, old);
    const row = await stage.store.load(a);
    for (const [i, definition] of broken.entries()) {
      const one = await stage.host(`host-${i}`, { definitions: [definition] });
      expect(await stage.outcome(stage.system.ask(a, add))).toMatchObject({
        code: "actor.incompatible_snapshot",
        status: 503,
      });
      await stage.outcome(one.drain(0), 100);
    }
    expect(await stage.store.load(a)).toEqual(row);
  });
});
