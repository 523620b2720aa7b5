import { expect, test } from "bun:test";
import { MemoryLeases } from "../../../../actors/runtime/index.ts";
import { SimulatedClock } from "../model/simulated-clock.ts";
import { holdsTheLeaseContract } from "./lease.contract.ts";

const TTL = 10_000;

holdsTheLeaseContract("leases in memory", async () => {
  const clock = new SimulatedClock();
  return {
    leases: new MemoryLeases(clock, TTL),
    ttl: TTL,
    pass: (milliseconds) => clock.advance(milliseconds),
  };
});

test("releasing all leases of an owner leaves the leases of other owners held", async () => {
  const leases = new MemoryLeases(new SimulatedClock(), TTL);
  await leases.take([1, 2], "dead");
  await leases.take([3], "alive");
  leases.releaseAll("dead");
  expect(await leases.take([1, 2, 3], "new")).toEqual([1, 2]);
});
