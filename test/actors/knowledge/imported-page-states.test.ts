/**
 * Tests imports of map files. The files contain states that only show a part of a page, some of them without
 * the page itself, and pages without a structure.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { MapExport } from "../../../actors/knowledge/map-export.ts";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { screenListSchema } from "../../../machines/knowledge/knowledge-protocol.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

setDefaultTimeout(20_000);
const screen = (screen_id: string, part_of?: string, structure?: string) => ({
  screen_id,
  name: `The ${screen_id}`,
  url: `https://app.test/${screen_id.split("~")[0]}`,
  ...(part_of === undefined ? {} : { part_of }),
  ...(structure === undefined ? {} : { structure }),
});

const town = await Town.start();
afterAll(() => town.stop());

async function imported(map: string, screens: readonly ReturnType<typeof screen>[]) {
  const part = mapFileSchema.parse({ format: "cairn-map", version: 1, screens });
  await town.cairn.ask("knowledge", map, { type: "IMPORT", part });
  await until(async () => (await town.mapStatus(map)).state === "idle");
  const list = screenListSchema.parse(await town.ask(map, "screens", {}));
  return list.screens.map(({ name, instances }) => [name, instances]);
}

test("an imported state that shows a part of a page belongs to the page's screen, or is a screen itself if the page is missing", async () => {
  const screens = [screen("users"), screen("users~menu", "users"), screen("reports~menu", "reports")];
  expect(await imported("missing", screens)).toEqual([
    ["The reports~menu", 1],
    ["The users", 1],
  ]);
});

test("an imported page state (id users~menu) becomes a screen of its own if its field part_of names another page (reports)", async () => {
  const screens = [screen("users"), screen("users~menu", "reports"), screen("reports")];
  expect(await imported("other", screens)).toEqual([
    ["The reports", 1],
    ["The users", 1],
    ["The users~menu", 1],
  ]);
});

test("imported page states become screens of their own if their fields part_of refer to each other or to themselves", async () => {
  const screens = [screen("a~x", "b~y"), screen("b~y", "a~x"), screen("c~z", "c~z")];
  expect(await imported("circle", screens)).toEqual([
    ["The a~x", 1],
    ["The b~y", 1],
    ["The c~z", 1],
  ]);
});

test("imported pages without a structure stay screens of their own if their addresses differ in words", async () => {
  const screens = [screen("admin/auth/group/"), screen("admin/auth/user/")];
  expect(await imported("unread", screens)).toEqual([
    ["The admin/auth/group/", 1],
    ["The admin/auth/user/", 1],
  ]);
});

test("imported folder listings with an empty structure field become one screen, and an export keeps the empty structure", async () => {
  const folders = ["docs", "src", "test", "tools"].map((name) => screen(`town/plain/${name}`, undefined, ""));
  const [listing, ...others] = await imported("listings", folders);
  expect([listing?.[1], others]).toEqual([4, []]);
  const exported = await MapExport.open(town.store, "listings");
  const rows = mapFileSchema.shape.screens.parse(await Array.fromAsync(exported.screens()));
  expect(rows.map(({ structure }) => structure)).toEqual(["", "", "", ""]);
});
