/** Tests pages that are read over HTTP: their content, the decoding of their text, and redirects. */
import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { ReceivedResponses } from "../../../actors/reading/index.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { head, page, rawServer, read, site, stopSites } from "./sites-for-page-reader-tests.ts";

afterEach(stopSites);

describe("a page that is read over HTTP", () => {
  test("is returned with its content and the facts about its request", async () => {
    const { url } = site({
      "/a": html("Orders", '<main><h1>Orders</h1><p>All of them.</p><a href="/b">Next</a></main>'),
    });
    const found = await page(url("/a"));
    expect(found).toMatchObject({
      title: "Orders",
      language: "en",
      status: 200,
      mediaType: "text/html",
      url: url("/a"),
      finalUrl: url("/a"),
    });
    expect(found.content).toContain("All of them.");
    expect(found.links.map((link) => link.url)).toEqual([url("/b")]);
    expect(found.bytes).toBeGreaterThan(100);
  });

  test("is stored before it is parsed, and a stored page is not requested again", async () => {
    const served = site({ "/a": html("Orders", "<main><p>All of them.</p></main>") });
    const stored = new Map<string, unknown>();
    const received: ReceivedResponses = {
      async once(key, request) {
        // The cast is safe: all requests with the same key have the same type of result.
        if (stored.has(key)) return stored.get(key) as Awaited<ReturnType<typeof request>>;
        const result = await request();
        stored.set(key, result);
        return result;
      },
    };
    const first = await page(served.url("/a"), { received });
    expect([...stored.values()]).toMatchObject([{ kind: "document", status: 200 }]);
    const second = await page(served.url("/a"), { received });
    expect(second.content).toBe(first.content);
    expect(served.requests.filter((path) => path === "/a")).toHaveLength(1);
  });

  test("is requested with the crawler's user agent", async () => {
    const served = site({ "/a": html("a", "") });
    await page(served.url("/a"));
    expect(served.log.map(({ headers }) => headers.get("user-agent"))).toEqual(
      Array(2).fill("Cairn/0.1 (+https://example.com/cairn)"),
    );
  });

  test("has its text as content if it is plain text", async () => {
    const { url } = site({
      "/notes.txt": new Response("one\r\ntwo <b>", {
        headers: { "content-type": "text/plain; charset=utf-8" },
      }),
    });
    expect(await page(url("/notes.txt"))).toMatchObject({
      title: "notes.txt",
      content: "one\ntwo <b>",
      links: [],
      mediaType: "text/plain",
    });
  });

  test("is decompressed, and its size is that of the decompressed text", async () => {
    const body = html("Zipped", `<p>${"word ".repeat(1_000)}</p>`);
    const { url } = site({
      "/z": () =>
        new Response(gzipSync(body), {
          headers: { "content-type": "text/html", "content-encoding": "gzip" },
        }),
    });
    expect(await page(url("/z"))).toMatchObject({ title: "Zipped", bytes: body.length });
  });

  test("is read without a content type if it looks like HTML", async () => {
    const origin = await rawServer((path, socket) => {
      const body = path === "/page" ? html("Untyped", "") : "\u0000\u0001binary";
      socket.end(
        path === "/robots.txt"
          ? head("404 Not Found", { "content-length": "0" })
          : head("200 OK", { "content-length": String(body.length) }) + body,
      );
    });
    expect((await page(`${origin}/page`)).title).toBe("Untyped");
    expect(await read(`${origin}/data`)).toMatchObject({ kind: "skipped", reason: "not_html" });
  });
});

describe("the text of a page", () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
    new Uint8Array(
      parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
    );
  const cases: [what: string, type: string, body: Uint8Array<ArrayBuffer>, title: string][] = [
    [
      "an encoding in the header",
      "text/html; charset=ISO-8859-2",
      bytes("<title>", [0xb1, 0xe6], "</title>"),
      "ąć",
    ],
    [
      "an encoding in the page",
      "text/html",
      bytes('<meta charset="windows-1251"><title>', [0xcf, 0xf0], "</title>"),
      "Пр",
    ],
    [
      "an encoding in the page as http-equiv",
      "text/html",
      bytes(
        '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><title>',
        [0x83, 0x65],
        "</title>",
      ),
      "テ",
    ],
    [
      "a header that differs from the page",
      "text/html; charset=utf-8",
      bytes("<meta charset=windows-1251><title>é</title>"),
      "é",
    ],
    [
      "a byte order mark that differs from the header",
      "text/html; charset=windows-1251",
      bytes([0xef, 0xbb, 0xbf], "<title>é</title>"),
      "é",
    ],
    ["UTF-8 without a declaration", "text/html", bytes("<title>é</title>"), "é"],
    ["windows-1252 without a declaration", "text/html", bytes("<title>", [0xe9, 0x80], "</title>"), "é€"],
    ["a header with an unknown encoding", "text/html; charset=klingon", bytes("<title>é</title>"), "é"],
    [
      "UTF-16 with a byte order mark",
      "text/html",
      new Uint8Array(Buffer.from("\ufeff<title>é</title>", "utf16le")),
      "é",
    ],
  ];
  test.each(cases)("is decoded without wrong characters for a page with %s", async (_, type, body, title) => {
    const { url } = site({ "/": () => new Response(body, { headers: { "content-type": type } }) });
    expect((await page(url("/"))).title).toBe(title);
  });

  test.if(isFull)("is decoded in the parser thread for a document of megabytes", async () => {
    const title = bytes("<title>", [0xb1, 0xe6], "</title>", `<p>${"words ".repeat(200_000)}</p>`);
    const headers = { "content-type": "text/html; charset=ISO-8859-2" };
    const { url } = site({ "/": () => new Response(title, { headers }) });
    expect(await page(url("/"))).toMatchObject({ title: "ąć", bytes: title.byteLength });
  });
});

