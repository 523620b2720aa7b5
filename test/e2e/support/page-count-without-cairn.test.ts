/**
 * Tests the program that counts pages and links independently of Cairn, by comparison with a second parser
 * and on a site whose links are known.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "cheerio";
import { serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { scanMarkup } from "./independent-html-scanner.ts";
import { clicksBetween, countReachable, keyOf } from "./page-count-without-cairn.ts";
import { pythonManual } from "./python-manual-site.ts";

test.if(isFull)(
  "the page scanner with which tests count links finds the same links and title as a complete HTML parser",
  async () => {
    const folder = join(await pythonManual(), "howto");
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".html"))) {
      const html = readFileSync(join(folder, name), "utf8");
      const $ = load(html);
      const scanned = scanMarkup(html);
      expect(scanned.hrefs).toEqual(
        $("a[href], area[href]")
          .map((_, link) => $(link).attr("href"))
          .get(),
      );
      expect(scanned.title).toBe($("title").first().text().trim());
    }
  },
  120_000,
);

test("the page scanner with which tests count links ignores links in comments, scripts and templates", () => {
  const { hrefs } = scanMarkup(`<a href='/a?x=1&amp;y=2'>a</a><!-- <a href="/no">no</a> --><A HREF=/b>b</A>
    <script>document.write('<a href="/no">no</a>')</script><a title="1 > 0" href="/c&#x41;">c</a><abbr href="/no">`);
  expect(hrefs).toEqual(["/a?x=1&y=2", "/b", "/cA"]);
});

test("the crawl with which tests count pages follows links within the site and depth, and counts each page once", async () => {
  const site = serveSite({
    "/": '<a href="a/#top"></a><a href="./a?utm_source=x"></a><a href="https://elsewhere.example/b"></a>',
    "/a/": '<a href="b"></a>',
    "/a/b": '<a href="/"></a><a href="/missing"></a><a href="c"></a>',
    "/a/c": '<a href="d"></a>',
    "/a/d": "",
  });
  const count = await countReachable(site.url("/"), 3);
  await site.stop();
  const key = (path: string) => keyOf(site.url(path));
  expect([...count.pages]).toEqual([
    [key("/"), 0],
    [key("/a"), 1],
    [key("/a/b"), 2],
    [key("/a/c"), 3],
  ]);
  expect([...count.failed]).toEqual([key("/missing")]);
  expect([...count.external]).toEqual([`${key("/")} https://elsewhere.example/b`]);
  expect(count.internal.size).toBe(6);
  expect(clicksBetween(count, key("/"), key("/a/c"))).toBe(3);
  expect(clicksBetween(count, key("/a/c"), key("/"))).toBeUndefined();
});
