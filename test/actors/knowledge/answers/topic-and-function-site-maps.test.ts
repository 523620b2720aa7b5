/**
 * Tests both kinds of site map, by topics and by functions, on typical sites: a manual, a shop with
 * breadcrumbs, an application with a single script.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Section } from "../../../../machines/knowledge/site-map/site-map-tree.ts";
import { html, type ScriptedSite, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { Town } from "../explorations-and-maps-with-memory-store.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

const town = await Town.start();
afterAll(() => town.stop());

interface Semantic {
  readonly pages: number;
  readonly sections: readonly Section[];
}

async function semantic(map: string, params: Readonly<Record<string, unknown>> = {}): Promise<Semantic> {
  const answer = await town.query(map, "sitemap_semantic", params);
  return answer.data as unknown as Semantic; // The cast is safe: this map query returns sections.
}

async function text(map: string, kind: "semantic" | "functional", params = {}): Promise<string> {
  const { data } = await town.query(map, `sitemap_${kind}`, { format: "text", ...params });
  return String(data?.text);
}

/** Returns the lines of a site map. `host` replaces the site's host and port, which differ in each run. */
function hosted(site: ScriptedSite, tree: string): readonly string[] {
  return tree.replaceAll(new URL(site.url("/")).host, "host").split("\n");
}

describe("the site map of a manual", () => {
  let site: ScriptedSite;
  beforeAll(async () => {
    const link = (path: string) => `<a href="${path}">${path}</a> `;
    const page = (title: string, body: string) => html(`${title} — Acme manual`, `<h1>${title}</h1>${body}`);
    site = serveSite({
      "/": page("Welcome", ["/guide/", "/api/string.html", "/api/list.html"].map(link).join("")),
      "/guide/": page(
        "The guide",
        `${["install.html", "first.html"].map(link).join("")}<h2>Where to begin</h2>`,
      ),
      "/guide/install.html": page("Installing", "<h2>On Linux</h2><h2>On other systems</h2>"),
      "/guide/first.html": page("First steps", ""),
      "/api/string.html": page("string", ""),
      "/api/list.html": page("list", ""),
    });
    await town.explore("manual-job", site.url("/"), "manual");
  });
  afterAll(() => site.stop());

  test("has the manual's folders as topics, with a description of each page", async () => {
    expect(hosted(site, await text("manual", "semantic"))).toEqual([
      "host (6 pages)",
      "├─ api (2 pages)  /api",
      "│  ├─ list  /api/list.html",
      "│  └─ string  /api/string.html",
      "├─ The guide (3 pages)  /guide",
      "│  ├─ First steps  /guide/first.html",
      "│  └─ Installing  /guide/install.html",
      "└─ Welcome  /",
    ]);
    const { sections } = await semantic("manual");
    const guide = sections[0]?.children.find(({ name }) => name === "The guide");
    expect(guide?.screens.map(({ title, topics }) => [title, topics])).toEqual([
      ["The guide", ["The guide", "Where to begin"]],
      ["First steps", ["First steps"]],
      ["Installing", ["Installing", "On Linux", "On other systems"]],
    ]);
  });

  test("is returned in parts on request", async () => {
    const { sections } = await semantic("manual", { section: site.url("/guide") });
    expect(sections.map(({ name, pages }) => [name, pages])).toEqual([["The guide", 3]]);
    expect(await town.query("manual", "sitemap_semantic", { section: "nowhere" })).toMatchObject({
      success: false,
      error: expect.stringContaining("nowhere"),
    });
    await expect(town.query("manual", "sitemap_semantic", { limit: 0 })).rejects.toMatchObject({
      code: "knowledge.invalid_params",
      status: 422,
    });
  });
});

