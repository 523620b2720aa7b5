/**
 * Tests the answer to a search whose words fit the name of no screen. The answer is a screen that is marked as
 * uncertain, or a list of the nearest screens.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;

const page = (title: string, rest: string) =>
  html(title, `<nav><a href="/">Start</a></nav><main><h1>${title}</h1>${rest}</main>`);
const rows = (texts: readonly string[]) =>
  `<table><tr><th>Event</th></tr>${texts.map((text) => `<tr><td>${text}</td></tr>`).join("")}</table>`;

beforeAll(async () => {
  town = await Town.start();
  const names = [
    "accounts",
    "events",
    "look",
    "sent",
    "outbox",
    "people",
    "kinds/1/edit",
    "kinds/2/edit",
    "hosting",
    "harbour",
    "boats",
  ];
  site = serveSite({
    "/": page("Start", names.map((name) => `<a href="/${name}">…</a>`).join(" ")),
    "/accounts": page("Accounts", '<a href="/accounts/add">…</a><p>Bank and cash.</p>'),
    "/accounts/add": page("Add account", '<form method="post"><input name="n"><button>OK</button></form>'),
    "/events": page("Events", rows(Array(9).fill("Nora did add a bookkeeping account"))),
    "/look": page(
      "Look",
      '<form method="post"><label>Theme <select name="t"><option>Light serif</option><option>Dark serif</option></select></label><button>OK</button></form>',
    ),
    "/sent": page("Sent mails", rows(["Mail to Ines was sent", "Mail to Ole was sent"])),
    "/outbox": page("Outbox", "<p>A mail is here until it is sent.</p>"),
    "/people": page("People", "<p>Each person here has an account of the club.</p>"),
    "/hosting": page("Hosting", "<p>Your release always runs the newest version.</p>"),
    "/harbour": page("Harbour", "<h2>Mooring of boats</h2><p>The mooring of boats is free.</p>"),
    "/boats": page("Boats", "<p>Each of them has a mooring, and most have a name and a home port too.</p>"),
    ...Object.fromEntries(
      ["Boats", "Docks"].map((kind, at) => [
        `/kinds/${at + 1}/edit`,
        page(`Edit kind: ${kind}`, '<form method="post"><input name="k"><button>OK</button></form>'),
      ]),
    ),
  });
  await town.explore("club", site.url("/"), "club");
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

const asked = (target: string) => town.agent("club", "find_screen", target, {});

test.each([
  ["add a bookkeeping account", "Add account"],
  ["Where do I add an account of a supplier?", "Add account"],
])("'%s' finds the only page that creates the thing, with a low confidence", async (target, name) => {
  const answer = await asked(target);
  expect(answer).toMatchObject({ success: true, metadata: { screen_name: name, judged_by: "words" } });
  expect(answer.metadata.confidence).toBeLessThan(0.6);
});

test("'rename a kind' finds the screen on which a kind is edited", async () => {
  const answer = await asked("rename a kind");
  expect(answer).toMatchObject({ success: true, metadata: { judged_by: "words" } });
  expect(String(answer.expected_result.url_patterns)).toContain("/edit");
});

test("a screen is found by the options of a short list", async () => {
  expect(await asked("dark theme")).toMatchObject({ success: true, metadata: { screen_name: "Look" } });
});

test("a target that creates something (add a bookkeeping period) does not lead to a list with these words if no page creates it", async () => {
  const answer = await asked("add a bookkeeping period");
  expect(answer.success).toBe(false);
});

test("an answer without a certain screen names the nearest screens, of the search by content and by names", async () => {
  const answer = await asked("mails waiting in the queue");
  expect(answer).toMatchObject({
    success: false,
    metadata: { code: "screen.not_recognised", confidence: 0 },
  });
  expect(answer.error).toStartWith("No matching screen found. No screen is certain");
  const { suggestions } = answer.metadata as { suggestions: readonly { readonly name: string }[] };
  expect(suggestions.map(({ name }) => name)).toEqual(expect.arrayContaining(["Sent mails", "Outbox"]));
  for (const { name } of suggestions) expect(answer.error).toContain(name);
});

test("the error of a route to an unknown target names the nearest screens", async () => {
  const answer = await town.agent("club", "navigate_to_screen", "mails waiting in the queue", {});
  expect(answer).toMatchObject({ success: false, metadata: { code: "screen.not_found" } });
  expect(answer.error).toContain("Outbox");
});

test("a page that has only some of the searched words, and only in its running text, is not returned as a certain match", async () => {
  const answer = await asked("always runs the newest kernel");
  expect(answer).toMatchObject({ success: false, metadata: { code: "screen.not_recognised" } });
  expect(answer.error).toContain("Hosting");
});

test("of several pages that contain all searched words, the page whose name has one of these words is found", async () => {
  expect(await asked("mooring of boats")).toMatchObject({
    success: true,
    metadata: { screen_name: "Boats" },
  });
});

test("'my' counts as no word of the target if no page has it", async () => {
  expect(await asked("my dark theme")).toMatchObject({ success: true, metadata: { screen_name: "Look" } });
});
