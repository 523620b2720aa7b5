/** Tests the leases of shards in memory: the contract of leases, and cases that exist only in a single process. */
import { expect, test } from "bun:test";
import { MemoryLeases } from "../../../../actors/runtime/index.ts";
import { SimulatedClock } from "../model/simulated-clock.ts";
import { holdsTheLeaseContract } from "./shard-leases.contract.ts";

const TTL = 10_000;

holdsTheLeaseContract("leases in memory", async () => {
  const clock = new SimulatedClock();
  return {
    leases: new MemoryLeases(clock, TTL),
    ttl: TTL,
    now: () => clock.monotonic(),
    pass: (milliseconds) => clock.advance(milliseconds),
  };
});

test("an expired lease in memory can be renewed while no other owner has acquired it", async () => {
  const clock = new SimulatedClock();
  const leases = new MemoryLeases(clock, TTL);
  await leases.take([1, 2], "a");
  await clock.advance(TTL * 1.5);
  await leases.take([2], "b");
  expect(await leases.renew([1, 2], "a")).toEqual([1]);
  await clock.advance(TTL * 0.7);
  expect(await leases.take([1], "b")).toEqual([]);
});

test("releasing all leases of an owner leaves the leases of other owners held", async () => {
  const leases = new MemoryLeases(new SimulatedClock(), TTL);
  await leases.take([1, 2], "dead");
  await leases.take([3], "alive");
  leases.releaseAll("dead");
  expect(await leases.take([1, 2, 3], "new")).toEqual([1, 2]);
});
