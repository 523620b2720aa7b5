import { afterEach, beforeEach, expect, test } from "bun:test";
import { MAP } from "../sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../temporary-store.ts";

const picture = { data: "/9j/4AAQ", width: 480, height: 338, taken_at: 5 };
let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await memoryStore();
});
afterEach(() => temporary.close());

test("a picture of a screen is stored once per screen, and a later one replaces it", async () => {
  const { pictures } = temporary.store;
  await pictures.put(MAP, "s1", picture);
  await pictures.put(MAP, "s2", picture);
  await pictures.put("other", "s3", picture);
  const later = { ...picture, data: "/9j/9999", taken_at: 6 };
  await pictures.put(MAP, "s1", later);
  expect(await pictures.get(MAP, "s1")).toEqual(later);
  expect(await pictures.get(MAP, "s3")).toBeUndefined();
  expect(await pictures.ids(MAP)).toEqual(["s1", "s2"]);
});

test("the pictures of a map are deleted with the map", async () => {
  const { store } = temporary;
  await store.pictures.put(MAP, "s1", picture);
  await store.pictures.put("other", "s1", picture);
  await store.maps.delete(MAP);
  expect(await store.pictures.ids(MAP)).toEqual([]);
  expect(await store.pictures.ids("other")).toEqual(["s1"]);
});
