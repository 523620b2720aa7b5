import { expect, test } from "bun:test";
import { MemoryLeases, systemClock } from "../../../../actors/runtime/index.ts";

test("an owner counts as silent after one of its leases expired, but not if it renews or has released all leases", async () => {
  let now = 0;
  const leases = new MemoryLeases({ ...systemClock, monotonic: () => now }, 1_000);
  expect(leases.isSilent("w")).toBe(false);
  await leases.take([1, 2], "w");
  now = 900;
  await leases.renew([1, 2], "w");
  now = 1_800;
  expect(leases.isSilent("w")).toBe(false);
  now = 1_900;
  expect(leases.isSilent("w")).toBe(true);
  expect(leases.isSilent("another")).toBe(false);
  await leases.release([1, 2], "w");
  expect(leases.isSilent("w")).toBe(false);
});
