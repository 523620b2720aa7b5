/** Tests how the reader obeys robots.txt and limits its requests to a host, and how a read is aborted. */
import { afterEach, describe, expect, test } from "bun:test";
import { type Clock, createReader, systemClock } from "../../../actors/reading/index.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";
import { html, type Route } from "../../sites/test-site-with-given-routes.ts";
import { answerLater, newReader, page, read, site, stopSites } from "./sites-for-page-reader-tests.ts";

afterEach(stopSites);

describe("the robots.txt of a site", () => {
  test("is fetched once for many pages, and forbids the pages that it names", async () => {
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

  test("is neither fetched nor obeyed if the exploration ignores it", async () => {
    const served = site({ "/robots.txt": new Response("User-agent: *\nDisallow: /"), "/a": html("a", "") });
    await page(served.url("/a"), { respectRobots: false });
    expect(served.requests).toEqual(["/a"]);
  });

  test("allows everything if it is missing or forbidden", async () => {
    for (const status of [404, 403, 401]) {
      const { url } = site({ "/robots.txt": new Response("", { status }), "/a": html("a", "") });
      expect((await read(url("/a"))).kind).toBe("page");
    }
  });

  test.each([500, 503, 429])(
    "forbids everything for now if it is temporarily unavailable with the status %d",
    async (status) => {
      const served = site({ "/robots.txt": new Response("", { status }), "/a": html("a", "") });
      expect(await read(served.url("/a"))).toMatchObject({
        kind: "failed",
        code: "reading.robots_unreachable",
        retryable: true,
      });
      expect(served.requests).toEqual(["/robots.txt"]);
    },
  );

  test("is fetched again soon after a failure, and otherwise after a day", async () => {
    let now = Date.now();
    const clock: Clock = { now: () => now, sleep: systemClock.sleep };
    const reader = createReader({ userAgent: "Cairn", destinations, clock });
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

  test("is read after up to five redirects, and more redirects allow everything", async () => {
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

describe("the concurrency of requests to a host", () => {
  test("is limited", async () => {
    const served = site({ "*": answerLater(html("x", "")) });
    const reader = createReader({ userAgent: "Cairn", destinations, perHost: 3 });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        page(served.url(`/${index}`), { respectRobots: false }, reader),
      ),
    );
    expect(served.load.most).toBe(3);
  });

  test("is one request at a time for a host with a crawl-delay", async () => {
    const served = site({
      "/robots.txt": new Response("User-agent: *\nCrawl-delay: 0.05"),
      "*": answerLater(html("x", "")),
    });
    const reader = newReader();
    await Promise.all(["/a", "/b", "/c"].map((path) => page(served.url(path), {}, reader)));
    expect(served.load.most).toBe(1);
  });
});

describe("aborting a read of a page", () => {
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
  test.each(cases)("rejects a read that is %s with the reason of the signal", async (_, route) => {
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

  test("removes a waiting read from the queue, and keeps the other reads", async () => {
    const gate = Promise.withResolvers<void>();
    const served = site({ "/slow": () => gate.promise.then(() => html("slow", "")), "*": html("x", "") });
    const reader = createReader({ userAgent: "Cairn", destinations, perHost: 1 });
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

  test("before the start prevents any request", async () => {
    const served = site({ "/a": html("a", "") });
    const outcome = await read(served.url("/a"), { signal: AbortSignal.abort(new Error("no")) }).catch(
      (error: Error) => error.message,
    );
    expect(outcome).toBe("no");
    expect(served.requests).toEqual([]);
  });
});
