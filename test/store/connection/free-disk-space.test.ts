import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FreeSpace } from "../../../store/connection/free-disk-space.ts";

test("writes are refused before the disk is full, and the error states what to do", () => {
  const space = new FreeSpace(join(tmpdir(), "not", "there", "yet"), Number.MAX_SAFE_INTEGER);
  expect(() => space.check()).toThrow(
    expect.objectContaining({
      code: "store.disk_full",
      status: 503,
      message: expect.stringContaining("Free some"),
    }),
  );
});

test("writes are accepted while enough disk space is free", () => {
  expect(() => new FreeSpace(tmpdir(), 1).check()).not.toThrow();
});
