import { describe, expect, test } from "bun:test";
import type { AtlasScreen } from "../../../../machines/knowledge/in-memory-map.ts";
import { semanticText } from "../../../../machines/knowledge/site-map/site-map-text.ts";
import { type Section, semanticSitemap } from "../../../../machines/knowledge/site-map/site-map-tree.ts";

function screen(url: string, fields: Partial<AtlasScreen> = {}): AtlasScreen {
  return {
    screen_id: url,
    website_id: "a",
    name: `Page ${url}`,
    url,
    content_type: "web_ui",
    is_actionable: true,
    url_patterns: [],
    trail: "",
    ...fields,
  };
}

const on =
  (origin: string) =>
  (path: string, fields: Partial<AtlasScreen> = {}) =>
    screen(origin + path, fields);
const everything = { limit: 10_000, skip: 0 };

/** A section of the site map as nested lists: `[name, URLs of its pages, its sections]`. */
type Drawn = readonly [string, readonly string[], readonly Drawn[]];
function draw({ name, screens, children }: Section): Drawn {
  return [name, screens.map(({ url }) => url.replace(/^https?:\/\/[^/]+/, "")), children.map(draw)];
}
function drawn(screens: readonly AtlasScreen[]): readonly Drawn[] {
  return (semanticSitemap(screens, everything)?.sections ?? []).map(draw);
}

