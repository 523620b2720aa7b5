/**
 * Tests that a search for a screen by a task such as "create a team" finds the screen for new things of this kind.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./map-test-system.ts";

let town: Town;
let site: ScriptedSite;
const TITLES = {
  "/teams/": "Teams",
  "/teams/new/": "New Team",
  "/teams/mill/": "Mill Wardens",
  "/teams/harbour/": "Harbour Crew",
  "/teams/pilots/": "Tug Pilots",
  "/tokens/": "Auth Tokens",
  "/tokens/create/": "New Auth Token",
};

beforeAll(async () => {
  town = await Town.start();
  const links = Object.entries(TITLES).map(([path, title]) => `<a href="${path}">${title}</a>`);
  site = serveSite({
    "/": html("Start", `<main><h1>Start</h1>${links.join(" ")}</main>`),
    ...Object.fromEntries(
      Object.entries(TITLES).map(([path, title]) => [path, html(title, `<main><h1>${title}</h1></main>`)]),
    ),
  });
  await town.explore("harbour", site.url("/"), "harbour");
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

test.each([
  ["create a team", "New Team"],
  ["add a team", "New Team"],
  ["where do I create a token?", "New Auth Token"],
  ["New Team", "New Team"],
])('the target "%s" is found as the screen %s', async (target, name) => {
  const { success, metadata } = await town.agent("harbour", "find_screen", target);
  expect([success, metadata.screen_name]).toEqual([true, name]);
});

test("a target that creates a thing does not lead to a screen that creates another thing", async () => {
  const answer = await town.agent("harbour", "find_screen", "create a webhook");
  expect(answer.success).toBe(false);
});
