/** Tests when an owner of leases counts as silent, that is, has sent no request for too long. */
import { expect, test } from "bun:test";
import { MemoryLeases, systemClock } from "../../../../actors/runtime/index.ts";

test("an owner of leases counts as silent after a time if it has sent no request since then, and an owner without leases never does", async () => {
  let now = 0;
  const leases = new MemoryLeases({ ...systemClock, monotonic: () => now }, 1_000);
  expect(leases.isSilentSince("w", 0)).toBe(false);
  now = 100;
  await leases.take([1, 2], "w");
  expect(leases.isSilentSince("w", 0)).toBe(false);
  expect(leases.isSilentSince("w", 100)).toBe(true);
  now = 900;
  await leases.renew([1, 2], "w");
  expect(leases.isSilentSince("w", 100)).toBe(false);
  await leases.extend("w");
  expect(leases.isSilentSince("w", 900)).toBe(true);
  expect(leases.isSilentSince("another", 0)).toBe(false);
  await leases.release([1, 2], "w");
  expect(leases.isSilentSince("w", 900)).toBe(false);
});
