/**
 * Set-up for tests of the proxy: it starts a proxy with its own name resolution, servers and sockets, and
 * closes them after each test.
 */
import { expect } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import {
  createDestinations,
  type EgressProxy,
  type EgressProxyOptions,
  type Lookup,
  startEgressProxy,
} from "../../../actors/egress/index.ts";
import { serveSite } from "../../sites/test-site-with-given-routes.ts";

export const closing: (() => unknown)[] = [];
/** Closes everything that a test has opened. It is registered with `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

export interface ProxyOptions extends Omit<EgressProxyOptions, "destinations"> {
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly lookup?: Lookup;
  readonly loopback?: boolean;
}

export async function proxyOf({
  names = {},
  lookup,
  loopback = true,
  ...rest
}: ProxyOptions = {}): Promise<EgressProxy> {
  const destinations = createDestinations({
    policy: { loopback, allowPrivate: [] },
    lookup: lookup ?? (async (host) => names[host] ?? []),
  });
  const proxy = await startEgressProxy({ destinations, ...rest });
  closing.push(proxy.close);
  return proxy;
}

export function siteOf(...options: Parameters<typeof serveSite>) {
  const site = serveSite(...options);
  closing.push(site.stop);
  return site;
}

/** Sends a request through the proxy, as a browser does. */
export function through(
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

export function authorization({ username, password }: EgressProxy): string {
  return `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString("base64")}\r\n`;
}

/** Starts a TCP server that handles each connection by `serve`, and returns its port. */
export async function listen(serve: (socket: Socket) => void, host = "127.0.0.1"): Promise<number> {
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

/** Opens a socket to the proxy and sends `text` over it. */
export function dial(proxy: EgressProxy, text: string): Socket {
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

/** Resolves with all received text when the server has ended the connection. */
export async function hear(socket: Socket): Promise<string> {
  let heard = "";
  socket.on("data", (data) => {
    heard += data.toString("latin1");
  });
  await new Promise<void>((resolve) => socket.once("end", resolve).once("close", resolve));
  return heard;
}

/** Opens a tunnel to a host through the proxy. */
export async function tunnel(proxy: EgressProxy, target: string): Promise<Socket> {
  const socket = dial(proxy, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(proxy)}\r\n`);
  const answer: Buffer = await new Promise((resolve) => socket.once("data", resolve));
  expect(answer.toString()).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}

export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(5);
};
