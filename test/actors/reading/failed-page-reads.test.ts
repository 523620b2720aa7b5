import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { serveSite } from "../../sites/test-site-with-given-routes.ts";
import { head, rawServer, read, site, stopSites } from "./sites-for-page-reader-tests.ts";

afterEach(stopSites);

describe("a response that contains no page", () => {
  test("is skipped without reading its body if its content type is not that of a page", async () => {
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

  test("is skipped if it is a download, or data that is served as text", async () => {
    const typed = (type: string, disposition: string) =>
      new Response("a,b\n1,2", { headers: { "content-type": type, "content-disposition": disposition } });
    const { url } = site({
      "/report": typed("text/html", 'attachment; filename="report.html"'),
      "/places.csv": typed("text/plain; charset=utf-8", "inline"),
      "/places.csv/about": typed("text/plain", "inline"),
    });
    expect(await read(url("/report"))).toMatchObject({ kind: "skipped", reason: "download" });
    expect(await read(url("/places.csv?_size=max"))).toMatchObject({ kind: "skipped", reason: "not_html" });
    expect(await read(url("/places.csv/about"))).toMatchObject({ kind: "page" });
  });

  test("is cut off at the size limit, with or without a declared length", async () => {
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

  test("is cut off if it is larger than the limit after decompression", async () => {
    const bomb = gzipSync(new Uint8Array(64 * 1_024 * 1_024));
    const { url } = site({
      "/bomb": () =>
        new Response(bomb, { headers: { "content-type": "text/html", "content-encoding": "gzip" } }),
    });
    expect(await read(url("/bomb"))).toMatchObject({ kind: "skipped", reason: "too_large" });
  });

  test("is skipped if it is empty", async () => {
    const { url } = site({ "/a": new Response(null, { status: 204 }) });
    expect(await read(url("/a"))).toMatchObject({ kind: "skipped", reason: "no_content" });
  });
});

describe("a page that fails", () => {
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
  ])("with the status %d is marked as retryable: %p", async (status, retryable) => {
    const { url } = site({ "/a": new Response("x", { status }) });
    expect(await read(url("/a"))).toMatchObject({
      kind: "failed",
      code: `reading.http_${status}`,
      status,
      retryable,
    });
  });

  test("returns its Retry-After in milliseconds, from seconds or a date", async () => {
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

  test("names the host in the error if the host does not exist", async () => {
    const outcome = await read("http://no-such-host.invalid/a");
    expect(outcome).toMatchObject({ kind: "failed", code: "reading.unknown_host", retryable: true });
    expect(JSON.stringify(outcome)).toContain("no-such-host.invalid");
  });

  test("counts as a refused connection if no server listens on the port", async () => {
    const closed = serveSite({});
    await closed.stop();
    expect(await read(closed.url("/a"))).toMatchObject({
      kind: "failed",
      code: "reading.refused",
      retryable: true,
    });
  });

  test("is retryable if the connection breaks, before the headers or in the body", async () => {
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

  test("is not retried if the server has no TLS", async () => {
    const origin = await rawServer((_, socket) => socket.end(head("400 Bad Request")));
    expect(await read(`${origin.replace("http:", "https:")}/a`)).toMatchObject({
      code: "reading.tls",
      retryable: false,
    });
  });

  test("counts as a bad response if its compressed body is invalid", async () => {
    const { url } = site({
      "/a": () =>
        new Response("not gzip", { headers: { "content-type": "text/html", "content-encoding": "gzip" } }),
    });
    expect(await read(url("/a"))).toMatchObject({ kind: "failed", code: "reading.bad_response" });
  });
});
