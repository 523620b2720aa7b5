/** Tests that an owner keeps its leases while it acquires further shards and the store is slow. */
import { beforeEach, expect, test } from "bun:test";
import { LeaseKeeper } from "../../../../actors/runtime/host/lease-keeper.ts";
import { MemoryLeases } from "../../../../actors/runtime/index.ts";
import { SimulatedClock, settled } from "../model/simulated-clock.ts";

const TTL = 9_000;
const [FIRST, SECOND] = [1, 2];

let clock: SimulatedClock;
let leases: MemoryLeases;
let held: Set<number>;
let dropped: string[];
let tending: boolean;
/** Lets the slow store finish the acquisition of shards that is in progress. */
let finishTaking: () => void;
let leaseKeeper: LeaseKeeper;

/** The owner already holds the first of two shards, and is now acquiring the second shard. */
beforeEach(async () => {
  clock = new SimulatedClock();
  leases = new MemoryLeases(clock, TTL);
  held = new Set();
  dropped = [];
  finishTaking = () => {};
  tending = false;
  leaseKeeper = new LeaseKeeper({
    owner: "one",
    leases,
    leaseTtl: TTL,
    clock,
    held: () => [...held],
    hostShards: async (shards, still) => {
      if (held.size > 0) await new Promise<void>((resolve) => (finishTaking = resolve));
      for (const shard of shards) if (still(shard)) held.add(shard);
    },
    retire: async (shard) => void held.delete(shard),
    drop: (shard, why) => {
      held.delete(shard);
      dropped.push(`${shard} ${why}`);
    },
    failed: (error) => dropped.push(String(error)),
  });
  await leases.take([SECOND], "another");
  await leaseKeeper.begin([FIRST, SECOND]);
  expect([...held]).toEqual([FIRST]);
  await leases.releaseAll("another");
  await settled();
});

/** Advances time. The owner renews its leases at its usual interval. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= TTL / 3) {
    await clock.advance(TTL / 3);
    // As in the real host, a renewal starts only when the previous renewal has ended.
    if (!tending) {
      tending = true;
      void leaseKeeper.tend().finally(() => {
        tending = false;
      });
    }
    await settled();
  }
}

test("a lease keeper renews the leases of shards that it holds or acquires, however long the store needs", async () => {
  await pass(5 * TTL);
  expect(dropped).toEqual([]);
  expect([...held]).toEqual([FIRST]);
  expect(leases.isSilent("one")).toBe(false);
  expect(await leases.take([FIRST, SECOND], "another")).toEqual([]);
  finishTaking();
  await settled();
  expect([...held]).toEqual([FIRST, SECOND]);
});

test("a lease keeper does not host a shard whose lease was lost while it was being acquired", async () => {
  await leases.release([SECOND], "one");
  await leases.take([SECOND], "another");
  await pass(TTL / 3);
  finishTaking();
  await settled();
  expect([...held]).toEqual([FIRST]);
});

test("a lease keeper gives up a shard that is no longer wanted when its acquisition ends", async () => {
  leaseKeeper.desire([FIRST]);
  finishTaking();
  await settled();
  expect([...held]).toEqual([FIRST]);
  expect(await leases.take([SECOND], "another")).toEqual([SECOND]);
});

test("a lease keeper hosts no shard that was being acquired when the leases became uncertain", async () => {
  await clock.advance(TTL);
  finishTaking();
  await settled();
  expect([...held]).toEqual([]);
});
