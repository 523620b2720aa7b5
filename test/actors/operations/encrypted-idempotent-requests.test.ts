/**
 * Tests requests with an Idempotency-Key in a real store. For a day, a repeated request gets the stored
 * answer of the first.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { IdempotentRequests } from "../../../actors/operations/encrypted-idempotent-requests.ts";
import { systemClock } from "../../../actors/runtime/index.ts";
import { openVault } from "../../../actors/secrets/encryption-vault.ts";
import { guardLimits } from "../../../machines/audit/api-caller-limits.ts";
import { retentionLimits } from "../../../machines/janitor/retention-limits.ts";
import { type OwnedStore, openStore } from "../../../store/index.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

let store: OwnedStore;
let folder: string;
beforeAll(async () => {
  store = await openStore({ url: "mem://" });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const vault = () => openVault(folder);
let ahead = 0;
const clock = { ...systemClock, now: () => systemClock.now() + ahead };
const repeats = () => new IdempotentRequests(store, vault, clock);

test("a request with a repeated Idempotency-Key gets the record of the first request, with the answer if it is known", async () => {
  expect(await repeats().begin("a", "print")).toEqual({ fingerprint: "print" });
  expect(await repeats().begin("a", "another")).toEqual({ fingerprint: "print" });
  await repeats().end("a", { fingerprint: "print", answer: { ok: true, value: { password: "shown" } } });
  expect(await repeats().begin("a", "print")).toEqual({
    fingerprint: "print",
    answer: { ok: true, value: { password: "shown" } },
  });
  expect(await repeats().begin("b", "other")).toEqual({ fingerprint: "other" });
});

test("of several simultaneous requests with one Idempotency-Key, exactly one counts as the first", async () => {
  const prints = Array.from({ length: 8 }, (_, i) => `print ${i}`);
  const known = await Promise.all(prints.map((print) => repeats().begin("crowd", print)));
  expect(new Set(known.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test("the stored row of an Idempotency-Key is encrypted", async () => {
  const row = await store.repeats.begin("a", { sealed: "", mark: "", at: clock.now() });
  expect(JSON.stringify(row)).not.toMatch(/shown|print/);
});

test("an answer above the size limit is not stored for its Idempotency-Key", async () => {
  await repeats().begin("large", "print");
  await repeats().end("large", { fingerprint: "print", answer: "x".repeat(guardLimits.repeatLength) });
  expect(await repeats().begin("large", "print")).toEqual({ fingerprint: "print" });
});

test("after a day, a used Idempotency-Key counts as new, whether or not its old row was deleted", async () => {
  ahead = retentionLimits.repeats + 1;
  expect(await repeats().begin("a", "new")).toEqual({ fingerprint: "new" });
  expect(await store.retention.sweep("repeats", clock.now() - retentionLimits.repeats)).toBe(3);
  expect(await repeats().begin("a", "newer")).toEqual({ fingerprint: "new" });
});
