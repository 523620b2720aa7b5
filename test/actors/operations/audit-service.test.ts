/**
 * Tests that audit entries are stored in batches after the calls that they describe. If the store is
 * unavailable, the entries are stored later.
 */
import { expect, test } from "bun:test";
import { appendFile, mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuditService } from "../../../actors/operations/audit-service.ts";
import { systemClock } from "../../../actors/runtime/index.ts";
import { guardLimits } from "../../../machines/audit/api-caller-limits.ts";
import { type AuditNote, listAuditSchema } from "../../../machines/audit/audit-entry-schemas.ts";
import { Unavailable } from "../../../machines/errors.ts";
import type { AuditStore } from "../../../store/index.ts";
import { memoryStore } from "../../store/temporary-store.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";

const note = (act: string): AuditNote => ({
  at: Date.now(),
  caller: "ann",
  act,
  detail: null,
  subject: null,
  outcome: "done",
  code: null,
  request_id: "r",
  ms: 1,
});
const folder = (): Promise<string> => mkdtemp(join(tmpdir(), "cairn-test-"));
const all = listAuditSchema.parse({ limit: 1_000 });

test("an audit entry is listed immediately, in lists of several pages, and remains after the service is closed", async () => {
  const { store, close } = await memoryStore();
  const audit = new AuditService(store.audit, systemClock, () => {}, await folder());
  for (let i = 0; i < 7; i++) audit.note(note(`act ${i}`));
  const first = await audit.list(listAuditSchema.parse({ limit: 4 }));
  expect(first.entries).toHaveLength(4);
  const second = await audit.list(listAuditSchema.parse({ limit: 4, cursor: first.next_cursor }));
  expect(second.next_cursor).toBeNull();
  const acts = [...first.entries, ...second.entries].map(({ act }) => act);
  expect(acts.toSorted()).toEqual(Array.from({ length: 7 }, (_, i) => `act ${i}`));
  audit.note(note("the last"));
  await audit.close();
  expect(await store.audit.list({ limit: 100, act: "the last" }, Date.now() + 1)).toHaveLength(1);
  await expect(audit.list(listAuditSchema.parse({ cursor: "nonsense" }))).rejects.toThrow("next_cursor");
  await close();
});

test("audit entries are kept while the store is unavailable, and the log counts the entries over the limit", async () => {
  const { store, close } = await memoryStore();
  let away = true;
  // A store whose method `add` throws an error while `away` is true.
  const faulty = {
    add: (rows) =>
      away ? Promise.reject(new Unavailable("store.unavailable", "away")) : store.audit.add(rows),
    list: (request, now) => store.audit.list(request, now),
  } as AuditStore;
  const logged: unknown[] = [];
  const audit = new AuditService(
    faulty,
    systemClock,
    (...line) => void logged.push(line),
    await folder(),
    20,
  );
  for (let i = 0; i < 23; i++) audit.note(note(`act ${i}`));
  expect((await audit.list(all)).entries).toEqual([]);
  away = false;
  audit.note(note("after"));
  await audit.close();
  const kept = await store.audit.list({ limit: 100 }, Date.now() + 1);
  expect(kept).toHaveLength(20);
  const dropped = [...JSON.stringify(logged).matchAll(/"entries":(\d+)/g)].map(([, entries]) =>
    Number(entries),
  );
  expect(dropped.reduce((sum, entries) => sum + entries, 0)).toBe(4);
  await close();
});

/** A clock whose timers never fire. The process of this clock is killed before any timer would fire. */
const stopped: typeof systemClock = { ...systemClock, now: () => Date.now(), after: () => () => {} };

test("the next start stores the audit entries of a killed process, with its unfinished calls as interrupted", async () => {
  const { store, close } = await memoryStore();
  const [place, logged] = [await folder(), [] as unknown[]];
  const killed = new AuditService(store.audit, stopped, () => {}, place);
  killed.note(note("noted"));
  const { outcome: _, code: __, ms: ___, ...act } = note("ended");
  killed.begin(act)({ ...note("ended"), outcome: "failed", code: "timeout", ms: 7 });
  killed.begin({ ...act, act: "under way", subject: "session/demo" });
  await appendFile(join(place, "acts.jsonl"), '{"id":[1,"cut o');
  const next = new AuditService(store.audit, systemClock, (...line) => void logged.push(line), place);
  const read = async () =>
    (await next.list(all)).entries
      .map(({ act, outcome, code, subject, ms }) => [act, outcome, code, subject, ms])
      .toSorted();
  const expected = [
    ["ended", "failed", "timeout", null, 7],
    ["noted", "done", null, null, 1],
    ["under way", "interrupted", null, "session/demo", 0],
  ];
  expect(await read()).toEqual(expected);
  expect(JSON.stringify(logged)).toContain('"lines":1');
  await next.close();
  expect((await stat(join(place, "acts.jsonl"))).size).toBe(0);
  // The entries of the journal are in the store now, so the journal must be empty. If it still contained
  // them, the next service would store them a second time.
  const third = new AuditService(store.audit, systemClock, () => {}, place);
  await third.close();
  expect(await store.audit.list({ limit: 100 }, Date.now() + 1)).toHaveLength(3);
  await close();
});

test.if(isFull)(
  "the audit journal stays within its limit during a long call, and keeps the entry of that call",
  async () => {
    const { store, close } = await memoryStore();
    const place = await folder();
    const audit = new AuditService(store.audit, systemClock, () => {}, place);
    const { outcome: _, code: __, ms: ___, ...act } = note("under way");
    const end = audit.begin(act);
    const long = { ...note("x"), detail: "d".repeat(1_000) };
    for (let written = 0; written < 2 * guardLimits.journalBytes; written += 1_000) audit.note(long);
    await audit.list(listAuditSchema.parse({ limit: 1 }));
    const kept = await readFile(join(place, "acts.jsonl"), "utf8");
    expect([kept.length <= guardLimits.journalBytes, kept.includes("under way")]).toEqual([true, true]);
    audit.note(note("after"));
    end(note("under way"));
    await audit.close();
    expect((await stat(join(place, "acts.jsonl"))).size).toBe(0);
    const acts = await store.audit.list({ limit: 10, act: "under way" }, Date.now() + 1);
    expect(acts.map(({ outcome }) => outcome)).toEqual(["done"]);
    await close();
  },
);
