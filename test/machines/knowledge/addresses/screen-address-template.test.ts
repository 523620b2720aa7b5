import { describe, expect, test } from "bun:test";
import {
  singular,
  templateParameters,
  templatesOf,
  templateText,
} from "../../../../machines/knowledge/addresses/screen-address-template.ts";
import { matchesPattern } from "../../../../machines/knowledge/addresses/screen-url-pattern.ts";

const on = (...paths: readonly string[]) => paths.map((path) => `https://a.example${path}`);

describe("the URL patterns of a screen", () => {
  const cases: readonly {
    name: string;
    of: readonly string[];
    text: string;
    matches: Readonly<Record<string, Readonly<Record<string, string>>>>;
    not: readonly string[];
  }[] = [
    {
      name: "name a number by the collection before it",
      of: ["/orders/17", "/orders/18"],
      text: "/orders/{order}",
      matches: { "/orders/999": { order: "999" }, "/orders/4/?page=2": { order: "4" } },
      not: ["/orders", "/orders/new", "/orders/17/edit", "/shop/orders/17"],
    },
    {
      name: "keep the literal parts behind a parameter",
      of: ["/topic/1/red/edit", "/topic/2/blue/edit"],
      text: "/topic/{topic}/{name}/edit",
      matches: { "/topic/8/green%20one/edit": { topic: "8", name: "green one" } },
      not: ["/topic/8/green/history"],
    },
    {
      name: "find query parameters in any order",
      of: ["/wiki?do=edit&id=start", "/wiki?do=edit&id=help"],
      text: "/wiki?do=edit&id={id}",
      matches: { "/wiki?id=new&do=edit": { id: "new" }, "/wiki?do=edit&x=1&id=a": { id: "a" } },
      not: ["/wiki?id=new&do=diff", "/wiki"],
    },
    {
      name: "leave out parameters with the address to return to",
      of: ["/orders/7/edit?next=%2Forders&version=1", "/orders/8/edit?next=%2F&version=2"],
      text: "/orders/{order}/edit?version={version}",
      matches: { "/orders/9/edit?version=4": { order: "9", version: "4" } },
      not: ["/orders/9/edit"],
    },
    {
      name: "know client routes",
      of: ["/#/items/1", "/#/items/2"],
      text: "/#/items/{item}",
      matches: { "/#/items/77": { item: "77" } },
      not: ["/#/items", "/items/1"],
    },
  ];
  for (const { name, of, text, matches, not } of cases) {
    test(name, () => {
      const templates = templatesOf(on(...of));
      const patterns = templates.map(({ pattern }) => pattern);
      const group = { url_patterns: patterns, templates: templates.map(({ template }) => template) };
      expect(templateText(on(...of))).toBe(text);
      for (const [path, parameters] of Object.entries(matches)) {
        const [url = ""] = on(path);
        expect([path, patterns.some((pattern) => matchesPattern(pattern, url))]).toEqual([path, true]);
        expect(templateParameters(group, url)).toEqual(parameters);
      }
      for (const path of not) {
        const [url = ""] = on(path);
        expect([path, patterns.some((pattern) => matchesPattern(pattern, url))]).toEqual([path, false]);
      }
    });
  }

  test("consist of one pattern for the exact address if the screen has only one page", () => {
    expect(templatesOf(on("/orders/17"))).toEqual([
      { pattern: "^https?://a\\.example/orders/17$", template: "/orders/17" },
    ]);
  });

  test("include one pattern for each depth of the addresses, the most frequent first", () => {
    expect(templatesOf(on("/docs/a", "/docs/b", "/docs/x/c")).map(({ template }) => template)).toEqual([
      "/docs/{doc}",
      "/docs/x/c",
    ]);
  });

  test("leave out a file extension that all addresses have", () => {
    expect(templatesOf(on("/a/os.html", "/b/re.html"))[0]).toEqual({
      pattern: "^https?://a\\.example/([^/?#]+)/([^/?#]+)\\.html/?(?:\\?[^#]*)?$",
      template: "/{name}/{name_2}.html",
    });
  });
});

test("a variable part of an address (/orders/17) is named by the singular of the collection before it (order)", () => {
  expect(["orders", "categories", "boxes", "news", "people", "status", "x"].map(singular)).toEqual([
    "order",
    "category",
    "box",
    "news",
    "person",
    "status",
    "x",
  ]);
});
