/**
 * Acts are noted behind what they cost: written together, in order, and again when the store was away.
 */
import { expect, test } from "bun:test";
import { appendFile, mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuditService } from "../../../actors/operations/audit-service.ts";
import { systemClock } from "../../../actors/runtime/index.ts";
import { guardLimits } from "../../../machines/audit/limits.ts";
import { type AuditNote, listAuditSchema } from "../../../machines/audit/protocol.ts";
import { Unavailable } from "../../../machines/errors.ts";
import type { AuditStore } from "../../../store/index.ts";
import { memoryStore } from "../../store/temporary-store.ts";

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

test("what was noted is read at once, by pages, and is there after the end", async () => {
  const { store, close } = await memoryStore();
  const desk = new AuditService(store.audit, systemClock, () => {}, await folder());
  for (let i = 0; i < 7; i++) desk.note(note(`act ${i}`));
  const first = await desk.list(listAuditSchema.parse({ limit: 4 }));
  expect(first.entries).toHaveLength(4);
  const second = await desk.list(listAuditSchema.parse({ limit: 4, cursor: first.next_cursor }));
  expect(second.next_cursor).toBeNull();
  const acts = [...first.entries, ...second.entries].map(({ act }) => act);
  expect(acts.toSorted()).toEqual(Array.from({ length: 7 }, (_, i) => `act ${i}`));
  desk.note(note("the last"));
  await desk.close();
  expect(await store.audit.list({ limit: 100, act: "the last" }, Date.now() + 1)).toHaveLength(1);
  await expect(desk.list(listAuditSchema.parse({ cursor: "nonsense" }))).rejects.toThrow("next_cursor");
  await close();
});

test("a store that is away loses nothing within bounds, and what is over them is said", async () => {
  const { store, close } = await memoryStore();
  let away = true;
  // The real one, which does not answer for a while.
  const faulty = {
    add: (rows) =>
      away ? Promise.reject(new Unavailable("store.unavailable", "away")) : store.audit.add(rows),
    list: (request, now) => store.audit.list(request, now),
  } as AuditStore;
  const said: unknown[] = [];
  const desk = new AuditService(faulty, systemClock, (...line) => void said.push(line), await folder(), 20);
  for (let i = 0; i < 23; i++) desk.note(note(`act ${i}`));
  expect((await desk.list(all)).entries).toEqual([]);
  away = false;
  desk.note(note("after"));
  await desk.close();
  const kept = await store.audit.list({ limit: 100 }, Date.now() + 1);
  expect(kept).toHaveLength(20);
  const dropped = [...JSON.stringify(said).matchAll(/"acts":(\d+)/g)].map(([, acts]) => Number(acts));
  expect(dropped.reduce((sum, acts) => sum + acts, 0)).toBe(4);
  await close();
});

/** A clock at which nothing comes due: a process that is killed before. */
const stopped: typeof systemClock = { ...systemClock, now: () => Date.now(), after: () => () => {} };

test("what a killed process had not written its next start writes, and what was under way is interrupted", async () => {
  const { store, close } = await memoryStore();
  const [place, said] = [await folder(), [] as unknown[]];
  const killed = new AuditService(store.audit, stopped, () => {}, place);
  killed.note(note("noted"));
  const { outcome: _, code: __, ms: ___, ...act } = note("ended");
  killed.begin(act)({ ...note("ended"), outcome: "failed", code: "timeout", ms: 7 });
  killed.begin({ ...act, act: "under way", subject: "session/demo" });
  await appendFile(join(place, "acts.jsonl"), '{"id":[1,"cut o');
  const next = new AuditService(store.audit, systemClock, (...line) => void said.push(line), place);
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
  expect(JSON.stringify(said)).toContain('"lines":1');
  await next.close();
  expect((await stat(join(place, "acts.jsonl"))).size).toBe(0);
  // Nothing is left for a third.
  const third = new AuditService(store.audit, systemClock, () => {}, place);
  await third.close();
  expect(await store.audit.list({ limit: 100 }, Date.now() + 1)).toHaveLength(3);
  await close();
});

test("the journal does not grow for ever while something is under way, which stays in it", async () => {
  const { store, close } = await memoryStore();
  const place = await folder();
  const desk = new AuditService(store.audit, systemClock, () => {}, place);
  const { outcome: _, code: __, ms: ___, ...act } = note("under way");
  const end = desk.begin(act);
  const long = { ...note("x"), detail: "d".repeat(1_000) };
  for (let written = 0; written < 2 * guardLimits.journalBytes; written += 1_000) desk.note(long);
  await desk.list(listAuditSchema.parse({ limit: 1 }));
  const kept = await readFile(join(place, "acts.jsonl"), "utf8");
  expect([kept.length <= guardLimits.journalBytes, kept.includes("under way")]).toEqual([true, true]);
  desk.note(note("after"));
  end(note("under way"));
  await desk.close();
  expect((await stat(join(place, "acts.jsonl"))).size).toBe(0);
  const acts = await store.audit.list({ limit: 10, act: "under way" }, Date.now() + 1);
  expect(acts.map(({ outcome }) => outcome)).toEqual(["done"]);
  await close();
});
