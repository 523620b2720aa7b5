import { afterEach, beforeEach, expect, test } from "bun:test";
import { MAP, screenRow, transitionRow } from "../sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../temporary-store.ts";

const outline = { version: 4, parts: ["one", "two"] };
let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await memoryStore();
  const { store } = temporary;
  await store.write([
    { op: "put", table: "screen", rows: [screenRow("s1"), screenRow("s2")] },
    { op: "relate", edge: "transition", rows: [transitionRow("s1", "s2")] },
  ]);
  await store.outlines.write(MAP, outline);
});
afterEach(() => temporary.close());

test("the outline (compact copy) of a map is returned only for the map's current version, and is replaced completely", async () => {
  const { outlines } = temporary.store;
  expect(await outlines.read(MAP, 4)).toEqual(outline);
  expect(await outlines.read(MAP, 5)).toBeUndefined();
  expect(await outlines.read("other", 4)).toBeUndefined();
  await outlines.write(MAP, { version: 5, parts: ["shorter"] });
  expect(await outlines.read(MAP, 4)).toBeUndefined();
  expect(await outlines.read(MAP, 5)).toEqual({ version: 5, parts: ["shorter"] });
});

test("the outline (compact copy) of a map is not returned if the map has more edges or screens than the outline", async () => {
  const { store } = temporary;
  await store.write([{ op: "relate", edge: "transition", rows: [transitionRow("s2", "s1")] }]);
  expect(await store.outlines.read(MAP, 4)).toBeUndefined();
  await store.outlines.write(MAP, outline);
  expect(await store.outlines.read(MAP, 4)).toEqual(outline);
  await store.write([{ op: "put", table: "screen", rows: [screenRow("s3")] }]);
  expect(await store.outlines.read(MAP, 4)).toBeUndefined();
});

test("the outline (compact copy) of a map is deleted with the map", async () => {
  const { store } = temporary;
  await store.maps.delete(MAP);
  await store.write([
    { op: "put", table: "screen", rows: [screenRow("s1"), screenRow("s2")] },
    { op: "relate", edge: "transition", rows: [transitionRow("s1", "s2")] },
  ]);
  expect(await store.outlines.read(MAP, 4)).toBeUndefined();
});
