/** The browser's way out, spoken to by sockets: what it lets through, what it refuses, and what it never keeps. */
import { afterEach, describe, expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import {
  createDestinations,
  type EgressProxy,
  type EgressProxyOptions,
  type LookUp,
  startEgressProxy,
} from "../../../actors/egress/index.ts";
import { serveSite } from "../../sites/site.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface ProxyOptions extends Omit<EgressProxyOptions, "destinations"> {
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly lookUp?: LookUp;
  readonly loopback?: boolean;
}

async function proxyOf({
  names = {},
  lookUp,
  loopback = true,
  ...rest
}: ProxyOptions = {}): Promise<EgressProxy> {
  const destinations = createDestinations({
    policy: { loopback, allowPrivate: [] },
    lookUp: lookUp ?? (async (host) => names[host] ?? []),
  });
  const proxy = await startEgressProxy({ destinations, ...rest });
  closing.push(proxy.close);
  return proxy;
}

function siteOf(...options: Parameters<typeof serveSite>) {
  const site = serveSite(...options);
  closing.push(site.stop);
  return site;
}

/** Requests through the proxy, as a browser sends them. */
function through(
  { server, username, password }: EgressProxy,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    ...init,
    redirect: "manual",
    proxy: server.replace("//", `//${username}:${password}@`),
  });
}

function authorization({ username, password }: EgressProxy): string {
  return `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString("base64")}\r\n`;
}

/** A server of the test's own, which answers each connection as it likes. */
async function listen(serve: (socket: Socket) => void, host = "127.0.0.1"): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

/** A socket to the proxy on which `text` was said. */
function dial(proxy: EgressProxy, text: string): Socket {
  const socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(proxy.server).port),
    allowHalfOpen: true,
  });
  closing.push(() => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.write(text);
  return socket;
}

/** All that comes until the other side ends. */
async function hear(socket: Socket): Promise<string> {
  let heard = "";
  socket.on("data", (data) => {
    heard += data.toString("latin1");
  });
  await new Promise<void>((resolve) => socket.once("end", resolve).once("close", resolve));
  return heard;
}

