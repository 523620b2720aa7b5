import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import {
  type Clock,
  createReader,
  type Reader,
  type ReadOptions,
  type ReadOutcome,
  systemClock,
} from "../../../actors/reading/index.ts";
import { sameSite } from "../../../machines/exploration/scope.ts";
import { html, type Route, type ScriptedSite, serveSite } from "../../sites/site.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function site(routes: Record<string, Route>, hostname?: string): ScriptedSite {
  const served = serveSite(routes, hostname === undefined ? {} : { hostname });
  stops.push(served.stop);
  return served;
}

const newReader = (): Reader => createReader({ userAgent: "Cairn/0.1 (+https://example.com/cairn)" });

function read(url: string, options: Partial<ReadOptions> = {}, reader = newReader()): Promise<ReadOutcome> {
  return reader.read(url, {
    signal: new AbortController().signal,
    inScope: (target) => sameSite(target, url),
    respectRobots: true,
    ...options,
  });
}

async function page(url: string, options: Partial<ReadOptions> = {}, reader?: Reader) {
  const outcome = await read(url, options, reader);
  if (outcome.kind !== "page") throw new Error(`No page: ${JSON.stringify(outcome)}`);
  return outcome.page;
}

/** A server that answers bytes as they are, for what no HTTP library would send. */
async function rawServer(answer: (path: string, socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    // Clients of these tests hang up in the middle.
    socket.on("error", () => socket.destroy());
    socket.once("data", (data) => answer(data.toString("latin1").split(" ")[1] ?? "", socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}

/** A page that takes long enough for others to be asked for meanwhile. */
function answerLater(body: string): Route {
  return async () => {
    await Bun.sleep(20);
    return body;
  };
}

function head(status: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}

describe("a page", () => {
  test("is answered with what it says and how it was fetched", async () => {
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

  test("is asked for with the agent's name", async () => {
    const served = site({ "/a": html("a", "") });
    await page(served.url("/a"));
    expect(served.log.map(({ headers }) => headers.get("user-agent"))).toEqual(
      Array(2).fill("Cairn/0.1 (+https://example.com/cairn)"),
    );
  });

  test("of plain text is its own content", async () => {
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

  test("that is compressed is read, and its bytes are those of the text", async () => {
    const body = html("Zipped", `<p>${"word ".repeat(1_000)}</p>`);
    const { url } = site({
      "/z": () =>
        new Response(gzipSync(body), {
          headers: { "content-type": "text/html", "content-encoding": "gzip" },
        }),
    });
    expect(await page(url("/z"))).toMatchObject({ title: "Zipped", bytes: body.length });
  });

  test("without a content type is read when it looks like HTML", async () => {
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

describe("character encodings", () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
    new Uint8Array(
      parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
    );
  const cases: [what: string, type: string, body: Uint8Array<ArrayBuffer>, title: string][] = [
    [
      "the header names it",
      "text/html; charset=ISO-8859-2",
      bytes("<title>", [0xb1, 0xe6], "</title>"),
      "ąć",
    ],
    [
      "the page names it",
      "text/html",
      bytes('<meta charset="windows-1251"><title>', [0xcf, 0xf0], "</title>"),
      "Пр",
    ],
    [
      "the page names it the old way",
      "text/html",
      bytes(
        '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><title>',
        [0x83, 0x65],
        "</title>",
      ),
      "テ",
    ],
    [
      "the header wins over the page",
      "text/html; charset=utf-8",
      bytes("<meta charset=windows-1251><title>é</title>"),
      "é",
    ],
    [
      "a byte order mark wins over both",
      "text/html; charset=windows-1251",
      bytes([0xef, 0xbb, 0xbf], "<title>é</title>"),
      "é",
    ],
    ["nothing names it and it is UTF-8", "text/html", bytes("<title>é</title>"), "é"],
    ["nothing names it and it is not UTF-8", "text/html", bytes("<title>", [0xe9, 0x80], "</title>"), "é€"],
    ["the header's label is none", "text/html; charset=klingon", bytes("<title>é</title>"), "é"],
    [
      "UTF-16 with its mark",
      "text/html",
      new Uint8Array(Buffer.from("\ufeff<title>é</title>", "utf16le")),
      "é",
    ],
  ];
  test.each(cases)("%s", async (_, type, body, title) => {
    const { url } = site({ "/": () => new Response(body, { headers: { "content-type": type } }) });
    expect((await page(url("/"))).title).toBe(title);
  });
});

describe("redirects", () => {
  const to = (location: string, status = 302): Response =>
    new Response(null, { status, headers: { location } });

  test("are followed, relative ones too, and the page knows where it was found", async () => {
    const { url } = site({
      "/a": to("/b", 301),
      "/b": to("c/?utm_source=x#frag", 308),
      "/c/": html("End", '<a href="d">d</a>'),
    });
    const found = await page(url("/a"));
    expect(found).toMatchObject({ url: url("/a"), finalUrl: url("/c/"), title: "End" });
    expect(found.links[0]?.url).toBe(url("/c/d"));
  });

  test("to another site are recorded and not followed", async () => {
    const other = site({ "/x": html("Other", "") });
    const { url } = site({ "/a": to(other.url("/x")) });
    expect(await read(url("/a"))).toMatchObject({
      kind: "skipped",
      reason: "redirected_out_of_scope",
      url: other.url("/x"),
    });
    expect(other.requests).toEqual([]);
  });

  test("to what robots.txt forbids are not followed", async () => {
    const served = site({
      "/robots.txt": new Response("User-agent: *\nDisallow: /private"),
      "/a": to("/private/b"),
      "/private/b": html("b", ""),
    });
    expect(await read(served.url("/a"))).toMatchObject({ kind: "skipped", reason: "robots" });
    expect(served.requests).not.toContain("/private/b");
  });

  test("to another host of the site ask that host's robots.txt", async () => {
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

  test("in a circle fail for good", async () => {
    const { url } = site({ "/a": to("/b"), "/b": to("/a") });
    expect(await read(url("/a"))).toMatchObject({
      kind: "failed",
      code: "reading.redirect_loop",
      retryable: false,
    });
  });

  test("without end fail for good after ten", async () => {
    const served = site({ "*": (request) => to(`/${Number(new URL(request.url).pathname.slice(1)) + 1}`) });
    expect(await read(served.url("/0"))).toMatchObject({
      kind: "failed",
      code: "reading.too_many_redirects",
      retryable: false,
    });
    expect(served.requests.filter((path) => path !== "/robots.txt")).toHaveLength(11);
  });

  test.each(["mailto:a@example.com", "http://", "ftp://example.com/"])(
    "to %s are skipped",
    async (location) => {
      const { url } = site({ "/a": to(location) });
      expect(await read(url("/a"))).toMatchObject({ kind: "skipped", reason: "bad_redirect" });
    },
  );

  test("with an address in plain UTF-8 are understood", async () => {
    const origin = await rawServer((path, socket) => {
      if (path === "/a")
        socket.end(Buffer.from(head("302 Found", { location: "/caf\u00e9", "content-length": "0" }), "utf8"));
      else if (path === "/caf%C3%A9")
        socket.end(head("200 OK", { "content-type": "text/html" }) + html("Café", ""));
      else socket.end(head("404 Not Found", { "content-length": "0" }));
    });
    expect((await page(`${origin}/a`)).finalUrl).toBe(`${origin}/caf%C3%A9`);
  });

  test("written into the page count as such", async () => {
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

describe("what is no page", () => {
  test("another content type is skipped without its body", async () => {
    let pulled = 0;
    const { url } = site({
      "/big.zip": () => {
        const endless = new ReadableStream<Uint8Array>({
          async pull(controller) {
            pulled++;
            controller.enqueue(new Uint8Array(65_536));
            await Bun.sleep(1);
          },
        });
        return new Response(endless, { headers: { "content-type": "application/zip" } });
      },
    });
    expect(await read(url("/big.zip"))).toMatchObject({ kind: "skipped", reason: "not_html" });
    expect(pulled).toBeLessThan(1_000);
  });

  test("a body over the limit is cut off, announced or not", async () => {
    const chunk = new Uint8Array(1_024 * 1_024).fill(0x20);
    let sent = 0;
    const { url } = site({
      "/announced": () =>
        new Response(new Uint8Array(11 * 1_024 * 1_024), { headers: { "content-type": "text/html" } }),
      "/endless": () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull(controller) {
              sent++;
              controller.enqueue(chunk);
            },
          }),
          { headers: { "content-type": "text/html" } },
        ),
    });
    expect(await read(url("/announced"))).toMatchObject({ kind: "skipped", reason: "too_large" });
    expect(await read(url("/endless"))).toMatchObject({ kind: "skipped", reason: "too_large" });
    expect(sent).toBeLessThan(100);
  });

  test("a small body that unpacks to more than the limit is cut off", async () => {
    const bomb = gzipSync(new Uint8Array(64 * 1_024 * 1_024));
    const { url } = site({
      "/bomb": () =>
        new Response(bomb, { headers: { "content-type": "text/html", "content-encoding": "gzip" } }),
    });
    expect(await read(url("/bomb"))).toMatchObject({ kind: "skipped", reason: "too_large" });
  });

  test("an answer without content is skipped", async () => {
    const { url } = site({ "/a": new Response(null, { status: 204 }) });
    expect(await read(url("/a"))).toMatchObject({ kind: "skipped", reason: "no_content" });
  });
});

describe("failures", () => {
  test.each([
    [404, false],
    [410, false],
    [401, false],
    [403, false],
    [501, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
    [504, true],
  ])("status %d fails, retryable: %p", async (status, retryable) => {
    const { url } = site({ "/a": new Response("x", { status }) });
    expect(await read(url("/a"))).toMatchObject({
      kind: "failed",
      code: `reading.http_${status}`,
      status,
      retryable,
    });
  });

  test("Retry-After is told in milliseconds, from seconds or a date", async () => {
    const date = new Date(Date.now() + 100_000).toUTCString();
    const { url } = site({
      "/seconds": new Response("", { status: 503, headers: { "retry-after": "120" } }),
      "/date": new Response("", { status: 429, headers: { "retry-after": date } }),
      "/nonsense": new Response("", { status: 503, headers: { "retry-after": "soon" } }),
    });
    expect(await read(url("/seconds"))).toMatchObject({ retryAfter: 120_000 });
    const dated = await read(url("/date"));
    if (dated.kind !== "failed") throw new Error("It did not fail.");
    expect(dated.retryAfter).toBeGreaterThan(80_000);
    expect(dated.retryAfter).toBeLessThanOrEqual(100_000);
    expect(await read(url("/nonsense"))).not.toHaveProperty("retryAfter");
  });

  test("a host that does not exist is named", async () => {
    const outcome = await read("http://no-such-host.invalid/a");
    expect(outcome).toMatchObject({ kind: "failed", code: "reading.unknown_host", retryable: true });
    expect(JSON.stringify(outcome)).toContain("no-such-host.invalid");
  });

  test("a port where nothing listens is a refused connection", async () => {
    const closed = serveSite({});
    await closed.stop();
    expect(await read(closed.url("/a"))).toMatchObject({
      kind: "failed",
      code: "reading.refused",
      retryable: true,
    });
  });

  test("a connection that breaks is retryable, before the headers and in the body", async () => {
    const origin = await rawServer((path, socket) => {
      if (path === "/before") socket.resetAndDestroy();
      else socket.end(`${head("200 OK", { "content-type": "text/html", "content-length": "1000" })}<p>cut`);
    });
    expect(await read(`${origin}/before`, { respectRobots: false })).toMatchObject({
      code: "reading.reset",
      retryable: true,
    });
    expect(await read(`${origin}/body`, { respectRobots: false })).toMatchObject({
      code: "reading.reset",
      retryable: true,
    });
  });

  test("a server that speaks no TLS is a failure for good", async () => {
    const origin = await rawServer((_, socket) => socket.end(head("400 Bad Request")));
    expect(await read(`${origin.replace("http:", "https:")}/a`)).toMatchObject({
      code: "reading.tls",
      retryable: false,
    });
  });

  test("a compressed body that is none is a bad answer", async () => {
    const { url } = site({
      "/a": () =>
        new Response("not gzip", { headers: { "content-type": "text/html", "content-encoding": "gzip" } }),
    });
    expect(await read(url("/a"))).toMatchObject({ kind: "failed", code: "reading.bad_response" });
  });
});

describe("robots.txt", () => {
  test("is read once for many pages, and obeyed", async () => {
    const served = site({
      "/robots.txt": new Response("User-agent: cairn\nDisallow: /no"),
      "*": html("x", ""),
    });
    const reader = newReader();
    const outcomes = await Promise.all(
      ["/a", "/b", "/no/c", "/d"].map((path) => read(served.url(path), {}, reader)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(["page", "page", "skipped", "page"]);
    expect(served.requests.filter((path) => path === "/robots.txt")).toHaveLength(1);
    expect(served.requests).not.toContain("/no/c");
  });

  test("is neither asked for nor obeyed when the job says so", async () => {
    const served = site({ "/robots.txt": new Response("User-agent: *\nDisallow: /"), "/a": html("a", "") });
    await page(served.url("/a"), { respectRobots: false });
    expect(served.requests).toEqual(["/a"]);
  });

  test("that is missing or forbidden allows everything", async () => {
    for (const status of [404, 403, 401]) {
      const { url } = site({ "/robots.txt": new Response("", { status }), "/a": html("a", "") });
      expect((await read(url("/a"))).kind).toBe("page");
    }
  });

  test.each([500, 503, 429])("that cannot be had for now (%d) forbids everything for now", async (status) => {
    const served = site({ "/robots.txt": new Response("", { status }), "/a": html("a", "") });
    expect(await read(served.url("/a"))).toMatchObject({
      kind: "failed",
      code: "reading.robots_unreachable",
      retryable: true,
    });
    expect(served.requests).toEqual(["/robots.txt"]);
  });

  test("is asked for again: soon when it could not be had, after a day when it could", async () => {
    let now = Date.now();
    const clock: Clock = { now: () => now, sleep: systemClock.sleep };
    const reader = createReader({ userAgent: "Cairn", clock });
    const served = site({ "/robots.txt": new Response("", { status: 503 }), "/a": html("a", "") });
    const outcomes: string[] = [];
    const ask = async (): Promise<void> => {
      outcomes.push((await read(served.url("/a"), {}, reader)).kind);
    };
    await ask();
    served.routes.set("/robots.txt", new Response("User-agent: *\nAllow: /"));
    await ask();
    now += 5_001;
    await ask();
    served.routes.set("/robots.txt", new Response("User-agent: *\nDisallow: /"));
    now += 23 * 3_600_000;
    await ask();
    now += 3_600_000;
    await ask();
    expect(outcomes).toEqual(["failed", "failed", "page", "page", "skipped"]);
    expect(served.requests.filter((path) => path === "/robots.txt")).toHaveLength(3);
  });

  test("is found behind five redirects, and more allow everything", async () => {
    const chain = (length: number): Record<string, Route> => {
      const routes: Record<string, Route> = { "/a": html("a", "") };
      const target = (hop: number): Response =>
        new Response(null, { status: 301, headers: { location: `/hop${hop}` } });
      routes["/robots.txt"] = target(1);
      for (let hop = 1; hop < length; hop++) routes[`/hop${hop}`] = target(hop + 1);
      routes[`/hop${length}`] = new Response("User-agent: *\nDisallow: /");
      return routes;
    };
    expect(await read(site(chain(5)).url("/a"))).toMatchObject({ kind: "skipped", reason: "robots" });
    expect((await read(site(chain(6)).url("/a"))).kind).toBe("page");
  });
});

describe("manners", () => {
  test("a host gets no more requests at once than the limit", async () => {
    const served = site({ "*": answerLater(html("x", "")) });
    const reader = createReader({ userAgent: "Cairn", perHost: 3 });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        page(served.url(`/${index}`), { respectRobots: false }, reader),
      ),
    );
    expect(served.load.most).toBe(3);
  });

  test("a host with a crawl-delay gets one request at a time", async () => {
    const served = site({
      "/robots.txt": new Response("User-agent: *\nCrawl-delay: 0.05"),
      "*": answerLater(html("x", "")),
    });
    const reader = newReader();
    await Promise.all(["/a", "/b", "/c"].map((path) => page(served.url(path), {}, reader)));
    expect(served.load.most).toBe(1);
  });
});

describe("aborting", () => {
  const cases: [what: string, route: Route][] = [
    ["before the headers", () => new Promise<Response>(() => {})],
    [
      "in the body",
      () =>
        new Response(new ReadableStream({ start: (controller) => controller.enqueue("<p>") }), {
          headers: { "content-type": "text/html" },
        }),
    ],
  ];
  test.each(cases)("%s rejects with the signal's reason", async (_, route) => {
    const served = site({ "/a": route });
    const controller = new AbortController();
    const reason = new Error("paused");
    const reading = read(served.url("/a"), { signal: controller.signal });
    while (!served.requests.includes("/a")) await Bun.sleep(5);
    await Bun.sleep(20);
    controller.abort(reason);
    expect(
      await reading.then(
        () => "read",
        (error: unknown) => error,
      ),
    ).toBe(reason);
  });

  test("frees the turn of a waiting read, and leaves the others alone", async () => {
    const gate = Promise.withResolvers<void>();
    const served = site({ "/slow": () => gate.promise.then(() => html("slow", "")), "*": html("x", "") });
    const reader = createReader({ userAgent: "Cairn", perHost: 1 });
    const options = { respectRobots: false };
    const slow = page(served.url("/slow"), options, reader);
    while (!served.requests.includes("/slow")) await Bun.sleep(5);
    const controller = new AbortController();
    const waiting = read(served.url("/b"), { ...options, signal: controller.signal }, reader).then(
      () => "read",
      () => "aborted",
    );
    const last = page(served.url("/c"), options, reader);
    controller.abort(new Error("cancelled"));
    expect(await waiting).toBe("aborted");
    gate.resolve();
    expect((await slow).title).toBe("slow");
    await last;
    expect(served.requests).toEqual(["/slow", "/c"]);
  });

  test("an aborted signal stops a read before any request", async () => {
    const served = site({ "/a": html("a", "") });
    const outcome = await read(served.url("/a"), { signal: AbortSignal.abort(new Error("no")) }).catch(
      (error: Error) => error.message,
    );
    expect(outcome).toBe("no");
    expect(served.requests).toEqual([]);
  });
});
