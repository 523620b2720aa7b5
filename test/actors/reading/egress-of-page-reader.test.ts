/**
 * Tests that the page reader obeys the egress policy: for every redirect it connects only to an address that
 * was checked.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { egressLimits } from "../../../actors/egress/egress-limits.ts";
import { createDestinations, type Lookup } from "../../../actors/egress/index.ts";
import { createReader } from "../../../actors/reading/index.ts";
import { serveSite } from "../../sites/test-site-with-given-routes.ts";
import { read, site, stopSites } from "./sites-for-page-reader-tests.ts";

afterEach(stopSites);

interface Names {
  readonly [host: string]: readonly string[];
}

/** Creates a reader that resolves host names by the given table or function. */
function readerOf(names: Names | Lookup, policy = { loopback: true, allowPrivate: [] as readonly string[] }) {
  const resolve: Lookup = typeof names === "function" ? names : async (host) => names[host] ?? [];
  return createReader({
    userAgent: "Cairn/test",
    destinations: createDestinations({ policy, lookup: resolve }),
  });
}

const anywhere = { inScope: () => true, respectRobots: false };
const refused = { kind: "failed", code: "egress.refused", retryable: false };

describe("a host name that the page reader resolves", () => {
  test("is replaced by its address for the connection, and sent in the Host header", async () => {
    const served = site({ "/a": "<title>A</title>", "/robots.txt": new Response("") });
    const { port } = new URL(served.origin);
    const reader = readerOf({ "a.test": ["127.0.0.1"] });
    const outcome = await read(`http://a.test:${port}/a`, {}, reader);
    expect(outcome).toMatchObject({ page: { title: "A", finalUrl: `http://a.test:${port}/a` } });
    expect(served.requests).toEqual(["/robots.txt", "/a"]);
    expect(served.log.map(({ headers }) => headers.get("host"))).toEqual([
      `a.test:${port}`,
      `a.test:${port}`,
    ]);
  });

  test("is not resolved a second time, although its DNS answer has changed", async () => {
    const served = site({ "/a": "<title>A</title>" });
    const { port } = new URL(served.origin);
    let asked = 0;
    const reader = readerOf(async () => (asked++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]));
    expect(await read(`http://a.test:${port}/a`, anywhere, reader)).toMatchObject({ kind: "page" });
    expect(await read(`http://a.test:${port}/a`, anywhere, reader)).toMatchObject({ kind: "page" });
    expect(asked).toBe(1);
  });

  test("with a private address is refused without a request", async () => {
    const served = site({ "/a": "secret" });
    const { port } = new URL(served.origin);
    const reader = readerOf({ "a.test": ["127.0.0.1"] }, { loopback: false, allowPrivate: [] });
    const outcome = await read(`http://a.test:${port}/a`, {}, reader);
    expect(outcome).toMatchObject(refused);
    expect(JSON.stringify(outcome)).toContain("a.test (127.0.0.1)");
    expect(served.requests).toEqual([]);
  });

  test("is reached at its second address if the first does not answer", async () => {
    const served = serveSite({ "/a": "<title>A</title>" }, { hostname: "127.0.0.3" });
    const { port } = new URL(served.origin);
    const reader = readerOf({ "a.test": ["127.0.0.2", "127.0.0.3"] });
    expect(await read(`http://a.test:${port}/a`, anywhere, reader)).toMatchObject({ page: { title: "A" } });
    await served.stop();
    expect(await read(`http://a.test:${port}/a`, anywhere, reader)).toMatchObject({
      code: "reading.refused",
    });
  });

  test("is an unknown host if it does not resolve", async () => {
    expect(await read("http://a.test/", anywhere, readerOf({}))).toMatchObject({
      code: "reading.unknown_host",
    });
  });

  test("is compared with the TLS certificate by its name, and not by its address", async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "https-visit-test-process.ts")], {
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: join(import.meta.dir, "../../sites/certificate/secure.test.pem"),
      },
      stdout: "pipe",
    });
    const { outcomes, hosts, port } = JSON.parse(await new Response(child.stdout).text());
    expect(outcomes).toEqual(["Safe", "reading.tls"]);
    expect(hosts).toEqual([`secure.test:${port}`]);
  });
});

describe("a redirect that the page reader receives", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:169.254.169.254]/",
    "http://2852039166/",
    "http://metadata.google.internal/",
    "http://rebound.test/",
    "http://10.0.0.1/",
  ])("is not followed to the forbidden address %s", async (target) => {
    const { url } = site({ "/a": Response.redirect(target, 302) });
    const reader = readerOf({ "rebound.test": ["169.254.169.254"] });
    expect(await read(url("/a"), anywhere, reader)).toMatchObject(refused);
  });

  test("is not mentioned in the error if the start address itself is forbidden", async () => {
    const outcome = await read("http://169.254.169.254/", {}, readerOf({}));
    expect(outcome).toMatchObject(refused);
    expect(outcome).toMatchObject({
      message: expect.stringMatching(/^http:\/\/169\.254\.169\.254\/robots\.txt cannot be fetched: .+/),
    });
  });

  test("of a robots.txt to a forbidden address is refused, and the error names robots.txt", async () => {
    const served = site({
      "/robots.txt": Response.redirect("http://169.254.169.254/robots.txt", 302),
      "/a": "<title>A</title>",
    });
    const outcome = await read(served.url("/a"), {}, readerOf({}));
    expect(outcome).toMatchObject(refused);
    expect(JSON.stringify(outcome)).toContain("robots.txt");
    expect(served.requests).toEqual(["/robots.txt"]);
  });

  test("by a `meta` refresh is checked like an HTTP redirect", async () => {
    const { url } = site({ "/a": '<meta http-equiv="refresh" content="0; url=http://169.254.169.254/">' });
    expect(await read(url("/a"), anywhere, readerOf({}))).toMatchObject(refused);
  });
});

test("the page reader reuses connections, both to a host name and to an address", async () => {
  const peers = new Set<number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, self) {
      peers.add(self.requestIP(request)?.port ?? 0);
      return new Response("<title>A</title>", { headers: { "content-type": "text/html" } });
    },
  });
  const reader = readerOf({ "a.test": ["127.0.0.1"] });
  for (const host of ["a.test", "127.0.0.1"]) {
    for (let n = 0; n < 10; n++) await read(`http://${host}:${server.port}/${n}`, anywhere, reader);
  }
  await server.stop(true);
  expect(peers.size).toBeLessThanOrEqual(2);
});

test("the cache of host addresses drops the oldest host beyond its limit", async () => {
  let asked = 0;
  const destinations = createDestinations({
    policy: { loopback: true, allowPrivate: [] },
    lookup: async () => [`8.8.8.${asked++ % 8}`],
  });
  for (let n = 0; n <= egressLimits.origins; n++)
    await destinations.addressesOf(new URL(`http://h${n}.test/`));
  expect(asked).toBe(egressLimits.origins + 1);
  await destinations.addressesOf(new URL(`http://h${egressLimits.origins}.test/`));
  expect(asked).toBe(egressLimits.origins + 1);
  await destinations.addressesOf(new URL("http://h0.test/"));
  expect(asked).toBe(egressLimits.origins + 2);
});
