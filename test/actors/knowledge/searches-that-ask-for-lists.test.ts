/**
 * Tests searches for a screen by words that are not the words in its name, for example "tenant overview" for the list
 * "Tenants", or "the form to add a new tenant".
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;

const page = (title: string, rest: string) =>
  html(
    title,
    `<nav><a href="/">Start</a> <a href="/areas">Areas</a> <a href="/config/devices">Devices</a> <a href="/tenants">Tenants</a></nav><main><h1>${title}</h1>${rest}</main>`,
  );
const rooms = ["bedroom", "garage", "kitchen"];

beforeAll(async () => {
  town = await Town.start();
  site = serveSite({
    "/": page("Start", '<p>A list of all that is new.</p><a href="/taxes">…</a>'),
    // As in pretix, the page that creates a tax rule is only named "Tax rule", without a word such as "new".
    "/taxes": page("Taxes", '<a href="/taxes/add">…</a>'),
    "/taxes/add": page("Tax rule", "<form method=post><input name=rate></form>"),
    "/areas": page("Areas of the house", rooms.map((room) => `<a href="/areas/${room}">…</a>`).join(" ")),
    // As in Home Assistant, the title of each of these pages is the heading of its first part ("Devices"), and not
    // the name of the area.
    ...Object.fromEntries(
      rooms.map((room) => [
        `/areas/${room}`,
        page("Devices", `<p>A list of the rooms beside this area: ${room}.</p>`),
      ]),
    ),
    "/config/devices": page("Devices and services", "<p>Lamps.</p>"),
    "/tenants": page("Tenants", '<a href="/tenant-create">…</a> <a href="/users/1">…</a>'),
    "/tenant-create": page("Admin | Create new tenant", "<form method=post><input name=n></form>"),
    "/users/1": page("Add to a tenant: user Ida", "<p>The new user.</p>"),
  });
  await town.explore("home", site.url("/"), "home");
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

test.each([
  ["list of rooms / areas", "/areas"],
  ["all areas", "/areas"],
  ["the list of devices", "/config/devices"],
  ["devices", "/config/devices"],
  ["the form to add a new tenant", "/tenant-create"],
  ["tenants such as Northquay", "/tenants"],
  ["tenant list", "/tenants"],
  ["tenant overview", "/tenants"],
  ["tax rules", "/taxes"],
  ["a tax rule", "/taxes/add"],
])("a search for the words '%s' finds the screen at the path %s", async (target, path) => {
  const answer = await town.agent("home", "find_screen", target, {});
  expect(answer.success).toBe(true);
  expect(String(answer.expected_result.url_patterns).replaceAll("\\", "")).toEndWith(`${path}$`);
});

test("a search for 'list of areas' returns the list first, and other searches keep their order", async () => {
  const search = async (query: string) => {
    const { data } = await town.query("home", "search", { query, top_k: 5 });
    // The cast is safe: the answer to a search has results with addresses.
    const { results } = data as { readonly results: readonly { readonly url: string }[] };
    return results.map(({ url }) => url);
  };
  const [first, ...rest] = await search("list of areas");
  expect(first).toBe(site.url("/areas"));
  expect(rest).not.toContain(site.url("/areas"));
  expect((await search("list of rooms beside this area"))[0]).not.toBe(site.url("/areas"));
});
