import { expect, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { Atlas, type AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";

function screen(screen_id: string, url: string): AtlasScreen {
  return {
    screen_id,
    website_id: "w",
    name: url,
    url,
    content_type: "web_ui",
    is_actionable: true,
    url_patterns: [],
    trail: "",
  };
}

function atlas(...urls: readonly string[]): Atlas {
  const made = new Atlas();
  made.change({
    screens: urls.map((url) => screen(screenIdOf(urlKey(url)), url)),
    transitions: [],
    redirects: [],
  });
  return made;
}

test("a map finds the screen of a client-side route (`#/…`) even if the route's query names a position on the page", () => {
  const app = atlas("https://a.test/", "https://a.test/#/guide", "https://a.test/#/list?page=2");
  const at = (url: string) => app.byUrl(url)?.url;
  expect(at("https://a.test/#/guide?id=set-up")).toBe("https://a.test/#/guide");
  expect(at("https://a.test/#/?id=welcome")).toBe("https://a.test/");
  expect(at("https://a.test/#/list?page=2")).toBe("https://a.test/#/list?page=2");
  expect(at("https://a.test/#/list?page=3")).toBeUndefined();
  expect(at("https://a.test/search?q=x")).toBeUndefined();
});

test("a document is found by the URL that redirects to it", () => {
  const [manual, latest] = ["https://a.test/manual.txt", "https://a.test/latest"];
  const made = new Atlas();
  const id = screenIdOf(urlKey(manual));
  made.change({
    screens: [{ ...screen(id, manual), content_type: "documentation", is_actionable: false }],
    redirects: [{ from: screenIdOf(urlKey(latest)), to: id }],
  });
  expect([manual, latest].map((url) => made.documentAt(url)?.url)).toEqual([manual, manual]);
  expect(made.documentAt("https://a.test/other")).toBeUndefined();
});

test("a screen whose page is later read as a document is no longer found by its name, and no route leads to it", () => {
  const [start, notes] = ["https://a.test/", "https://a.test/notes"].map((url) => screen(urlKey(url), url));
  if (!start || !notes) throw new Error("two screens are needed");
  const made = new Atlas();
  made.change({
    screens: [start, { ...notes, name: "Release notes" }],
    transitions: [{ from: start.screen_id, to: [notes.screen_id] }],
  });
  const found = () => [
    made.names.named("Release notes"),
    made.routes.route(start.screen_id, notes.screen_id)?.length,
  ];
  expect(found()).toEqual([[notes.screen_id], 1]);
  const text = {
    ...notes,
    name: "Release notes",
    content_type: "documentation",
    is_actionable: false,
  } as const;
  made.change({ screens: [text] });
  expect(found()).toEqual([[], undefined]);
  made.change({ names: [{ screen_id: notes.screen_id, name: "Release notes" }] });
  expect(found()).toEqual([[], undefined]);
  expect(made.get(notes.screen_id)?.name).toBe("Release notes");
});

test("a route from an open tab panel prefers transitions seen in the panel to transitions of the whole page", () => {
  const atlas = new Atlas();
  const ids = ["page", "page~tab", "page~tab~dialog", "page~leaf", "other"];
  atlas.change({
    screens: ids.map((id) => screen(id, "https://a.test/page")),
    transitions: [
      { from: "page~tab~dialog", to: ["page~tab"] },
      { from: "page", to: ["other", "page~tab"] },
      { from: "page~tab", to: ["page~tab~dialog"] },
    ],
  });
  const way = (from: string, to: string) => atlas.routes.route(from, to)?.map((hop) => hop.to);
  expect(way("page~tab", "other")).toEqual(["other"]);
  expect(way("page~tab~dialog", "other")).toEqual(["other"]);
  expect(way("page~leaf", "page~tab~dialog")).toEqual(["page~tab", "page~tab~dialog"]);
  expect([atlas.storedFrom("page~tab", "other"), atlas.storedFrom("page~tab", "page~tab~dialog")]).toEqual([
    "page",
    "page~tab",
  ]);
  expect(atlas.ownTransitions("page~tab").map(({ via }) => via)).toEqual(["page~tab~dialog"]);
  atlas.change({ transitions: [{ from: "page", to: ["page~tab"] }] });
  expect(way("page~tab", "other")).toBeUndefined();
});

test("a route whose link is missing in a tab panel leaves the panel, and any dialog over it, before it clicks the link", () => {
  const atlas = new Atlas();
  const ids = ["page", "page~about", "page~about~hours", "page~menu", "film", "home"];
  atlas.change({
    screens: ids.map((id) => screen(id, "https://a.test/page")),
    transitions: [
      { from: "page", to: ["film", "home", "page~about"] },
      { from: "page~about~hours", to: ["page~about"] },
      { from: "page~menu", to: ["page"] },
    ],
  });
  const way = (from: string) => atlas.routes.route(from, "film")?.map((hop) => hop.to);
  expect(way("page~about")).toEqual(["film"]);
  expect(way("page~about~hours")).toEqual(["film"]);
  atlas.change({ transitions: [{ from: "page~about", to: ["home"] }] });
  // After this change, the map does not know how to leave the panel "about". So the route clicks the link "film"
  // directly.
  expect(way("page~about")).toEqual(["film"]);
  atlas.change({ transitions: [{ from: "page~about", to: ["home", "page"] }] });
  expect(way("page~about")).toEqual(["page", "film"]);
  expect(way("page~about~hours")).toEqual(["page~about", "page", "film"]);
  // The links that the menu shows were not read. So the map does not know whether the link "film" is missing there,
  // and the route clicks it directly.
  expect(way("page~menu")).toEqual(["film"]);
});

test("a route that avoids a transition of a page also avoids it in the states of the page (tabs, dialogs), which have the same transition", () => {
  const atlas = new Atlas();
  const ids = ["page", "page~tab", "page~leaf", "other"];
  atlas.change({
    screens: ids.map((id) => screen(id, "https://a.test/page")),
    transitions: [
      { from: "page", to: ["other", "page~tab", "page~leaf"] },
      { from: "page~leaf", to: ["other"] },
    ],
  });
  expect(atlas.inheriting("page", "other")).toEqual(["page~tab"]);
  const hidden = atlas.routes.avoiding(
    ["page", ...atlas.inheriting("page", "other")].map((from) => [from, "other"] as const),
  );
  const way = (from: string, avoid: readonly (readonly [string, string])[] = []) =>
    atlas.routes.route(from, "other", avoid, hidden)?.map((hop) => hop.to);
  expect(way("page~tab")).toEqual(["page~leaf", "other"]);
  const toLeaf = ["page", "page~tab"].map((from) => [from, "page~leaf"] as const);
  expect(way("page", toLeaf)).toBeUndefined();
  // The previous call of `way` had to avoid a transition. This call has no such limit, so its route uses that
  // transition again.
  expect(way("page")).toEqual(["page~leaf", "other"]);
});