describe("redirects of a page", () => {
  const to = (location: string, status = 302): Response =>
    new Response(null, { status, headers: { location } });

  test("are followed, including relative ones, and the page has its final URL", async () => {
    const { url } = site({
      "/a": to("/b", 301),
      "/b": to("c/?utm_source=x#frag", 308),
      "/c/": html("End", '<a href="d">d</a>'),
    });
    const found = await page(url("/a"));
    expect(found).toMatchObject({ url: url("/a"), finalUrl: url("/c/"), title: "End" });
    expect(found.links[0]?.url).toBe(url("/c/d"));
  });

  test("to another site are reported and not followed", async () => {
    const other = site({ "/x": html("Other", "") });
    const { url } = site({ "/a": to(other.url("/x")) });
    expect(await read(url("/a"))).toMatchObject({
      kind: "skipped",
      reason: "redirected_out_of_scope",
      url: other.url("/x"),
    });
    expect(other.requests).toEqual([]);
  });

  test("to URLs that robots.txt disallows are not followed", async () => {
    const served = site({
      "/robots.txt": new Response("User-agent: *\nDisallow: /private"),
      "/a": to("/private/b"),
      "/private/b": html("b", ""),
    });
    expect(await read(served.url("/a"))).toMatchObject({ kind: "skipped", reason: "robots" });
    expect(served.requests).not.toContain("/private/b");
  });

  test("to another host of the site obey that host's robots.txt", async () => {
    const other = site(
      { "/robots.txt": new Response("User-agent: *\nDisallow: /"), "/x": html("x", "") },
      "127.0.0.2",
    );
    const { url } = site({ "/a": to(other.url("/x")) });
    expect(await read(url("/a"), { inScope: () => true })).toMatchObject({
      kind: "skipped",
      reason: "robots",
    });
    expect(other.requests).toEqual(["/robots.txt"]);
  });

  test("in a loop fail without a retry", async () => {
    const { url } = site({ "/a": to("/b"), "/b": to("/a") });
    expect(await read(url("/a"))).toMatchObject({
      kind: "failed",
      code: "reading.redirect_loop",
      retryable: false,
    });
  });

  test("without an end fail after the tenth redirect, without a retry", async () => {
    const served = site({ "*": (request) => to(`/${Number(new URL(request.url).pathname.slice(1)) + 1}`) });
    expect(await read(served.url("/0"))).toMatchObject({
      kind: "failed",
      code: "reading.too_many_redirects",
      retryable: false,
    });
    expect(served.requests.filter((path) => path !== "/robots.txt")).toHaveLength(11);
  });

  test.each(["mailto:a@example.com", "http://", "ftp://example.com/"])(
    "to the address %s are skipped, because it is not a valid HTTP address",
    async (location) => {
      const { url } = site({ "/a": to(location) });
      expect(await read(url("/a"))).toMatchObject({ kind: "skipped", reason: "bad_redirect" });
    },
  );

  test("with an unencoded UTF-8 URL are followed", async () => {
    const origin = await rawServer((path, socket) => {
      if (path === "/a")
        socket.end(Buffer.from(head("302 Found", { location: "/caf\u00e9", "content-length": "0" }), "utf8"));
      else if (path === "/caf%C3%A9")
        socket.end(head("200 OK", { "content-type": "text/html" }) + html("Café", ""));
      else socket.end(head("404 Not Found", { "content-length": "0" }));
    });
    expect((await page(`${origin}/a`)).finalUrl).toBe(`${origin}/caf%C3%A9`);
  });

  test("by a `meta` refresh are followed like HTTP redirects", async () => {
    const other = site({});
    const refresh = (target: string): string =>
      html("Moved", "", `<meta http-equiv="Refresh" content="0; URL='${target}'">`);
    const { url } = site({
      "/": refresh("guide/"),
      "/guide/": html("Guide", ""),
      "/self": refresh("/self"),
      "/out": refresh(other.url("/")),
    });
    expect(await page(url("/"))).toMatchObject({ url: url("/"), finalUrl: url("/guide/"), title: "Guide" });
    expect((await page(url("/self"))).title).toBe("Moved");
    expect(await read(url("/out"))).toMatchObject({ kind: "skipped", reason: "redirected_out_of_scope" });
  });
});
