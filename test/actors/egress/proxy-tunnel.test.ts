/** Tests tunnels through the proxy, for HTTPS and WebSockets. */
import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { isFull } from "../../test-run-tier-and-seed.ts";
import {
  authorization,
  closeAll,
  closing,
  dial,
  hear,
  listen,
  proxyOf,
  tunnel,
  until,
} from "./proxy-test-setup.ts";

afterEach(closeAll);

describe("a tunnel through the proxy", () => {
  test.if(isFull)(
    "carries large amounts in each direction, even after the other direction has ended",
    async () => {
      const size = 32 * 1_024 * 1_024;
      let received = 0;
      const port = await listen((socket) => {
        socket.on("data", (data) => {
          received += data.length;
        });
        // The server sends its data only after the client has ended its own half of the connection.
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
    },
  );

  test("slows down a client whose server does not read", async () => {
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

  test("carries bytes that were sent before it was established", async () => {
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

  test.each(["client", "server"] as const)(
    "is broken off at the other end if the %s breaks off its connection",
    async (who) => {
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
    },
  );

  test("is closed after the idle time-out without traffic", async () => {
    const port = await listen((socket) => socket.on("data", () => {}));
    const client = await tunnel(await proxyOf({ idle: 100 }), `127.0.0.1:${port}`);
    await hear(client);
  });
});
