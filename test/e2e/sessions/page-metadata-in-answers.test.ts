/** Tests that the API returns the metadata that pages state in their HTML. */
import { expect, test } from "bun:test";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { sharedCairn } from "../support/shared-test-cairn.ts";

test.if(isFull)(
  "exploration results and page queries contain the metadata of pages, and nearly equal pages have the same text signature",
  async () => {
    const words = (page: string): string =>
      Array.from({ length: 400 }, (_, index) => `word${index}`)
        .join(" ")
        .replace("word200", page);
    const article = `<script type="application/ld+json">${JSON.stringify({
      "@type": "Article",
      author: { name: "Ada Lovelace" },
      datePublished: "2024-05-01",
    })}</script><meta property="og:site_name" content="Engines">`;
    const site = serveSite({
      "/": html("Front", '<a href="/one">one</a><a href="/two">two</a>'),
      "/one": html("One", `<main><p>${words("first")}<img src="/i.png" alt="An engine"></main>`, article),
      "/two": html("Two", `<main><p>${words("second")}<img src="/i.png" alt="An engine"></main>`),
    });
    const cairn = await sharedCairn();
    try {
      await cairn.post("/api/knowledge/explore/start", {
        start_url: site.url("/"),
        job_id: "meta",
        knowledge_id: "meta",
      });
      for (;;) {
        const { body } = await cairn.get("/api/knowledge/explore/status/meta");
        if (body.status === "completed") break;
        expect(body.status).not.toBe("failed");
        await Bun.sleep(50);
      }
      const { body } = await cairn.get("/api/knowledge/explore/results/meta");
      const named = (title: string) => body.pages.find((page: { title: string }) => page.title === title);
      const expected = {
        authors: ["Ada Lovelace"],
        published_at: "2024-05-01",
        site_name: "Engines",
        images: [{ url: site.url("/i.png"), alt: "An engine" }],
        structured: {
          json_ld: [{ "@type": "Article", author: { name: "Ada Lovelace" }, datePublished: "2024-05-01" }],
        },
      };
      expect(named("One")).toMatchObject({ language: "en", http_status: 200, depth: 1, metadata: expected });
      expect(named("One").content_hash).not.toBe(named("Two").content_hash);
      const bits = (signature: string): bigint => BigInt(`0x${signature}`);
      const differing = (bits(named("One").signature) ^ bits(named("Two").signature))
        .toString(2)
        .replaceAll("0", "").length;
      expect(differing).toBeLessThanOrEqual(6);
      const page = await cairn.post("/api/knowledge/query", {
        query_type: "page",
        params: { url: site.url("/one") },
        knowledge_id: "meta",
      });
      expect(page.body.data).toMatchObject({ metadata: expected, signature: named("One").signature });
    } finally {
      await site.stop();
    }
  },
  60_000,
);
