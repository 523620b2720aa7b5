/** Tests the map of a site with two applications: an administration area, and a manual that has more pages. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ScreenList } from "../../../machines/knowledge/knowledge-protocol.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

const TIMEOUT = 60_000;
const LISTS = ["rooms", "tracks", "tags", "types", "codes", "teams", "notes"];
const CHAPTERS = Array.from({ length: 20 }, (_, at) => `chapter-${String.fromCharCode(97 + at)}`);

const linksTo = (folder: string, names: readonly string[]) =>
  names.map((name) => `<a href="/${folder}/${name}">${name}</a>`).join("");

/** Returns elements that all pages of one application have. */
const frame = (application: string) =>
  Array.from(
    { length: 20 },
    (_, at) => `<div class="${application}-part-${"abcdefghijklmnopqrst"[at]}"></div>`,
  ).join("");

/**
 * Returns a page with a list of the administration area. The lists differ only in the names of their columns and
 * filters.
 */
const list = (name: string) =>
  html(
    name,
    `<nav class="admin-menu">${linksTo("admin", LISTS)}</nav>${frame("admin")}<main class="admin-main">
     <table class="admin-rows"><tr><th>Column of ${name}</th><th>Owner of ${name}</th></tr></table>
     <form class="admin-filter"><input name="filter-${name}"><input name="state-${name}"></form></main>`,
  );

const chapter = (name: string) =>
  html(
    name,
    `<aside class="book-menu">${linksTo("manual", CHAPTERS)}</aside>${frame("book")}<article class="book-text"><h1>${name}</h1><p>Text.</p></article>`,
  );

let town: Town;
let site: ScriptedSite;

beforeAll(async () => {
  town = await Town.start();
  site = serveSite({
    "/": html("Start", `<a href="/admin/rooms">Administration</a><a href="/manual/chapter-a">Manual</a>`),
    ...Object.fromEntries(LISTS.map((name) => [`/admin/${name}`, list(name)])),
    ...Object.fromEntries(CHAPTERS.map((name) => [`/manual/${name}`, chapter(name)])),
  });
  await town.explore("first", site.url("/"), "two");
}, TIMEOUT);
afterAll(async () => {
  await site.stop();
  await town.stop();
});

test("lists in the menu of the administration are screens of their own, although most pages of the site do not link to them", async () => {
  // The cast is safe: the protocol of maps declares this type as the result of `screens`.
  const { screens } = (await town.ask("two", "screens", {})) as ScreenList;
  expect(screens.map(({ instances }) => instances).sort((a, b) => b - a)).toEqual([
    CHAPTERS.length,
    ...LISTS.map(() => 1),
    1,
  ]);
});
