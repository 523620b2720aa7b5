/** Tests the audit log in the store: order, pages, filters, retention. */
import { afterAll, expect, test } from "bun:test";
import { retentionLimits } from "../../../machines/janitor/retention-limits.ts";
import { openStore, type StoredNote } from "../../../store/index.ts";

const store = await openStore({ url: "mem://" });
afterAll(() => store.close());

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

function note(at: number, more: Partial<StoredNote> = {}): StoredNote {
  return {
    id: [at, crypto.randomUUID()],
    at,
    caller: "ann",
    act: "execute_action",
    detail: null,
    subject: "session/demo",
    outcome: "done",
    code: null,
    request_id: "r",
    ms: 1,
    ...more,
  };
}

test("audit entries are listed newest first, over any period, in pages", async () => {
  // Ages of the stored entries in minutes. Some entries have the same age, and others are days apart.
  const ages = [0, 0, 0, 1, 1, 30, 59, 61, 500, 10_000, 60_000, 100_000];
  const notes = ages.map((minutes) => note(NOW - minutes * MINUTE));
  await store.audit.add(notes);
  // Some entries are sent a second time, as a client does when it got no answer. They must not be stored
  // twice.
  await store.audit.add(notes.slice(0, 3));
  const all = await store.audit.list({ limit: 100 }, NOW);
  expect(all.map(({ at }) => (NOW - at) / MINUTE)).toEqual(ages);
  const paged: StoredNote[] = [];
  for (let before: StoredNote["id"] | undefined; ; before = paged.at(-1)?.id) {
    const page = await store.audit.list({ limit: 5, before }, NOW);
    paged.push(...page);
    if (page.length < 5) break;
  }
  expect(paged.map(({ id }) => id.join())).toEqual(all.map(({ id }) => id.join()));
  expect(new Set(paged.map(({ id }) => id.join())).size).toBe(ages.length);
});

test("audit entries are filtered by caller, operation, object and outcome", async () => {
  const at = NOW + MINUTE;
  await store.audit.add([
    note(at, { caller: "ben", subject: null }),
    note(at, { act: "set_secret", outcome: "refused", code: "security.scope" }),
  ]);
  const found = (filter: object) => store.audit.list({ ...filter, limit: 10 }, at);
  expect(await found({ caller: "ben" })).toHaveLength(1);
  expect(await found({ caller: "ben", subject: "session/demo" })).toHaveLength(0);
  expect((await found({ outcome: "refused" }))[0]).toMatchObject({
    act: "set_secret",
    code: "security.scope",
  });
  expect(await found({ act: "set_secret", caller: "ann" })).toHaveLength(1);
});

test("expired audit entries are deleted, and no others", async () => {
  const before = (await store.audit.list({ limit: 100 }, NOW + MINUTE)).length;
  const old = NOW - retentionLimits.audit;
  await store.audit.add([note(old - 1), note(old - 2 * MINUTE)]);
  expect(await store.retention.sweep("audit", old)).toBe(2);
  expect(await store.retention.sweep("audit", old)).toBe(0);
  expect(await store.audit.list({ limit: 100 }, NOW + MINUTE)).toHaveLength(before);
});
