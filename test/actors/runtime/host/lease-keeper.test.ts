/** An owner's hold on its shards while the store, which the taking of shards waits for, takes its time. */
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
/** Ends the taking that is under way. */
let opened: () => void;
let tenure: LeaseKeeper;

/** Holds the first shard, with the second about to be hosted. */
beforeEach(async () => {
  clock = new SimulatedClock();
  leases = new MemoryLeases(clock, TTL);
  held = new Set();
  dropped = [];
  opened = () => {};
  tending = false;
  tenure = new LeaseKeeper({
    owner: "one",
    leases,
    leaseTtl: TTL,
    clock,
    held: () => [...held],
    own: async (shards, still) => {
      if (held.size > 0) await new Promise<void>((resolve) => (opened = resolve));
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
  await tenure.begin([FIRST, SECOND]);
  expect([...held]).toEqual([FIRST]);
  await leases.releaseAll("another");
  await settled();
});

/** Time in which the owner tends its leases as often as it does. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= TTL / 3) {
    await clock.advance(TTL / 3);
    // As housekeeping does: it begins no second tending while one is under way.
    if (!tending) {
      tending = true;
      void tenure.tend().finally(() => {
        tending = false;
      });
    }
    await settled();
  }
}

test("what is held is renewed, and so is what is being taken, for however long the store takes", async () => {
  await pass(5 * TTL);
  expect(dropped).toEqual([]);
  expect([...held]).toEqual([FIRST]);
  expect(leases.silent("one")).toBe(false);
  expect(await leases.take([FIRST, SECOND], "another")).toEqual([]);
  opened();
  await settled();
  expect([...held]).toEqual([FIRST, SECOND]);
});

test("a shard whose lease was lost while it was being taken is not hosted", async () => {
  await leases.release([SECOND], "one");
  await leases.take([SECOND], "another");
  await pass(TTL / 3);
  opened();
  await settled();
  expect([...held]).toEqual([FIRST]);
});

test("a shard that is not wanted any more when it has been taken is given up", async () => {
  tenure.desire([FIRST]);
  opened();
  await settled();
  expect([...held]).toEqual([FIRST]);
  expect(await leases.take([SECOND], "another")).toEqual([SECOND]);
});

test("nothing that was being taken is hosted once the leases were not sure any more", async () => {
  await clock.advance(TTL);
  opened();
  await settled();
  expect([...held]).toEqual([]);
});
