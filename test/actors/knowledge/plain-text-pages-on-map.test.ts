/** Tests plain texts of a site: they are documents of its map, found by search and by their addresses. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ScreenList } from "../../../machines/knowledge/knowledge-protocol.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

const CHAPTERS = ["start", "write", "publish", "theme"];

let town: Town;
let site: ScriptedSite;

beforeAll(async () => {
  const plain = (text: string) =>
    new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
  const links = CHAPTERS.map((name) => `<a href="/${name}">Chapter ${name}</a>`).join(" ");
  site = serveSite({
    "/": html("Manual", `<main><h1>Manual</h1>${links}</main>`),
    ...Object.fromEntries(
      CHAPTERS.flatMap((name) => [
        [
          `/${name}`,
          html(`About ${name}`, `<main><h1>${name}</h1><a href="/_sources/${name}.txt">Source</a></main>`),
        ],
        [`/_sources/${name}.txt`, plain(`${name}\n=====\n\nThe zebra-${name} directive of this chapter.`)],
      ]),
    ),
  });
  town = await Town.start();
  await town.explore("job", site.url("/"), "manual");
}, 60_000);
afterAll(async () => {
  await site.stop();
  await town.stop();
});

test("plain-text files are stored as documentation without actions, and not as screens of the application", async () => {
  // The cast is safe: the protocol of maps declares this type as the result of `screens`.
  const { screens, statistics } = (await town.ask("manual", "screens", {})) as ScreenList;
  const texts = screens.filter(({ url }) => url.endsWith(".txt"));
  expect(texts.map(({ name, content_type }) => [name, content_type]).sort()).toEqual(
    CHAPTERS.map((name) => [`${name}.txt`, "documentation"]).sort(),
  );
  expect(statistics).toMatchObject({
    documentation_screens: CHAPTERS.length,
    non_actionable_screens: CHAPTERS.length,
  });
  const recognised = await town.agent("manual", "find_screen", "", {
    current_url: site.url("/_sources/unknown.txt"),
    dom_summary: "unknown",
  });
  expect(recognised.success).toBe(false);
});

test("a plain-text page is found by search, and an agent gets a route to its address", async () => {
  const found = await town.query("manual", "search", { query: "zebra-write directive" });
  const target = site.url("/_sources/write.txt");
  expect(found.data?.results).toContainEqual(expect.objectContaining({ kind: "page", url: target }));
  const answer = await town.agent("manual", "navigate_to_screen", target, {
    current_url: site.url("/write"),
  });
  expect(answer.success).toBe(true);
  expect(answer.actions.map(({ parameters }) => parameters)).toMatchObject([{ url: target }]);
});
