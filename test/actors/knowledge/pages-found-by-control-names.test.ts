/**
 * Tests that a search finds pages by the names of their fields, buttons and columns. These names are not part of the
 * text of a page.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { stateIdOf } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;

const text = "<p>The museum opens in spring, and the ferry goes each hour until the evening.</p>";
const page = (title: string, rest: string) =>
  html(title, `<nav><button>Dark theme</button></nav><main><h1>${title}</h1>${text}${rest}</main>`);

beforeAll(async () => {
  town = await Town.start();
  const links = ["users", "rates", "guides", "plans", "keys", "rooms/1", "rooms/2", "rooms/3"].map(
    (name) => `<a href="/${name}">${name}</a>`,
  );
  site = serveSite({
    "/": page("Start", links.join(" ")),
    "/users": page(
      "Users",
      '<form method="post"><input name="m" aria-label="Mobile phone"><button>Invite</button></form>',
    ),
    "/rates": page(
      "Rates",
      '<form method="post"><div role="group" aria-label="Deviating percentage"><label>German <input name="g"></label><label>Dutch <input name="d"></label></div></form>',
    ),
    "/guides": page("Guides", '<button aria-label="Export as spreadsheet">…</button>'),
    "/plans": page("Plans", "<button>Keys</button><button>Keys of guests</button>"),
    "/keys": page("Keys", ""),
    ...Object.fromEntries(
      ["velvet sofa", "brass telescope", "marble bust"].map((thing, at) => [
        `/rooms/${at + 1}`,
        page(`Room ${at + 1}`, `<p>The ${thing} stands here.</p>`),
      ]),
    ),
  });
  await town.explore("museum", site.url("/"), "museum");
  const state = {
    website_id: "museum",
    url: site.url("/plans"),
    key: urlKey(site.url("/plans")),
    path: ["Keys of guests"],
    name: "Plans: Keys of guests",
    texts: ["Hand out a spare badge"],
    added: ["Hand out a spare badge", "Porter on duty"],
    structure: "",
  };
  const control = { role: "button", name: "Keys of guests", selector: "button", xpath: "", attributes: {} };
  const from = screenIdOf(state.key);
  await town.addStates(
    "museum",
    [state],
    [{ from, to: stateIdOf(state.key, state.path), name: control.name, control }],
  );
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

const found = async (query: string) =>
  (await town.store.search("museum", query, 3)).map(({ title }) => title);

test.each([
  ["the label of a field", "mobile phone", "Users"],
  ["the name of a group of fields", "deviating percentage", "Rates"],
  ["the caption of a button", "invite", "Users"],
  ["the name of a button with an icon", "export a spreadsheet", "Guides"],
])("a search finds a page by %s", async (_, query, title) => {
  expect((await found(query))[0]).toBe(title);
});

test("a search for a word ranks the page with this name above pages that have a button with this name", async () => {
  expect((await found("keys"))[0]).toBe("Keys");
});

test("a search finds a page by words of its content, although the query also names a button of all pages", async () => {
  expect((await found("dark theme ferry rates"))[0]).toBe("Rates");
});

test.each([
  ["Where do I enter a mobile phone?", "Users"],
  ["deviating percentage", "Rates"],
])(
  "the screen for the words '%s' is found by its content, although no name of a screen has them",
  async (words, name) => {
    const answer = await town.agent("museum", "find_screen", words, {});
    expect(answer).toMatchObject({
      success: true,
      metadata: { screen_name: name, judged_by: "content" },
    });
    expect(answer.metadata.confidence).toBeLessThan(0.7);
  },
);

test("no screen is found by content if the pages contain only few of the words", async () => {
  const answer = await town.agent("museum", "find_screen", "mobile crane of the harbour office", {});
  expect(answer.success).toBe(false);
  expect(answer.error).toStartWith("No matching screen found");
});

test("if a screen with several pages is found by content, the answer names the page that contains the words", async () => {
  const answer = await town.agent("museum", "find_screen", "brass telescope", {});
  expect(answer).toMatchObject({ success: true, metadata: { screen_name: "Room 2", judged_by: "content" } });
  const { screen_id, instance_id } = answer.expected_result;
  expect(instance_id).toStartWith("rooms_2");
  expect(screen_id).not.toBe(instance_id);
});

test("a state of a page, such as a dialog, is found by the texts that a press shows", async () => {
  const answer = await town.agent("museum", "find_screen", "Where do I hand out a badge?", {});
  expect(answer).toMatchObject({
    success: true,
    metadata: { screen_name: "Plans: Keys of guests", judged_by: "content" },
  });
});

test("a route leads to the page or the dialog that contains the words of the target, and the answer says that it was found by content", async () => {
  const context = { current_url: site.url("/") };
  const toPage = await town.agent("museum", "navigate_to_screen", "What is the brass telescope?", context);
  expect(toPage).toMatchObject({ success: true, metadata: { found_by: "content" } });
  expect(toPage.expected_result.instance_id).toStartWith("rooms_2");
  expect(toPage.actions.map(({ tool_name }) => tool_name)).toEqual(["click"]);
  expect(toPage.metadata.confidence).toBeLessThan(0.7);
  const toDialog = await town.agent("museum", "navigate_to_screen", "hand out a spare badge", context);
  expect(toDialog.actions.map(({ tool_name }) => tool_name)).toEqual(["click", "click"]);
});

test("no route is returned if the only rare word of the target is on no page", async () => {
  const answer = await town.agent(
    "museum",
    "navigate_to_screen",
    "the museum opens in spring with zebras",
    {},
  );
  expect(answer).toMatchObject({ success: false, metadata: { code: "screen.not_found" } });
});

test("no route is returned if the pages contain only few words of the target", async () => {
  const answer = await town.agent("museum", "navigate_to_screen", "mobile crane of the harbour office", {});
  expect(answer).toMatchObject({ success: false, metadata: { code: "screen.not_found" } });
});