/** A tunnel that stands. */
async function tunnel(proxy: EgressProxy, target: string): Promise<Socket> {
  const socket = dial(proxy, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(proxy)}\r\n`);
  const answer: Buffer = await new Promise((resolve) => socket.once("data", resolve));
  expect(answer.toString()).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(5);
};

describe("plain HTTP", () => {
  test("is sent on by address, with the name as Host, and answered as the server answered", async () => {
    const site = siteOf({
      "/a": () =>
        new Response("body", {
          status: 201,
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
            ["x-cairn-egress", "forged"],
          ],
        }),
    });
    const { port } = new URL(site.origin);
    const proxy = await proxyOf({ names: { "a.test": ["127.0.0.1"] } });
    const answer = await through(proxy, `http://a.test:${port}/a?q=1`, { headers: { "x-own": "kept" } });
    expect([answer.status, await answer.text()]).toEqual([201, "body"]);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(answer.headers.get("x-cairn-egress")).toBeNull();
    const [request] = site.log;
    expect(request?.path).toBe("/a?q=1");
    expect(request?.headers.get("host")).toBe(`a.test:${port}`);
    expect(request?.headers.get("x-own")).toBe("kept");
    expect(request?.headers.get("proxy-authorization")).toBeNull();
    expect(request?.headers.get("proxy-connection")).toBeNull();
  });

  test("keeps its path and the bytes of its headers as they were written", async () => {
    let asked = "";
    const port = await listen((socket) =>
      socket.on("data", (data) => {
        asked += data.toString("latin1");
        socket.end(
          Buffer.from(
            "HTTP/1.1 200 Very Fine\r\nX-Raw: caf\u00c3\u00a9\r\nContent-Length: 2\r\n\r\nok",
            "latin1",
          ),
        );
      }),
    );
    const proxy = await proxyOf();
    const path = '/a|b"c/../%7e?x={y}';
    const answer = await hear(
      dial(
        proxy,
        `GET http://127.0.0.1:${port}${path} HTTP/1.1\r\nHost: other.test\r\nX-Own: caf\u00e9\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n${authorization(proxy)}\r\n`,
      ),
    );
    expect(asked).toStartWith(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
    expect(asked).not.toContain("X-Hop");
    expect(answer).toStartWith("HTTP/1.1 200 Very Fine\r\n");
    expect(answer).toContain("X-Raw: caf\u00c3\u00a9\r\n");
    expect(answer).toEndWith("\r\n\r\nok");
  });

  test("passes large bodies both ways whole", async () => {
    const site = siteOf({
      "/echo": async (request) => new Response(await request.bytes()),
    });
    const body = Buffer.alloc(24 * 1_024 * 1_024);
    for (let at = 0; at < body.length; at += 4) body.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const answer = await through(await proxyOf(), site.url("/echo"), { method: "POST", body });
    expect(Buffer.from(await answer.bytes()).equals(body)).toBe(true);
  });

  test("passes on what has come before the rest is there", async () => {
    let finish: () => void = () => {};
    const site = siteOf({
      "/slow": () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue("first");
              finish = () => {
                controller.enqueue("last");
                controller.close();
              };
            },
          }),
        ),
    });
    const answer = await through(await proxyOf(), site.url("/slow"));
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    finish();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("last");
  });

  test("does not read from a server what the client does not take", async () => {
    let sent = 0;
    const port = await listen((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 400000000\r\n\r\n");
        const chunk = Buffer.alloc(100_000);
        const more = (): void => {
          while (sent < 400_000_000 && !socket.destroyed) {
            sent += chunk.length;
            if (!socket.write(chunk)) return void socket.once("drain", more);
          }
        };
        more();
      });
    });
    const proxy = await proxyOf();
    const client = dial(
      proxy,
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${authorization(proxy)}\r\n`,
    );
    client.pause();
    await until(() => sent > 0);
    let before = -1;
    while (before !== sent) {
      before = sent;
      await Bun.sleep(200);
    }
    expect(sent).toBeLessThan(100_000_000);
  });

  test("whose client goes away is broken off at the server", async () => {
    let closed = false;
    let begun = false;
    const port = await listen((socket) => {
      // The end of a connection that is open in the other direction still.
      socket.on("end", () => {
        closed = true;
      });
      socket.once("data", () => {
        begun = true;
      });
    });
    const proxy = await proxyOf();
    const client = dial(
      proxy,
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n${authorization(proxy)}\r\n`,
    );
    await until(() => begun);
    client.destroy();
    await until(() => closed);
  });

  test("that breaks in the middle is broken for the client too, never ended as if whole", async () => {
    const port = await listen((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        setTimeout(() => socket.destroy(), 50);
      }),
    );
    const answer = await through(await proxyOf(), `http://127.0.0.1:${port}/`);
    expect(answer.text()).rejects.toThrow();
  });

  test("uses connections again, the browser's and the server's", async () => {
    const peers = new Set<number>();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, self) => {
        peers.add(self.requestIP(request)?.port ?? 0);
        return new Response("ok");
      },
    });
    closing.push(() => server.stop(true));
    const proxy = await proxyOf();
    const ask = `GET http://127.0.0.1:${server.port}/ HTTP/1.1\r\nHost: x\r\n${authorization(proxy)}\r\n`;
    const client = dial(proxy, ask);
    for (let n = 0; n < 4; n++) {
      const answer: Buffer = await new Promise((resolve) => client.once("data", resolve));
      expect(answer.toString()).toStartWith("HTTP/1.1 200");
      client.write(ask);
    }
    expect(peers.size).toBe(1);
  });

  test("is sent again when a kept connection turns out to be closed, unless it has a body", async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections++;
      let requests = 0;
      socket.on("data", () => {
        // The second request on a connection gets no answer: the server had given it up already.
        if (++requests === 2) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    const proxy = await proxyOf();
    const url = `http://127.0.0.1:${port}/`;
    for (let n = 0; n < 3; n++) expect((await through(proxy, url)).status).toBe(200);
    expect(connections).toBe(3);
    expect((await through(proxy, url, { method: "POST", body: "once" })).status).toBe(502);
  });

  test("that asks the proxy itself for something is told that there is nothing", async () => {
    const proxy = await proxyOf();
    const answer = await hear(
      dial(proxy, `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization(proxy)}\r\n`),
    );
    expect(answer).toStartWith("HTTP/1.1 400");
  });
});

