/** Tests that stored results expire. */
import { afterAll, expect, test } from "bun:test";
import { retentionLimits } from "../../../machines/janitor/retention-limits.ts";
import { openStore } from "../../../store/index.ts";

const store = await openStore({ url: "mem://" });
afterAll(() => store.close());

test("a stored result of an action is returned until it expires, and deleted afterwards", async () => {
  const id = "result:a room/with:odd⟩ signs:1";
  const at = 1_000_000_000;
  await store.results.put(id, '{"a":1}', at);
  const end = at + retentionLimits.results;
  expect(await store.results.get(id, end)).toBe('{"a":1}');
  expect(await store.results.get(id, end + 1)).toBeUndefined();
  expect(await store.results.get("another", at)).toBeUndefined();
  expect(await store.retention.sweep("results", at)).toBe(0);
  expect(await store.retention.sweep("results", at + 1)).toBe(1);
  expect(await store.results.get(id, at)).toBeUndefined();
});
