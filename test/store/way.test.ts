import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ScreenRecord } from "../../machines/records.ts";
import { MAP, screenRow, transitionRow } from "./records.ts";
import { memoryStore, type TemporaryStore } from "./temporary-store.ts";

let temporary: TemporaryStore;
beforeAll(async () => {
  temporary = await memoryStore();
  const rows = [transitionRow("s1", "s2"), transitionRow("s2", "s3", { confidence: 0.9 })];
  await temporary.store.write([
    { op: "put", table: "screen", rows: ["s1", "s2", "s3"].map((id) => screenRow(id)) },
    { op: "relate", edge: "transition", rows },
  ]);
});
afterAll(() => temporary.close());

const told = ({ screen_id, name, url, url_patterns, state_signature }: ScreenRecord) => ({
  screen_id,
  name,
  url,
  url_patterns,
  state_signature,
});

test("a way is read as its screens, and its steps in order with gaps where there are none", async () => {
  const way = await temporary.store.screens.way(
    MAP,
    ["s3", "nowhere", "s1"],
    [
      ["s2", "s3"],
      ["s2", "s1"],
      ["s1", "s2"],
    ],
  );
  expect(way.screens).toEqual([told(screenRow("s3")), told(screenRow("s1"))]);
  const { action } = transitionRow("s1", "s2");
  expect(way.steps).toEqual([{ action, confidence: 0.9 }, undefined, { action, confidence: 0.5 }]);
});

test("a way of nothing, or in another map, has nothing", async () => {
  const { screens } = temporary.store;
  expect(await screens.way(MAP, [], [])).toEqual({ screens: [], steps: [] });
  expect(await screens.way("other", ["s1"], [["s1", "s2"]])).toEqual({ screens: [], steps: [undefined] });
});