describe("the site maps of a shop", () => {
  let site: ScriptedSite;
  beforeAll(async () => {
    const search =
      '<form action="/find"><label>What are you looking for? <input type="search" name="s"></label><button>Find</button></form>';
    const shown = (...crumbs: readonly (readonly [string, string])[]) =>
      `<nav aria-label="Breadcrumb"><ol>${crumbs.map(([name, to]) => `<li><a href="${to}">${name}</a></li>`).join("")}</ol></nav>`;
    const described = (...crumbs: readonly (readonly [string, string])[]) =>
      `<script type="application/ld+json">${JSON.stringify({
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        itemListElement: crumbs.map(([name, item], at) => ({
          "@type": "ListItem",
          position: at + 1,
          name,
          item,
        })),
      })}</script>`;
    const basket =
      '<button>Add to basket</button><select name="size" aria-label="Size"><option>40</option></select>';
    const links = ["/c/1", "/c/2", "/p/boot-a", "/p/boot-b", "/p/boot-c", "/signin"].map(
      (path) => `<a href="${path}">${path}</a> `,
    );
    const page = (title: string, body: string, head = "") =>
      html(`${title} | Shop`, `${search}<main><h1>${title}</h1>${body}</main>`, head);
    const home = ["Start", "/"] as const;
    site = serveSite({
      "/": page("Welcome", links.join("")),
      "/c/1": page("Footwear", shown(home)),
      "/c/2": page("Boots", shown(home, ["Footwear", "/c/1"])),
      "/p/boot-a": page("Boot A", shown(home, ["Footwear", "/c/1"], ["Boots", "/c/2"]) + basket),
      "/p/boot-b": page(
        "Boot B",
        basket,
        described(home, ["Footwear", "/c/1"], ["Boots", "/c/2"], ["Boot B", "/p/boot-b"]),
      ),
      "/p/boot-c": page(
        "Boot C",
        shown(home, ["Footwear", "/c/1"], ["Boots", "/c/2"], ["Boot C", "/p/boot-c"]) + basket,
      ),
      "/signin": page(
        "Sign in",
        '<form method="post" action="/signin"><input name="mail" aria-label="E-mail"><input type="password" name="word" aria-label="Password"><button>Go</button></form>',
      ),
    });
    await town.explore("store-job", site.url("/"), "store");
  });
  afterAll(() => site.stop());

  test("have the shop's breadcrumbs as topics, whether the breadcrumbs are visible or structured data", async () => {
    expect(hosted(site, await text("store", "semantic"))).toEqual([
      "host (7 pages)",
      "├─ Footwear (5 pages)  /c/1",
      "│  └─ Boots (4 pages)  /c/2",
      "│     ├─ Boot A  /p/boot-a",
      "│     ├─ Boot B  /p/boot-b",
      "│     └─ Boot C  /p/boot-c",
      "├─ Welcome  /",
      "└─ Sign in  /signin",
    ]);
  });

  test("list each function with the screens that offer it", async () => {
    expect(hosted(site, await text("store", "functional"))).toEqual([
      "Search",
      "└─ Search: What are you looking for?  on every screen",
      "Sign in",
      "└─ Sign in: E-mail, Password  on Sign in",
      "Choose",
      "└─ Size  on Boot",
      "Press",
      "├─ Find  on every screen",
      "├─ Add to basket  on Boot",
      "└─ Go  on Sign in",
    ]);
    const { data } = await town.query("store", "sitemap_functional", { kind: "press", limit: 1 });
    expect(data).toMatchObject({
      screens: 4,
      functions: 3,
      next_cursor: "1",
      groups: [{ kind: "press", functions: [{ name: "Find", screens: 4 }] }],
    });
    const rest = await town.query("store", "sitemap_functional", { kind: "press", cursor: "1" });
    expect(rest.data).toMatchObject({
      next_cursor: null,
      groups: [{ functions: [{ name: "Add to basket" }, { name: "Go" }] }],
    });
  });
});

describe("the site map of an application with a single script", () => {
  let site: ScriptedSite;
  beforeAll(async () => {
    const to = (...queries: readonly string[]) =>
      queries.map((query) => `<a href="/app.php?${query}">${query}</a> `).join("");
    const page = (title: string, body: string) => html(title, `<h1>${title}</h1>${body}`);
    site = serveSite({
      "/app.php": page("Desk", to("view=tickets", "view=people", "view=about")),
      "/app.php?view=tickets": page(
        "Tickets",
        to("view=tickets&id=1", "view=tickets&id=2", "view=tickets&id=3"),
      ),
      "/app.php?view=tickets&id=1": page("Broken lamp", ""),
      "/app.php?view=tickets&id=2": page("Late parcel", ""),
      "/app.php?view=tickets&id=3": page("Lost key", ""),
      "/app.php?view=people": page("People", to("view=people&name=ada", "view=people&name=bob")),
      "/app.php?view=people&name=ada": page("Ada", ""),
      "/app.php?view=people&name=bob": page("Bob", ""),
      "/app.php?view=about": page("About this desk", ""),
    });
    await town.explore("desk-job", site.url("/app.php"), "desk");
  });
  afterAll(() => site.stop());

  test("groups pages into topics by their common query parameters", async () => {
    expect(hosted(site, await text("desk", "semantic"))).toEqual([
      "host (9 pages)",
      "└─ Desk (9 pages)  /app.php",
      "   ├─ People (3 pages)  /app.php?view=people",
      "   │  ├─ Ada  /app.php?view=people&name=ada",
      "   │  └─ Bob  /app.php?view=people&name=bob",
      "   ├─ Tickets (4 pages)  /app.php?view=tickets",
      "   │  ├─ Broken lamp  /app.php?view=tickets&id=1",
      "   │  ├─ Late parcel  /app.php?view=tickets&id=2",
      "   │  └─ Lost key  /app.php?view=tickets&id=3",
      "   └─ About this desk  /app.php?view=about",
    ]);
  });
});
