/**
 * Tests that the search for a target (words for a screen) finds the screen to which an entry of a menu leads, even if
 * the entry has no address.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

let town: Town;
let site: ScriptedSite;

const page = (title: string, rest: string) => html(title, `<main><h1>${title}</h1>${rest}</main>`);
const entry = (title: string, about: string) => `<div role="menuitem"><b>${title}</b> ${about}</div>`;

const entries = [
  ["Tags", "Set up NFC tags and QR codes", "/labels"],
  ["People", "Manage who can access your home", "/residents"],
] as const;

beforeAll(async () => {
  town = await Town.start();
  site = serveSite({
    "/": page("Start", '<a href="/settings">…</a> <a href="/labels">…</a> <a href="/residents">…</a>'),
    "/settings": page("Settings", entries.map(([title, about]) => entry(title, about)).join("")),
    "/labels": page("Labels", "<button>Save the NFC chip</button><p>Labels on doors.</p>"),
    "/residents": page("Residents", "<p>Nora and Tom.</p>"),
  });
  await town.explore("home", site.url("/"), "home");
  const screens = await town.store.screens.outlines("home");
  const idOf = (path: string) => screens.find(({ url }) => url === site.url(path))?.screen_id ?? "";
  const press = (from: string, to: string, role: string, name: string) => ({
    from: idOf(from),
    to: idOf(to),
    name,
    control: { role, name, selector: "", xpath: "", attributes: {} },
  });
  await town.addStates(
    "home",
    [],
    [
      ...entries.map(([title, about, path]) => press("/settings", path, "menuitem", `${title} ${about}`)),
      press("/labels", "/residents", "button", "Save the NFC chip"),
    ],
  );
});
afterAll(async () => {
  await site.stop();
  await town.stop();
});

const asked = (target: string) => town.agent("home", "find_screen", target, {});

test.each([
  ["NFC tags", "Labels"],
  ["QR codes", "Labels"],
  ["who can access my home", "Residents"],
])("'%s' finds the screen to which the entry of the menu with these words leads", async (target, name) => {
  expect(await asked(target)).toMatchObject({
    success: true,
    metadata: { screen_name: name, judged_by: "link" },
  });
});

test("the text of a button does not name the screen that a press of it has opened", async () => {
  expect(await asked("save the NFC chip")).toMatchObject({
    success: true,
    metadata: { screen_name: "Labels" },
  });
});
