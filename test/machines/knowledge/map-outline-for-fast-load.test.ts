/** Tests the outline of a map: a compact copy from which a large map is loaded. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Atlas, type AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { atlasOf, outlineOf } from "../../../machines/knowledge/map-outline-for-fast-load.ts";

function screen(id: string, fields: Partial<AtlasScreen> = {}): AtlasScreen {
  return {
    screen_id: id,
    website_id: "w",
    name: `Screen ${id}`,
    url: `https://a.example/${id}`,
    content_type: "web_ui",
    is_actionable: true,
    url_patterns: [`^https?://a\\.example/${id}$`],
    trail: "",
    ...fields,
  };
}

/**
 * Returns the answers of a map in memory to every kind of query about the given screen ids. The test compares
 * the answers of two maps.
 */
function answers(atlas: Atlas, ids: readonly string[]): unknown {
  return {
    screens: [...atlas.screens()].sort((a, b) => (a.screen_id < b.screen_id ? -1 : 1)),
    routes: ids.flatMap((from) => ids.map((to) => atlas.routes.route(from, to) ?? null)),
    resolved: ids.map((id) => atlas.routes.resolve(id) ?? null),
    found: ids.map((id) => atlas.names.search(`Screen ${id}`, 3)),
    candidates: ids.map((id) => atlas.candidates({ url: `https://a.example/${id}` })),
  };
}

test("a map that is restored from its outline (a compact copy) has the same screens, redirects, dead ends and documents", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const id = fc.constantFrom(...ids);
  fc.assert(
    fc.property(
      fc.uniqueArray(id),
      fc.uniqueArray(fc.record({ from: id, to: fc.uniqueArray(id) }), { selector: ({ from }) => from }),
      fc.record({ from: id, to: id }),
      (screens, transitions, redirect) => {
        const atlas = new Atlas();
        const document = screen("z", {
          content_type: "documentation",
          is_actionable: false,
          url_patterns: [],
        });
        atlas.change({
          screens: [...screens.map((name) => screen(name)), document],
          transitions: transitions.filter(({ from }) => screens.includes(from)),
          redirects: screens.includes(redirect.from) ? [] : [redirect],
        });
        const again = atlasOf(outlineOf(atlas, 3));
        expect(answers(again, [...ids, "z"])).toEqual(answers(atlas, [...ids, "z"]));
        expect(again.weight).toBe(atlas.weight);
      },
    ),
  );
});

test("the outline (compact copy) of a large map is stored in several parts", () => {
  const atlas = new Atlas();
  const ids = Array.from({ length: 2 * knowledgeLimits.outlinePart + 1 }, (_, n) => `s${n}`);
  atlas.change({
    screens: ids.map((id) => screen(id)),
    transitions: ids.map((from, n) => ({ from, to: [ids[n + 1] ?? "s0"] })),
  });
  const outline = outlineOf(atlas, 7);
  expect(outline).toMatchObject({ version: 7, parts: { length: 4 } });
  expect(atlasOf(outline).routes.route("s0", `s${ids.length - 1}`)).toHaveLength(ids.length - 1);
});
