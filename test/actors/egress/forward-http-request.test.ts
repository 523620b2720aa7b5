/** Tests plain HTTP requests through the proxy, as a browser sends them. */
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
  until,
} from "./proxy-test-setup.ts";

afterEach(closeAll);

describe("a plain HTTP request through the proxy", () => {
  test("is forwarded to the resolved address with the host name in the Host header", async () => {
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

  test("keeps its path and the bytes of its headers", async () => {
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

  test("carries large bodies unchanged in both directions", async () => {
    const site = siteOf({
      "/echo": async (request) => new Response(await request.bytes()),
    });
    const body = Buffer.alloc(24 * 1_024 * 1_024);
    for (let at = 0; at < body.length; at += 4) body.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const answer = await through(await proxyOf(), site.url("/echo"), { method: "POST", body });
    expect(Buffer.from(await answer.bytes()).equals(body)).toBe(true);
  });

  test("streams the answer before it is complete", async () => {
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

  test("slows down a server whose client does not read", async () => {
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

  test("is ended at the server when the client disconnects", async () => {
    let closed = false;
    let begun = false;
    const port = await listen((socket) => {
      // The client has disconnected, so the proxy has ended its half of the connection to the server. The
      // server may still send data on its own half.
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

  test("fails at the client if the server breaks the connection in the middle of the answer", async () => {
    const port = await listen((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        setTimeout(() => socket.destroy(), 50);
      }),
    );
    const answer = await through(await proxyOf(), `http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toThrow();
  });

  test("reuses connections, both from the browser and to the server", async () => {
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

  test("is sent again if the server has closed the reused connection, unless the request has a body", async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections++;
      let requests = 0;
      socket.on("data", () => {
        // The server closes the connection at the second request on it, so this request gets no answer.
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

  test("gets its answer even if the server refuses the request while the body is still being sent", async () => {
    const port = await listen((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
        socket.pause();
      });
    });
    const proxy = await proxyOf();
    const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n${authorization(proxy)}\r\n`;
    const client = dial(proxy, head);
    client.write(Buffer.alloc(1_000_000));
    const answer: Buffer = await new Promise((resolve) => client.once("data", resolve));
    expect(answer.toString()).toStartWith("HTTP/1.1 413");
    const refused = dial(proxy, head.replace(`127.0.0.1:${port}`, "10.0.0.1"));
    refused.write(Buffer.alloc(1_000_000));
    expect(await hear(refused)).toStartWith("HTTP/1.1 403");
  });

  test("returns chunked, empty and HTTP/1.0 answers unchanged", async () => {
    const site = siteOf({
      "/304": new Response(null, { status: 304, headers: { etag: '"x"' } }),
      "/204": new Response(null, { status: 204 }),
      "/head": new Response("12345"),
    });
    const port = await listen((socket) =>
      socket.once("data", () => {
        socket.end("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end");
      }),
    );
    const proxy = await proxyOf();
    expect((await through(proxy, site.url("/304"))).status).toBe(304);
    expect((await through(proxy, site.url("/204"))).status).toBe(204);
    const head = await through(proxy, site.url("/head"), { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["5", ""]);
    expect(await (await through(proxy, `http://127.0.0.1:${port}/`)).text()).toBe("until the end");
  });

  test("is refused if its destination is the proxy itself", async () => {
    const proxy = await proxyOf();
    const answer = await hear(
      dial(proxy, `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization(proxy)}\r\n`),
    );
    expect(answer).toStartWith("HTTP/1.1 400");
  });
});
