/** Tests that the page with the description of an interface comes after the screens of the application. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;

const things = "bridge ferry harbour tower".split(" ");

function operations(thing: string): string {
  const all = ["List", "Create", "Read", "Delete"].map(
    (verb) =>
      `<h2>${verb} a ${thing} of the crew</h2><p>Sends the request with the token of a person who is signed in. Add a new ${thing} of the crew. A GET, POST or DELETE request.</p>` +
      "<h3>Responses</h3><p>Statuses 200, 401, 403 and 404 of the response as application/json with the schema.</p>",
  );
  return all.join("");
}

beforeAll(async () => {
  town = await Town.start();
  const links = [...things, "api"].map((name) => `<a href="/${name}">${name}</a>`).join(" ");
  site = serveSite({
    "/": html("Start", `<main><h1>Start</h1>${links}</main>`),
    "/api": html("Reference", `<main><h1>Reference</h1>${things.map(operations).join("")}</main>`),
    ...Object.fromEntries(
      things.map((thing) => [
        `/${thing}`,
        html(`Board ${thing}`, `<main><h1>Board</h1><p>The crew of the ${thing} is new.</p></main>`),
      ]),
    ),
  });
  await town.explore("interfaces", site.url("/"), "interfaces");
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

const firstOf = async (query: string) => {
  const { data } = await town.query("interfaces", "search", { query, top_k: 5 });
  // The cast is safe: the results of a search have addresses.
  return ((data?.results ?? []) as { url: string }[]).map(({ url }) => new URL(url).pathname)[0];
};

test("a search for a function of the application returns a screen before the description of the programming interface (API)", async () => {
  expect(await firstOf("add new ferry crew")).toBe("/ferry");
});

test("a search for the programming interface (API) returns the description of this interface first", async () => {
  expect(await firstOf("api to create a ferry")).toBe("/api");
});
