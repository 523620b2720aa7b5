/**
 * Acts are noted behind what they cost: written together, in order, and again when the store was away.
 */
import { expect, test } from "bun:test";
import { AuditDesk } from "../../actors/audit-desk.ts";
import { systemClock } from "../../actors/runtime/index.ts";
import { type AuditNote, listAuditSchema } from "../../machines/audit/protocol.ts";
import { Unavailable } from "../../machines/errors.ts";
import type { AuditStore } from "../../store/index.ts";
import { memoryStore } from "../store/temporary-store.ts";

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
const all = listAuditSchema.parse({ limit: 1_000 });

test("what was noted is read at once, by pages, and is there after the end", async () => {
  const { store, close } = await memoryStore();
  const desk = new AuditDesk(store.audit, systemClock, () => {});
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
  expect(desk.list(listAuditSchema.parse({ cursor: "nonsense" }))).rejects.toThrow("next_cursor");
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
  const desk = new AuditDesk(faulty, systemClock, (...line) => void said.push(line), 20);
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