describe("what may not be reached", () => {
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

  test.each(forbidden)("%s is answered 403 with the reason", async (host) => {
    const proxy = await proxyOf({ names });
    const answer = await through(proxy, `http://${host}/latest/meta-data/`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("x-cairn-egress")).toBe("egress.refused");
    const message = await answer.text();
    expect(message).toMatch(/address/);
    expect(proxy.troubleWith(`http://${host}/elsewhere`)).toMatchObject({ code: "egress.refused", message });
  });

  test.each(forbidden)("%s gets no tunnel", async (host) => {
    const proxy = await proxyOf({ names });
    const answer = await hear(
      dial(proxy, `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}\r\n${authorization(proxy)}\r\n`),
    );
    expect(answer).toStartWith("HTTP/1.1 403 Forbidden\r\nx-cairn-egress: egress.refused\r\n");
    expect(proxy.troubleWith(`https://${host}/`)).toMatchObject({ code: "egress.refused" });
    expect(proxy.troubleWith(`wss://${host}/`)).toMatchObject({ code: "egress.refused" });
    expect(proxy.troubleWith("https://other.test/")).toBeUndefined();
  });

  test("is this machine when Cairn serves others", async () => {
    const site = siteOf({ "/": "secret" });
    const proxy = await proxyOf({ loopback: false, names: { "a.test": ["127.0.0.1"] } });
    const { port } = new URL(site.origin);
    for (const host of ["127.0.0.1", "localhost", "a.test"]) {
      expect((await through(proxy, `http://${host}:${port}/`)).status).toBe(403);
    }
    expect(site.requests).toEqual([]);
  });

  test("is a name that moved to such an address after it was checked: the first address is the one connected to", async () => {
    const site = siteOf({ "/": "ok" });
    const { port } = new URL(site.origin);
    let asked = 0;
    const proxy = await proxyOf({
      lookUp: async () => (asked++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]),
    });
    expect(await (await through(proxy, `http://a.test:${port}/`)).text()).toBe("ok");
    expect(await (await through(proxy, `http://a.test:${port}/`)).text()).toBe("ok");
    expect(asked).toBe(1);
    expect((await through(proxy, `http://b.test:${port}/`)).status).toBe(403);
  });

  test("is where a redirect leads, when the browser follows it", async () => {
    const site = siteOf({ "/": Response.redirect("http://169.254.169.254/latest/", 302) });
    const proxy = await proxyOf();
    const answer = await through(proxy, site.url("/"));
    expect(answer.status).toBe(302);
    expect((await through(proxy, answer.headers.get("location") ?? "")).status).toBe(403);
  });

  test.each(["x", "x:99999999", "http://a/:80", "a@b:80", "a:80/x", ":80"])(
    "is nothing that CONNECT names %j",
    async (target) => {
      const proxy = await proxyOf({ names: { x: ["127.0.0.1"], b: ["127.0.0.1"], a: ["127.0.0.1"] } });
      const answer = await hear(
        dial(proxy, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n${authorization(proxy)}\r\n`),
      );
      expect(answer).toStartWith("HTTP/1.1 400");
    },
  );
});

describe("only who has the credentials is served", () => {
  test.each(["", "Proxy-Authorization: Basic Y2Fpcm46\r\n", "Proxy-Authorization: Bearer x\r\n"])(
    "%j is not enough",
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

  test("each proxy has its own", async () => {
    const [one, other] = [await proxyOf(), await proxyOf()];
    expect(one.password).not.toBe(other.password);
    expect(one.server).not.toBe(other.server);
  });
});

describe("a tunnel", () => {
  test("carries large amounts both ways, and each direction ends by itself", async () => {
    const size = 32 * 1_024 * 1_024;
    let received = 0;
    const port = await listen((socket) => {
      socket.on("data", (data) => {
        received += data.length;
      });
      // Only when the client has ended is it answered.
      socket.on("end", () => {
        socket.end(Buffer.alloc(size, 7));
      });
    });
    const client = await tunnel(await proxyOf(), `127.0.0.1:${port}`);
    client.end(Buffer.alloc(size, 3));
    let back = 0;
    client.on("data", (data) => {
      back += data.length;
    });
    await new Promise<void>((resolve) => client.once("end", resolve));
    expect([received, back]).toEqual([size, size]);
  });

  test("does not read from a client what the server does not take", async () => {
    const port = await listen((socket) => socket.pause());
    const client = await tunnel(await proxyOf(), `127.0.0.1:${port}`);
    let sent = 0;
    const chunk = Buffer.alloc(1_000_000);
    const more = (): void => {
      while (sent < 400_000_000) {
        sent += chunk.length;
        if (!client.write(chunk)) return void client.once("drain", more);
      }
    };
    more();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await Bun.sleep(200);
    }
    expect(sent).toBeLessThan(100_000_000);
  });

  test("passes on what was sent before it stood", async () => {
    const port = await listen((socket) => socket.pipe(socket));
    const proxy = await proxyOf();
    const target = `127.0.0.1:${port}`;
    const client = dial(
      proxy,
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(proxy)}\r\nearly`,
    );
    let heard = "";
    client.on("data", (data) => {
      heard += data;
    });
    await until(() => heard.endsWith("early"));
  });

  test("carries a WebSocket", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, self) => (self.upgrade(request) ? undefined : new Response("no", { status: 400 })),
      websocket: { message: (socket, message) => void socket.send(`echo ${message}`) },
    });
    closing.push(() => server.stop(true));
    const proxy = await proxyOf({ names: { "ws.test": ["127.0.0.1"] } });
    const socket = new WebSocket(`ws://ws.test:${server.port}/`, {
      proxy: proxy.server.replace("//", `//${proxy.username}:${proxy.password}@`),
    } as never);
    const heard = new Promise((resolve, reject) => {
      socket.onopen = () => socket.send("hello");
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = reject;
    });
    expect(await heard).toBe("echo hello");
    socket.close();
  });

  test.each(["client", "server"] as const)("that the %s breaks is broken for the other", async (who) => {
    let far: Socket | undefined;
    let farEnded = false;
    const port = await listen((socket) => {
      far = socket;
      socket
        .on("data", () => {})
        .on("end", () => {
          farEnded = true;
        });
    });
    const client = await tunnel(await proxyOf(), `127.0.0.1:${port}`);
    let nearEnded = false;
    client
      .on("data", () => {})
      .on("close", () => {
        nearEnded = true;
      })
      .on("end", () => client.end());
    await until(() => far !== undefined);
    if (who === "client") client.resetAndDestroy();
    else far?.resetAndDestroy();
    await until(() => (who === "client" ? farEnded : nearEnded));
  });

  test("in which nobody speaks is closed after a while", async () => {
    const port = await listen((socket) => socket.on("data", () => {}));
    const client = await tunnel(await proxyOf({ idle: 100 }), `127.0.0.1:${port}`);
    await hear(client);
  });
});

