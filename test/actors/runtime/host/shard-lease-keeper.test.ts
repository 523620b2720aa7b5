/**
 * Tests that an owner keeps its leases while it acquires further shards and the store is slow. It must also
 * keep its leases after its thread or the lease table was busy.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { LeaseKeeper } from "../../../../actors/runtime/host/shard-lease-keeper.ts";
import { MemoryLeases } from "../../../../actors/runtime/index.ts";
import { SimulatedClock, settled } from "../model/simulated-clock.ts";

const TTL = 9_000;
const [FIRST, SECOND] = [1, 2];

let clock: SimulatedClock;
let leases: MemoryLeases;
let held: Set<number>;
let dropped: string[];
let tending: boolean;
/** Resolves the call of the slow store by which the lease keeper acquires shards. */
let finishTaking: () => void;
let leaseKeeper: LeaseKeeper;
/** Whether the lease table does not answer renewals. */
let isTableBusy: boolean;
/** Whether renewals of leases fail, as when the lease table cannot be reached. */
let isTableAway: boolean;
/** Releases all renewals that wait because the lease table is busy. */
let answerRenewals: () => void;

class BusyLeases extends MemoryLeases {
  override async renew(shards: readonly number[], owner: string): Promise<readonly number[]> {
    if (isTableAway) throw new Error("away");
    if (isTableBusy) await new Promise<void>((resolve) => (answerRenewals = resolve));
    return await super.renew(shards, owner);
  }
}

beforeEach(() => begin({ localTable: false }));

/** Starts an owner that already holds the first of two shards, and is now acquiring the second one. */
async function begin({ localTable }: { readonly localTable: boolean }): Promise<void> {
  clock = new SimulatedClock();
  isTableBusy = false;
  isTableAway = false;
  answerRenewals = () => {};
  leases = new BusyLeases(clock, TTL);
  held = new Set();
  dropped = [];
  finishTaking = () => {};
  tending = false;
  leaseKeeper = new LeaseKeeper({
    owner: "one",
    leases,
    leaseTtl: TTL,
    clock,
    localTable,
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
}

/** Advances the simulated time. Meanwhile the owner renews its leases at its usual interval. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= TTL / 3) {
    await clock.advance(TTL / 3);
    // Like a real host, the test runs only one renewal at a time.
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

test("a lease keeper gives up a shard that it no longer wants as soon as it has acquired the shard", async () => {
  leaseKeeper.desire([FIRST]);
  finishTaking();
  await settled();
  expect([...held]).toEqual([FIRST]);
  expect(await leases.take([SECOND], "another")).toEqual([SECOND]);
});

test("a lease keeper hosts no shard that was being acquired when the lease table stopped answering", async () => {
  isTableBusy = true;
  await pass(TTL);
  finishTaking();
  await settled();
  expect([...held]).toEqual([]);
});

test("a lease keeper keeps its shards after its thread was busy, if the lease table still has its leases", async () => {
  // The owner's thread is busy: during this time, it renews no lease.
  await clock.advance(TTL * 0.9);
  expect(dropped).toEqual([]);
  expect(leaseKeeper.isCertain).toBe(true);
  await clock.advance(TTL * 0.9);
  await leaseKeeper.tend();
  expect(dropped).toEqual([]);
});

test("a lease keeper drops its shards after its thread was busy, if another owner has its leases", async () => {
  await leases.release([FIRST], "one");
  await leases.take([FIRST], "another");
  await clock.advance(TTL * 0.9);
  expect(dropped).toEqual([`${FIRST} lease lost`]);
});

test("a lease keeper drops its shards in time when a lease table outside of its process does not answer", async () => {
  isTableBusy = true;
  await pass(TTL);
  expect(dropped).toEqual([`${FIRST} lease expired`]);
});

test("after a failed renewal, a lease keeper drops its shards when its leases become uncertain, without waiting for the next renewal", async () => {
  isTableAway = true;
  await clock.advance(TTL / 3);
  expect(await leaseKeeper.tend().catch(String)).toBe("Error: away");
  expect(dropped).toEqual([]);
  // The next renewal gets no answer. If the lease keeper waited for the answer, another owner could already
  // have the leases.
  isTableAway = false;
  isTableBusy = true;
  await clock.advance(TTL / 3);
  expect(dropped).toEqual([`${FIRST} lease expired`]);
});

describe("with the lease table in the lease keeper's own process", () => {
  beforeEach(() => begin({ localTable: true }));

  test("a lease keeper waits for a busy lease table, and its leases are uncertain meanwhile", async () => {
    isTableBusy = true;
    await pass(3 * TTL);
    expect(dropped).toEqual([]);
    expect(leaseKeeper.isCertain).toBe(false);
    let decided = false;
    void leaseKeeper.whenDecided().then(() => {
      decided = true;
    });
    await settled();
    expect(decided).toBe(false);
    isTableBusy = false;
    answerRenewals();
    await pass(TTL / 3);
    expect(decided).toBe(true);
    expect(leaseKeeper.isCertain).toBe(true);
    expect([...held]).toEqual([FIRST]);
  });

  test("a lease keeper drops the shards that the lease table gave to another owner while renewals got no answer", async () => {
    isTableBusy = true;
    await pass(TTL * 1.5);
    expect(await leases.take([FIRST], "another")).toEqual([FIRST]);
    isTableBusy = false;
    answerRenewals();
    await settled();
    expect(dropped).toEqual([`${FIRST} lease lost`]);
  });
});
