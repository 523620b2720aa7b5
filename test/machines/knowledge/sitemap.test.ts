import { expect, test } from "bun:test";
import type { AtlasScreen } from "../../../machines/knowledge/atlas.ts";
import { functionalSitemap, semanticSitemap } from "../../../machines/knowledge/sitemap.ts";

function screen(url: string): AtlasScreen {
  return {
    screen_id: url,
    website_id: "a",
    name: url,
    url,
    content_type: "web_ui",
    is_actionable: true,
    url_patterns: [],
  };
}

test("the semantic site map is the tree of the URLs' paths, with every page in it once", () => {
  const sections = semanticSitemap(
    [
      "https://a.example/",
      "https://a.example/docs/%E6%B3%A8",
      "https://a.example/docs/",
      "https://a.example/p?x=1",
      "https://a.example/p?x=2",
      "http://b.example/",
    ].map(screen),
  );
  expect(sections.map(({ name, pages }) => [name, pages])).toEqual([
    ["b.example", 1],
    ["a.example", 5],
  ]);
  const top = sections[1];
  expect(top?.screens.map(({ url }) => url)).toEqual(["https://a.example/"]);
  expect(top?.children.map(({ name, pages }) => [name, pages])).toEqual([
    ["docs", 2],
    ["p", 2],
  ]);
  expect(top?.children[0]?.children[0]?.name).toBe("注");
});

test("the functional site map lists each function once, forms first, with the screens that offer it", () => {
  const action = (action_type: string, name: string) => ({
    id: ["m", name] as const,
    knowledge_id: "m",
    action_id: name,
    action_type,
    name,
    target: "",
  });
  const functions = functionalSitemap([
    { screen_id: "a", actions: [action("click", "Help"), action("input", "Search")] },
    { screen_id: "b", actions: [action("click", "Help"), action("submit_form", "Form with q")] },
  ]);
  expect(functions).toEqual([
    {
      name: "Form with q",
      action_type: "submit_form",
      tool_name: "submit_form",
      screens: 1,
      screen_ids: ["b"],
    },
    { name: "Search", action_type: "input", tool_name: "input", screens: 1, screen_ids: ["a"] },
    { name: "Help", action_type: "click", tool_name: "click", screens: 2, screen_ids: ["a", "b"] },
  ]);
});
