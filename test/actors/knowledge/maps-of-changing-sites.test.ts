/** Tests a map over time: sites that change, unusual sites, deletion of maps, and interrupted ingests. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";
import { shop } from "./shop-test-site.ts";

setDefaultTimeout(60_000);

describe("a map that changes", () => {
  let town: Town;
  beforeAll(async () => {
    town = await Town.start();
  });
  afterAll(() => town.stop());

  test.if(isFull)("replaces the old actions of a page by its current ones", async () => {
    const site = serveSite({
      "/": html("A", '<a href="/b">B</a><button id="x">Old button</button>'),
      "/b": html("B", "antelope"),
      "/c": html("C", ""),
    });
    await town.explore("first", site.url("/"), "changing");
    const home = screenIdOf(urlKey(site.url("/")));
    const actions = async () =>
      (await town.agent("changing", "get_actions", home)).actions
        .map(({ description }) => description)
        .sort();
    expect(await actions()).toEqual(['Click "B" to go to B', 'Click "Old button"']);
    site.routes.set("/", html("A", '<a href="/c">C</a><button id="x">New button</button>'));
    site.routes.set("/b", html("B", "buffalo"));
    await town.explore("second", site.url("/"), "changing");
    expect(await actions()).toEqual(['Click "C" to go to C', 'Click "New button"']);
    const route = await town.agent("changing", "navigate_to_screen", "B", { current_screen_id: home });
    expect(route.actions.map(({ tool_name }) => tool_name)).toEqual(["navigate"]);
    await site.stop();
  });

  test.if(isFull)("answers a query for a route with the new links after a page has changed", async () => {
    const site = serveSite({
      "/": html("A", '<a href="/b">To B</a>'),
      "/b": html("B", '<a href="/c">To C</a>'),
      "/c": html("C", ""),
    });
    await town.explore("then", site.url("/"), "way");
    const clicks = async () => {
      const { actions } = await town.agent("way", "navigate_to_screen", "C", {
        current_url: site.url("/"),
      });
      return actions.map(({ parameters }) => parameters.text);
    };
    expect(await clicks()).toEqual(["To B", "To C"]);
    expect(await clicks()).toEqual(["To B", "To C"]);
    site.routes.set("/b", html("B", '<a href="/c">Onwards</a>'));
    await town.explore("now", site.url("/"), "way");
    expect(await clicks()).toEqual(["To B", "Onwards"]);
    await site.stop();
  });

  test.if(isFull)(
    "contains a site's pages without titles, in other writing systems, and with addresses that differ only in the query",
    async () => {
      const site = serveSite({
        "/": '<a href="?p=2">zwei</a>',
        "/?p=2": '<title></title><h1>注文一覧</h1><a href="/">Übersicht</a><a href="%E6%B3%A8">注</a>',
        "/%E6%B3%A8": "<p>終</p>",
      });
      const { progress } = await town.explore("odd", site.url("/"), "odd");
      expect(progress).toMatchObject({ completed: 3, searchable: 3 });
      const answer = await town.agent("odd", "navigate_to_screen", "注文一覧", {
        current_url: site.url("/%E6%B3%A8"),
      });
      expect(answer.actions).toMatchObject([
        { tool_name: "navigate", parameters: { url: site.url("/?p=2") } },
      ]);
      const back = await town.agent("odd", "navigate_to_screen", site.url("/"), {
        current_url: site.url("/?p=2"),
      });
      expect(back.actions).toMatchObject([{ tool_name: "click", parameters: { text: "Übersicht" } }]);
      await site.stop();
    },
  );

  test("leaves no data behind when it is deleted, and its id can be used again", async () => {
    const site = shop();
    await town.explore("doomed", site.url("/"), "doomed");
    await town.delete("doomed");
    await expect(town.agent("doomed", "find_screen", "x")).rejects.toMatchObject({
      code: "knowledge.not_found",
    });
    await until(async () => !(await town.mapStatus("doomed")).deleting);
    expect(await town.store.maps.get("doomed")).toBeUndefined();
    await town.explore("again", site.url("/"), "doomed", { max_depth: 1 });
    const found = await town.agent("doomed", "find_screen", "Help");
    expect(found.success).toBe(true);
    const unread = await town.agent("doomed", "find_screen", site.url("/deep"));
    expect([unread.metadata.unread, unread.expected_result.screen_id]).toEqual([true, null]);
    await site.stop();
  });

  test.if(isFull)("loses and duplicates no row although its ingest is interrupted repeatedly", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [
        `/p${n}`,
        html(
          `Page ${n} | Cut`,
          `<h1>Page ${n}</h1><a href="/p${2 * n + 1}">left</a> <a href="/p${2 * n + 2}">right</a>`,
        ),
      ]),
    );
    const site = serveSite(pages);
    await town.begin("cut", site.url("/p0"), "cut");
    for (let round = 0; round < 8; round++) {
      await Bun.sleep(40 + 17 * round);
      await town.restart();
    }
    const { progress } = await town.completed("cut", "cut");
    expect(progress).toMatchObject({ completed: 120, searchable: 120 });
    const { sections } = (await town.query("cut", "sitemap_semantic")).data as {
      sections: { pages: number }[];
    };
    expect(sections.map((section) => section.pages)).toEqual([120]);
    expect(await town.store.ingest.counts("cut")).toEqual({ map: 0, index: 0 });
    const way = await town.agent("cut", "navigate_to_screen", site.url("/p117"), {
      current_url: site.url("/p0"),
    });
    expect(way.metadata.steps).toBe(6);
    expect(way.actions.at(-1)?.description).toBe('Click "left" to go to Page 117');
    await site.stop();
  });
});
