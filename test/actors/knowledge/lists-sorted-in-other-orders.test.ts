/** Tests that a list is the same screen in each order, also in one that no exploration has seen. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;

beforeAll(async () => {
  town = await Town.start();
  const list = (title: string) => html(title, `<main><h1>${title}</h1><p>All ${title} are here.</p></main>`);
  site = serveSite({
    "/": html("Start", '<main><a href="/muted/?sort=seen">Muted</a> <a href="/orders">Orders</a></main>'),
    "/muted/": list("Muted"),
    "/orders": list("Orders"),
  });
  await town.explore("lists", site.url("/"), "lists");
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

test.each([
  ["/muted/?sort=seen", "Muted"],
  ["/muted/?sort=count", "Muted"],
  ["/muted/", "Muted"],
  ["/orders?order_by=-date", "Orders"],
])("a list at the address %s is the screen %s", async (path, name) => {
  const { success, metadata } = await town.agent("lists", "find_screen", site.url(path));
  expect([success, metadata.screen_name]).toEqual([true, name]);
});

test("a list with a parameter that does not set its order (archive=1) is not found as the screen of the list", async () => {
  const answer = await town.agent("lists", "find_screen", site.url("/orders?archive=1"));
  expect(answer.success).toBe(false);
});