describe("a host that is not there", () => {
  test("is told from one that is unknown, and forgotten when it is there again", async () => {
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
    expect(proxy.troubleWith(url)).toMatchObject({ code: "egress.unreachable" });
    const unknown = await through(proxy, "http://nobody.test/");
    expect([unknown.status, unknown.headers.get("x-cairn-egress")]).toEqual([502, "egress.unknown_host"]);
    const back = Bun.serve({ hostname: "127.0.0.4", port: Number(port), fetch: () => new Response("back") });
    closing.push(() => back.stop(true));
    expect(await (await through(proxy, url)).text()).toBe("back");
    expect(proxy.troubleWith(url)).toBeUndefined();
  });

  test("at its first address is looked for at its others", async () => {
    const site = siteOf({ "/": "ok" }, { hostname: "127.0.0.5" });
    const { port } = new URL(site.origin);
    const proxy = await proxyOf({ names: { "a.test": ["127.0.0.4", "127.0.0.5"] } });
    expect(await (await through(proxy, `http://a.test:${port}/`)).text()).toBe("ok");
    const client = await tunnel(proxy, `a.test:${port}`);
    client.end("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await hear(client)).toContain("ok");
  });

  test("and one that says nothing at all is given up", async () => {
    const port = await listen((socket) => socket.on("data", () => {}));
    const answer = await through(await proxyOf({ idle: 100 }), `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers.get("x-cairn-egress")]).toEqual([504, "egress.timeout"]);
  });
});

test("closing ends what is under way, and nothing is served any more", async () => {
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
  expect(fetch(proxy.server)).rejects.toThrow();
});
