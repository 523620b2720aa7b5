/** Tests the storage of the pictures that an exploration takes of the page states that it finds. */
import { expect, test } from "bun:test";
import { StatePictures } from "../../../../actors/exploration/press/pictures-of-found-states.ts";
import { memoryStore } from "../../../store/temporary-store.ts";

const picture = { data: "/9j/4AAQ", width: 480, height: 338 };

test("pictures of page states are stored in order, and a newer picture of the same state replaces the older one", async () => {
  const { store, close } = await memoryStore();
  const pictures = new StatePictures(store, "map");
  pictures.put("s1", picture);
  pictures.put("s1", { ...picture, data: "/9j/9999" });
  pictures.put("s2", picture);
  await pictures.stored();
  expect(pictures.failed).toBe(0);
  expect((await store.pictures.get("map", "s1"))?.data).toBe("/9j/9999");
  expect(await store.pictures.ids("map")).toEqual(["s1", "s2"]);
  await close();
});

test("a picture of a page state that cannot be stored is counted as failed and causes no error", async () => {
  const { store, close } = await memoryStore();
  await close();
  const pictures = new StatePictures(store, "map");
  pictures.put("s1", picture);
  pictures.put("s2", picture);
  await pictures.stored();
  expect(pictures.failed).toBe(2);
});
