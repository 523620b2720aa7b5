import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskSpaceGuard } from "../../../store/connection/disk-space-guard.ts";
import { connect } from "../../../store/connection/open-database.ts";
import { storeLimits } from "../../../store/store-limits.ts";

test("writes are refused before the disk is full, and the error states what to do", () => {
  const space = new DiskSpaceGuard(join(tmpdir(), "not", "there", "yet"), Number.MAX_SAFE_INTEGER);
  expect(() => space.check()).toThrow(
    expect.objectContaining({
      code: "store.disk_full",
      status: 503,
      message: expect.stringContaining("Free some"),
    }),
  );
});

test("a database on a full disk is not opened, and the error states that the process ends and what to do", async () => {
  const folder = join(tmpdir(), "not", "there", "yet");
  const { diskReserve } = storeLimits;
  // With a reserve above the size of any disk, the disk counts as full.
  Object.assign(storeLimits, { diskReserve: Number.MAX_SAFE_INTEGER });
  try {
    const { code, message } = await connect({ url: `rocksdb://${folder}` }).then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(code).toBe("store.disk_full");
    expect(message).toMatch(/this process ends.*start again.*CAIRN_DATA/u);
    expect(message).not.toContain("by itself");
  } finally {
    Object.assign(storeLimits, { diskReserve });
  }
});

test("writes are accepted while enough disk space is free", () => {
  expect(() => new DiskSpaceGuard(tmpdir(), 1).check()).not.toThrow();
});
