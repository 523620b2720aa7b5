import { afterEach, beforeEach, expect, test } from "bun:test";
import { MAP } from "../sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../temporary-store.ts";

const earlier = { job_id: "job", at: 5, sketch: { screens: [], transitions: [["a", "b"]] as const } };
let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await memoryStore();
});
afterEach(() => temporary.close());

test("only the newest summary of a map's earlier state is stored, and is deleted with the map", async () => {
  const { sketches, maps } = temporary.store;
  expect(await sketches.get(MAP)).toBeUndefined();
  await sketches.put(MAP, earlier);
  expect(await sketches.get(MAP)).toEqual(earlier);
  await sketches.put(MAP, { ...earlier, job_id: "later" });
  expect((await sketches.get(MAP))?.job_id).toBe("later");
  await maps.delete(MAP);
  expect(await sketches.get(MAP)).toBeUndefined();
});
