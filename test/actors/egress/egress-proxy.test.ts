/**
 * Tests which destinations and clients the browser's proxy refuses, and how it reports hosts that do not
 * answer.
 */
import { afterEach, describe, expect, test } from "bun:test";
import {
  authorization,
  closeAll,
  closing,
  dial,
  hear,
  listen,
  proxyOf,
  siteOf,
  through,
  tunnel,
} from "./proxy-test-setup.ts";

afterEach(closeAll);

describe("a forbidden destination of the proxy", () => {
  const forbidden = [
    "169.254.169.254",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "2852039166",
    "0xa9.0xfe.0xa9.0xfe",
    "10.0.0.1",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "0.0.0.0",
    "metadata.google.internal",
    "rebound.test",
  ];
  const names = { "rebound.test": ["192.168.7.7"] };

  test.each(forbidden)("is answered with 403 and the reason for the host %s", async (host) => {
    const proxy = await proxyOf({ names });
    const answer = await through(proxy, `http://${host}/latest/meta-data/`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("x-cairn-egress")).toBe("egress.refused");
    const message = await answer.text();
    expect(message).toMatch(/address/);
    expect(proxy.failureOf(`http://${host}/elsewhere`)).toMatchObject({ code: "egress.refused", message });
  });

  test.each(forbidden)("gets no tunnel for the host %s", async (host) => {
    const proxy = await proxyOf({ names });
    const answer = await hear(
      dial(proxy, `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}\r\n${authorization(proxy)}\r\n`),
    );
    expect(answer).toStartWith("HTTP/1.1 403 Forbidden\r\nx-cairn-egress: egress.refused\r\n");
    expect(proxy.failureOf(`https://${host}/`)).toMatchObject({ code: "egress.refused" });
    expect(proxy.failureOf(`wss://${host}/`)).toMatchObject({ code: "egress.refused" });
    expect(proxy.failureOf("https://other.test/")).toBeUndefined();
  });

  test("includes an address of this machine itself, unless Cairn listens on loopback", async () => {
    const site = siteOf({ "/": "secret" });
    const proxy = await proxyOf({ loopback: false, names: { "a.test": ["127.0.0.1"] } });
    const { port } = new URL(site.origin);
    for (const host of ["127.0.0.1", "localhost", "a.test"]) {
      expect((await through(proxy, `http://${host}:${port}/`)).status).toBe(403);
    }
    expect(site.requests).toEqual([]);
  });

  test("is not reached through a host name whose DNS record changes after the check, because the proxy connects to the checked address", async () => {
    const site = siteOf({ "/": "ok" });
    const { port } = new URL(site.origin);
    let asked = 0;
    const proxy = await proxyOf({
      lookup: async () => (asked++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]),
    });
    expect(await (await through(proxy, `http://a.test:${port}/`)).text()).toBe("ok");
    expect(await (await through(proxy, `http://a.test:${port}/`)).text()).toBe("ok");
    expect(asked).toBe(1);
    expect((await through(proxy, `http://b.test:${port}/`)).status).toBe(403);
  });

  test("is refused when a redirect leads to it", async () => {
    const site = siteOf({ "/": Response.redirect("http://169.254.169.254/latest/", 302) });
    const proxy = await proxyOf();
    const answer = await through(proxy, site.url("/"));
    expect(answer.status).toBe(302);
    expect((await through(proxy, answer.headers.get("location") ?? "")).status).toBe(403);
  });

  test.each(["x", "x:99999999", "http://a/:80", "a@b:80", "a:80/x", ":80"])(
    "is not reached by the malformed CONNECT target %j",
    async (target) => {
      const proxy = await proxyOf({ names: { x: ["127.0.0.1"], b: ["127.0.0.1"], a: ["127.0.0.1"] } });
      const answer = await hear(
        dial(proxy, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n${authorization(proxy)}\r\n`),
      );
      expect(answer).toStartWith("HTTP/1.1 400");
    },
  );
});

describe("a client of the proxy without valid credentials", () => {
  test.each(["", "Proxy-Authorization: Basic Y2Fpcm46\r\n", "Proxy-Authorization: Bearer x\r\n"])(
    "is refused with the credentials %j",
    async (header) => {
      const site = siteOf({ "/": "ok" });
      const proxy = await proxyOf();
      const { host } = new URL(site.origin);
      const plain = await hear(
        dial(proxy, `GET ${site.origin}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`),
      );
      const tunnelled = await hear(dial(proxy, `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n${header}\r\n`));
      for (const answer of [plain, tunnelled]) {
        expect(answer).toStartWith("HTTP/1.1 407");
        expect(answer).toContain("Proxy-Authenticate: Basic");
      }
      expect(site.requests).toEqual([]);
    },
  );

  test("cannot use the credentials of another proxy", async () => {
    const [one, other] = [await proxyOf(), await proxyOf()];
    expect(one.password).not.toBe(other.password);
    expect(one.server).not.toBe(other.server);
  });
});

describe("a host that does not answer the proxy", () => {
  test("is reported as unreachable and not as unknown, and is reached once the host answers", async () => {
    const site = siteOf({ "/": "ok" }, { hostname: "127.0.0.4" });
    const { port } = new URL(site.origin);
    await site.stop();
    const proxy = await proxyOf({ names: { "a.test": ["127.0.0.4"] } });
    const url = `http://a.test:${port}/`;
    const unreachable = await through(proxy, url);
    expect([unreachable.status, unreachable.headers.get("x-cairn-egress")]).toEqual([
      502,
      "egress.unreachable",
    ]);
    expect(proxy.failureOf(url)).toMatchObject({ code: "egress.unreachable" });
    const unknown = await through(proxy, "http://nobody.test/");
    expect([unknown.status, unknown.headers.get("x-cairn-egress")]).toEqual([502, "egress.unknown_host"]);
    const back = Bun.serve({ hostname: "127.0.0.4", port: Number(port), fetch: () => new Response("back") });
    closing.push(() => back.stop(true));
    expect(await (await through(proxy, url)).text()).toBe("back");
    expect(proxy.failureOf(url)).toBeUndefined();
  });

  test("is reached at its second address if the first does not answer", async () => {
    const site = siteOf({ "/": "ok" }, { hostname: "127.0.0.5" });
    const { port } = new URL(site.origin);
    const proxy = await proxyOf({ names: { "a.test": ["127.0.0.4", "127.0.0.5"] } });
    expect(await (await through(proxy, `http://a.test:${port}/`)).text()).toBe("ok");
    const client = await tunnel(proxy, `a.test:${port}`);
    client.end("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await hear(client)).toContain("ok");
  });

  test("is given up after the idle time-out", async () => {
    const port = await listen((socket) => socket.on("data", () => {}));
    const answer = await through(await proxyOf({ idle: 100 }), `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers.get("x-cairn-egress")]).toEqual([504, "egress.timeout"]);
  });
});

test("closing the proxy ends all connections and accepts no new ones", async () => {
  const port = await listen((socket) => socket.on("data", () => {}));
  const proxy = await proxyOf();
  const standing = await tunnel(proxy, `127.0.0.1:${port}`);
  const waiting = through(proxy, `http://127.0.0.1:${port}/`).then(
    () => "answered",
    () => "broken",
  );
  await Bun.sleep(50);
  await proxy.close();
  await hear(standing);
  expect(await waiting).toBe("broken");
  await expect(fetch(proxy.server)).rejects.toThrow();
});
