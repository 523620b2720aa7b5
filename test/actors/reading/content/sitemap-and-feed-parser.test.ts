import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { readListing } from "../../../../actors/reading/content/sitemap-and-feed-parser.ts";
import { createReader, type Reader } from "../../../../actors/reading/index.ts";
import { readingLimits } from "../../../../machines/reading/page-reading-limits.ts";
import { destinations } from "../../../sites/egress-policy-for-tests.ts";
import { html, type ScriptedSite, serveSite } from "../../../sites/test-site-with-given-routes.ts";

const at = "http://e.com/sitemap.xml";

describe("reading a list of URLs", () => {
  test("from a sitemap gives its valid URLs in order, without duplicates", () => {
    const { pages, sitemaps } = readListing(
      `\ufeff<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
       <url><loc> http://e.com/a?x=1&amp;y=2 </loc><lastmod>2020-01-01</lastmod>
         <image:image><image:loc>http://e.com/a.png</image:loc></image:image></url>
       <url><loc><![CDATA[http://e.com/b]]></loc></url><url><loc>/c</loc></url>
       <url><loc>http://e.com/b#x</loc></url><url><loc>mailto:a@e.com</loc></url><url></url></urlset>`,
      at,
    );
    expect(pages).toEqual(["http://e.com/a?x=1&y=2", "http://e.com/b", "http://e.com/c"]);
    expect(sitemaps).toEqual([]);
  });

  test("from a sitemap index gives the further sitemaps, even with a namespace prefix", () => {
    const index = "<s:sitemapindex><s:sitemap><s:loc>http://e.com/1.xml</s:loc></s:sitemap></s:sitemapindex>";
    expect(readListing(index, at)).toEqual({ pages: [], sitemaps: ["http://e.com/1.xml"] });
  });

  test("from plain text gives one URL for each line", () => {
    expect(readListing("# pages\r\nhttp://e.com/a\nnonsense\nhttps://e.com/b\n", at).pages).toEqual([
      "http://e.com/a",
      "https://e.com/b",
    ]);
  });

  test("from RSS, RDF and Atom gives the items, and not the feed's own URL", () => {
    const rss =
      "<rss><channel><link>http://e.com/</link><item><title>A</title><link>http://e.com/a</link></item></channel></rss>";
    expect(readListing(rss, at).pages).toEqual(["http://e.com/a"]);
    const atom =
      '<feed><link rel="self" href="/feed"/><entry><link href="/a"/><link rel="edit" href="/edit"/>' +
      '<content type="xhtml"><p>text</p></content></entry><entry><link rel="alternate" href="/b"/></entry></feed>';
    expect(readListing(atom, at).pages).toEqual(["http://e.com/a", "http://e.com/b"]);
  });

  test("from an invalid file gives its readable URLs, up to the limit", () => {
    expect(readListing("<urlset><url><loc>http://e.com/a</loc><url><loc>http://e.com/b", at).pages).toContain(
      "http://e.com/a",
    );
    expect(readListing("<html><p>no list</p></html>", at)).toEqual({ pages: [], sitemaps: [] });
    const many = Array.from({ length: readingLimits.listedPages + 5 }, (_, n) => `http://e.com/${n}`);
    expect(readListing(many.join("\n"), at).pages).toHaveLength(readingLimits.listedPages);
  });
});

describe("fetching a sitemap or feed", () => {
  let site: ScriptedSite;
  let reader: Reader;
  const xml = "<urlset><url><loc>/page</loc></url></urlset>";
  const read = (path: string) =>
    reader.readListing(site.url(path), {
      signal: new AbortController().signal,
      inScope: () => true,
      respectRobots: true,
    });

  beforeAll(() => {
    reader = createReader({ userAgent: "Cairn/test", destinations });
    site = serveSite({
      "/robots.txt": new Response(
        "Sitemap: /one.xml\nUser-agent: *\nDisallow: /no\nSitemap: http://x.test/2.xml",
      ),
      "/plain.xml": new Response(xml, { headers: { "content-type": "application/xml" } }),
      "/packed.xml.gz": new Response(gzipSync(xml), { headers: { "content-type": "application/gzip" } }),
      "/encoded.xml": new Response(gzipSync(xml), { headers: { "content-encoding": "gzip" } }),
      "/bomb.gz": new Response(gzipSync(Buffer.alloc(60 * 1_024 * 1_024))),
      "/torn.gz": new Response(gzipSync(xml).subarray(0, 20)),
      "/moved.xml": new Response(null, { status: 302, headers: { location: "/plain.xml" } }),
      "/home": html("Home", "<p>Welcome</p>"),
      "/no/sitemap.xml": new Response(xml),
    });
  });
  afterAll(() => site.stop());

  test.each(["/plain.xml", "/packed.xml.gz", "/encoded.xml", "/moved.xml"])(
    "returns the pages that the file %s lists",
    async (path) => {
      expect(await read(path)).toMatchObject({ kind: "listing", pages: [site.url("/page")] });
    },
  );

  test.each(["/bomb.gz", "/torn.gz", "/home"])(
    "rejects the file %s, which is damaged, too large or no list",
    async (path) => {
      expect(await read(path)).toMatchObject({ kind: "skipped", reason: "no_listing" });
    },
  );

  test("respects robots.txt, which also lists sitemaps", async () => {
    expect(await read("/no/sitemap.xml")).toMatchObject({ kind: "skipped", reason: "robots" });
    const options = { signal: new AbortController().signal, inScope: () => true, respectRobots: true };
    expect(await reader.sitemapsOf(site.url("/a"), options)).toEqual([
      site.url("/one.xml"),
      "http://x.test/2.xml",
    ]);
    expect(await reader.sitemapsOf(site.url("/a"), { ...options, respectRobots: false })).toEqual([]);
  });
});
