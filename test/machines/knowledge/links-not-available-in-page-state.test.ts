/**
 * Tests which links a state of a page lacks, for example while another tab is open. If one link is known to be
 * missing, links to similar pages are taken as missing too.
 */
import { expect, test } from "bun:test";
import { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import { missingLinks } from "../../../machines/knowledge/links-not-available-in-page-state.ts";
import type { Pair } from "../../../machines/knowledge/transitions/shortest-route.ts";

const FILMS = ["film-1", "film-2", "film-3"];

function library(): Atlas {
  const atlas = new Atlas();
  const about = { website_id: "w", url: "https://a.test/", url_patterns: [] };
  atlas.change({
    screens: ["page", "page~songs", "page~cast", "other", ...FILMS].map((screen_id) => ({
      ...about,
      screen_id,
      name: screen_id,
      content_type: "web_ui" as const,
      is_actionable: true,
      trail: "",
    })),
    groups: [{ ...about, screen_id: "film", name: "Film", example: "film-1", templates: [], aliases: [] }],
    memberships: FILMS.map((instance) => ({ instance, group: "film" })),
    transitions: [
      { from: "page", to: ["film-1", "film-2", "film-2#menu", "other", "page~songs"] },
      { from: "page~songs", to: ["film-3", "page"] },
    ],
  });
  return atlas;
}

test("if a link of a page is missing in a tab panel, the page's links to similar pages count as missing there too", () => {
  const atlas = library();
  const missing = missingLinks(atlas, [["page~songs", "film-1"]]);
  expect(missing).toEqual([
    ["page~songs", "film-1"],
    ["page~songs", "film-2"],
    ["page~songs", "film-2#menu"],
  ]);
  const way = (avoid: readonly Pair[]) =>
    atlas.routes.routeToNearest("page~cast", FILMS, avoid)?.map(({ to }) => to);
  expect(way([["page~cast", "film-1"]])).toEqual(["film-2"]);
  expect(way(missingLinks(atlas, [["page~cast", "film-1"]]))).toEqual(["page~songs", "film-3"]);
});

test.each([
  ["the page is in no tab", ["page", "film-1"]],
  ["the tab's panel has shown the failed link", ["page~songs", "film-3"]],
  ["no page is similar to the link's target", ["page~songs", "other"]],
  ["the map does not have the page", ["unknown", "film-1"]],
] satisfies readonly [string, Pair][])(
  "a failed link makes no other links count as missing if %s",
  (_, failed) => {
    expect(missingLinks(library(), [failed])).toEqual([]);
  },
);
