import { expect, test } from "bun:test";
import { MemoryLeases, systemClock } from "../../../../actors/runtime/index.ts";

test("an owner is silent once it has let a lease expire, but not while it renews or after it has released all", async () => {
  let now = 0;
  const leases = new MemoryLeases({ ...systemClock, monotonic: () => now }, 1_000);
  expect(leases.silent("w")).toBe(false);
  await leases.take([1, 2], "w");
  now = 900;
  await leases.renew([1, 2], "w");
  now = 1_800;
  expect(leases.silent("w")).toBe(false);
  now = 1_900;
  expect(leases.silent("w")).toBe(true);
  expect(leases.silent("another")).toBe(false);
  await leases.release([1, 2], "w");
  expect(leases.silent("w")).toBe(false);
});
