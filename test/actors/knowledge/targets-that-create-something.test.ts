/**
 * Tests that a search for a screen by a task such as "create a team" finds the screen for new things of this kind.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { stateIdOf } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

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
  "/articles/+/": "Creating Item in Articles",
  "/settings/articles/": "Articles",
  "/settings/guides/": "Guides",
  "/settings/hours/": "Opening Hours",
  "/settings/prices/": "Prices",
  "/opening/": "Editing Item in Opening Hours",
  "/phrases/": "Phrases",
  "/phrases/+/": "Create Custom Phrase",
  "/overview/": "Overview",
  "/options/": "Options",
  "/boats/17/": "Heron",
};
/**
 * Further parts of pages. They contain words of the searches below, but are not the forms that the searches ask for.
 * For example, the form for a new team has the heading "Newsletters".
 */
const PARTS: Readonly<Record<string, string>> = {
  "/teams/new/": "<h2>Newsletters</h2><p>The team gets each newsletter.</p>",
  "/overview/": "<h2>Bulletin readers</h2><p>Readers of each bulletin.</p><h2>New members</h2><p>Three.</p>",
  "/options/": "<h2>Banners</h2><button>Add banner</button>",
  "/boats/17/":
    '<p>Add what you have seen.</p><form method="post"><label>Remark <textarea name="r"></textarea></label><button>Save</button></form>',
};

beforeAll(async () => {
  town = await Town.start();
  const links = Object.entries(TITLES).map(([path, title]) => `<a href="${path}">${title}</a>`);
  const menu = '<nav><a href="/opening/">Opening Hours</a> <a href="/teams/new/">Create a new team</a></nav>';
  site = serveSite({
    "/": html("Start", `<main><h1>Start</h1>${links.join(" ")}</main>`),
    ...Object.fromEntries(
      Object.entries(TITLES).map(([path, title]) => [
        path,
        html(title, `${menu}<main><h1>${title}</h1>${PARTS[path] ?? ""}</main>`),
      ]),
    ),
  });
  await town.explore("harbour", site.url("/"), "harbour");
  const url = site.url("/settings/articles/");
  const state = {
    website_id: "harbour",
    url,
    key: urlKey(url),
    path: ["Create New"],
    name: "Articles: Create New",
    texts: ["Standard field"],
    added: ["Standard field"],
    structure: "",
  };
  const control = { role: "button", name: "Create New", selector: "button", xpath: "", attributes: {} };
  const transition = {
    from: screenIdOf(state.key),
    to: stateIdOf(state.key, state.path),
    name: "Create New",
    control,
  };
  await town.addStates("harbour", [state], [transition]);
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
  ["the form to create an article", "Creating Item in Articles"],
  ["custom phrases", "Phrases"],
  ["create a custom phrase", "Create Custom Phrase"],
])('the target "%s" is found as the screen %s', async (target, name) => {
  const { success, metadata } = await town.agent("harbour", "find_screen", target);
  expect([success, metadata.screen_name]).toEqual([true, name]);
});

test.each(["create a webhook", "create a new gate", "form to create a new gate"])(
  'the target "%s" does not lead to a screen that creates another thing',
  async (target) => {
    const answer = await town.agent("harbour", "find_screen", target);
    expect(answer.success).toBe(false);
  },
);

test("a target finds the page of the menu's entry with its name, and not the settings of an object with this name", async () => {
  const { success, metadata } = await town.agent("harbour", "find_screen", "opening hours");
  expect([success, metadata.screen_name]).toEqual([true, "Editing Item in Opening Hours"]);
});

test("a form for another thing is not found, although a heading on its page has the word for the thing", async () => {
  const { success } = await town.agent("harbour", "find_screen", "new newsletter");
  expect(success).toBe(false);
});

test("a page is not found by a heading that only has the word for the thing, if nothing on the page creates it", async () => {
  const { success, metadata } = await town.agent(
    "harbour",
    "find_screen",
    "the form to create a new bulletin",
  );
  expect([success, metadata.code]).toEqual([false, "screen.not_recognised"]);
});

test.each([
  ["create a banner", "Options"],
  ["add a remark", "Heron"],
])("the target '%s' finds the page with a button or a field for it by content", async (target, name) => {
  const { metadata } = await town.agent("harbour", "find_screen", target);
  expect([metadata.judged_by, metadata.screen_name]).toEqual(["content", name]);
});
