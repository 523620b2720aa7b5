import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ScreenRecord } from "../../../machines/records/map-records.ts";
import { MAP, screenRow, transitionRow } from "../sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../temporary-store.ts";

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

const recognisable = ({ screen_id, name, url, url_patterns, state_signature }: ScreenRecord) => ({
  screen_id,
  name,
  url,
  url_patterns,
  state_signature,
});

test("the stored data of a route has its screens and its steps in order, with gaps for missing transitions", async () => {
  const route = await temporary.store.screens.routeData(
    MAP,
    ["s3", "nowhere", "s1"],
    [
      ["s2", "s3"],
      ["s2", "s1"],
      ["s1", "s2"],
    ],
  );
  expect(route.screens).toEqual([recognisable(screenRow("s3")), recognisable(screenRow("s1"))]);
  const { action } = transitionRow("s1", "s2");
  expect(route.steps).toEqual([{ action, confidence: 0.9 }, undefined, { action, confidence: 0.5 }]);
});

test("the stored data for a route has no screens if they are missing or in another map", async () => {
  const { screens } = temporary.store;
  expect(await screens.routeData(MAP, [], [])).toEqual({ screens: [], steps: [] });
  expect(await screens.routeData("other", ["s1"], [["s1", "s2"]])).toEqual({
    screens: [],
    steps: [undefined],
  });
});