describe("the semantic site map (pages by topic)", () => {
  test("has the folders of a manual, and each section is named after its own page", () => {
    const page = on("https://docs.example");
    expect(
      drawn([
        page("/en/latest/"),
        page("/en/latest/library/os.html"),
        page("/en/latest/library/sys.html"),
        page("/en/latest/library/", { name: "The Library" }),
        page("/en/latest/tutorial/index.html", { name: "The Tutorial" }),
        page("/en/latest/tutorial/first.html"),
        page("/en/latest/tutorial/second.html"),
        page("/en/latest/license.html"),
        page("/en/latest/%E6%B3%A8/a"),
        page("/en/latest/%E6%B3%A8/b"),
      ]),
    ).toEqual([
      [
        "docs.example",
        [],
        [
          [
            "Page https://docs.example/en/latest/",
            ["/en/latest/", "/en/latest/license.html"],
            [
              ["注", ["/en/latest/%E6%B3%A8/a", "/en/latest/%E6%B3%A8/b"], []],
              [
                "The Library",
                ["/en/latest/library/", "/en/latest/library/os.html", "/en/latest/library/sys.html"],
                [],
              ],
              [
                "The Tutorial",
                [
                  "/en/latest/tutorial/index.html",
                  "/en/latest/tutorial/first.html",
                  "/en/latest/tutorial/second.html",
                ],
                [],
              ],
            ],
          ],
        ],
      ],
    ]);
  });

  test("follows the breadcrumbs of a shop, whatever the addresses are", () => {
    const page = on("https://shop.example");
    const trail = (...crumbs: readonly (readonly [string, string | null])[]) =>
      JSON.stringify(crumbs.map(([name, path]) => ({ name, url: path && `https://shop.example${path}` })));
    const home = ["Home", "/"] as const;
    const shoes = ["Shoes", "/c/17"] as const;
    expect(
      drawn([
        page("/"),
        page("/p/901-boot", { trail: trail(home, shoes, ["Boots", "/c/18"]) }),
        page("/p/902-boot", { trail: trail(home, shoes, ["Boots", "/c/18"]) }),
        page("/p/903-sandal", { trail: trail(home, shoes) }),
        page("/c/17", { name: "All shoes", trail: trail(home) }),
        page("/c/18", { name: "Boots", trail: trail(home, shoes) }),
        page("/p/904-hat", { trail: trail(home, ["Hats and caps", null]) }),
        page("/p/905-cap", { trail: trail(home, ["Hats and caps", null]) }),
        page("/cart"),
      ]),
    ).toEqual([
      [
        "shop.example",
        ["/", "/cart"],
        [
          ["All shoes", ["/c/17", "/p/903-sandal"], [["Boots", ["/c/18", "/p/901-boot", "/p/902-boot"], []]]],
          ["Hats and caps", ["/p/904-hat", "/p/905-cap"], []],
        ],
      ],
    ]);
  });

  test("groups the pages of an application with a single script by the query parameters that they share", () => {
    const page = on("https://app.example");
    expect(
      drawn([
        page("/index.php"),
        page("/index.php?lang=en&view=orders", { name: "Orders" }),
        page("/index.php?view=orders&id=1&lang=en"),
        page("/index.php?lang=en&view=orders&id=2"),
        page("/index.php?lang=en&view=users&id=7"),
        page("/index.php?lang=en&view=users&id=8"),
        page("/index.php?lang=en&view=help"),
      ]),
    ).toEqual([
      [
        "app.example",
        [],
        [
          [
            "Page https://app.example/index.php",
            ["/index.php", "/index.php?lang=en&view=help"],
            [
              [
                "Orders",
                [
                  "/index.php?lang=en&view=orders",
                  "/index.php?lang=en&view=orders&id=2",
                  "/index.php?view=orders&id=1&lang=en",
                ],
                [],
              ],
              ["users", ["/index.php?lang=en&view=users&id=7", "/index.php?lang=en&view=users&id=8"], []],
            ],
          ],
        ],
      ],
    ]);
  });

  test("contains every page once, whatever the addresses are, and counts them", () => {
    const urls = [
      "http://a.example/",
      "http://a.example/x",
      "http://a.example/x/",
      "http://a.example/x?y=1",
      "http://a.example/x?y=1&y=2",
      "http://a.example/?p=2",
      "http://a.example/?p=3",
      "http://a.example/a%2Fb/%ZZ",
      "https://a.example/",
      "http://b.example:8080/deep/er/and/deeper",
    ];
    const sitemap = semanticSitemap(
      urls.map((url) => screen(url)),
      everything,
    );
    expect([...(sitemap?.screenIds ?? [])].sort()).toEqual([...urls].sort());
    expect(sitemap?.pages).toBe(urls.length);
    expect(sitemap?.sections.reduce((sum, { pages }) => sum + pages, 0)).toBe(urls.length);
    expect(sitemap?.next).toBeNull();
  });

  test("lists sections before pages for a large site, and returns the omitted pages on request", () => {
    const page = on("https://large.example");
    const screens = Array.from({ length: 300 }, (_, n) => page(`/part-${n % 3}/page-${n}`));
    const first = semanticSitemap(screens, { limit: 50, skip: 0 });
    const [site] = first?.sections ?? [];
    expect(site).toMatchObject({
      pages: 300,
      more: 254,
      children: [{ pages: 100 }, { pages: 100 }, { pages: 100 }],
    });
    expect(first?.screenIds).toHaveLength(46);
    const seen = new Set<string>();
    for (const { path } of site?.children ?? []) {
      for (let skip: number | null = 0; skip !== null; ) {
        const part: ReturnType<typeof semanticSitemap> = semanticSitemap(screens, {
          section: path,
          limit: 30,
          skip,
        });
        for (const id of part?.screenIds ?? []) seen.add(id);
        expect(part?.screenIds.length).toBeLessThanOrEqual(30);
        skip = part?.next ?? null;
      }
    }
    expect(seen.size).toBe(300);
    expect(
      semanticSitemap(screens, { section: "https://large.example/no", limit: 9, skip: 0 }),
    ).toBeUndefined();
    expect(semanticSitemap(screens, { max_depth: 1, limit: 99, skip: 0 })?.sections).toMatchObject([
      { children: [], more: 300 },
    ]);
  });

  test("is also available as text", () => {
    const page = on("https://docs.example");
    const sitemap = semanticSitemap(
      [
        page("/", { name: "Docs" }),
        page("/guide/", { name: "The\n guide" }),
        page("/guide/start", { name: "Start" }),
        page("/guide/end", { name: "End" }),
      ],
      { limit: 4, skip: 0 },
    );
    expect(semanticText(sitemap?.sections ?? [])).toBe(
      [
        "docs.example (4 pages)",
        "├─ The guide (3 pages)  /guide",
        "│  └─ … 2 more; ask for section https://docs.example/guide",
        "└─ Docs  /",
      ].join("\n"),
    );
  });
});
