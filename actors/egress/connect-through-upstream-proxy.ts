/**
 * Connects through an upstream proxy. The policy checks the destination first. If only the upstream proxy can
 * resolve a host name, the name is not checked and is passed to that proxy.
 */
import type { Socket } from "node:net";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { Refused, Unavailable } from "../../machines/errors.ts";
import { type ConnectOptions, connectTo } from "./tcp-connect.ts";

export interface UpstreamProxy {
  /** Address of the upstream proxy: `http://host:port`. */
  readonly server: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Maximum size of the response to a CONNECT request, in bytes. */
const ANSWER_BYTES = 16 * 1_024;

/** Returns the header value with the credentials for the upstream proxy. */
export function authorizationOf({ username, password = "" }: UpstreamProxy): string | undefined {
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/**
 * Rejects with `egress.refused` when the policy forbids the destination. A name that Cairn cannot resolve is
 * allowed, because the upstream proxy may resolve it.
 */
export async function assertReachable(url: URL, destinations: Destinations): Promise<void> {
  try {
    await destinations.addressesOf(url);
  } catch (error) {
    if (error instanceof Refused) throw error;
  }
}

export function portOf({ server }: UpstreamProxy): number {
  return Number(new URL(server).port || 80);
}

/** Opens a socket to the host of a URL. The socket passes through the upstream proxy. */
export async function tunnelThrough(
  upstream: UpstreamProxy,
  url: URL,
  options: ConnectOptions,
): Promise<Socket> {
  await assertReachable(url, options.destinations);
  const socket = await connectTo(new URL(upstream.server), { ...options, port: portOf(upstream) });
  const target = `${url.hostname}:${options.port}`;
  const authorization = authorizationOf(upstream);
  socket.write(
    `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n` +
      `${authorization === undefined ? "" : `Proxy-Authorization: ${authorization}\r\n`}\r\n`,
  );
  const status = await answerOf(socket, options);
  if (status === 200) return socket;
  socket.destroy();
  const advice = status === 407 ? " It asks for other credentials." : "";
  throw new Unavailable(
    "egress.proxy",
    `The session's proxy ${new URL(upstream.server).host} did not connect to ${target}: it answered ${status}.${advice}`,
  );
}

/**
 * Returns the HTTP status in the proxy's response. After this call, the socket delivers the bytes that follow
 * the headers of the response.
 */
function answerOf(socket: Socket, { signal, within }: ConnectOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      socket.off("data", read);
      socket.off("error", fail);
      socket.off("close", closed);
      socket.pause();
    };
    const fail = (reason: unknown): void => {
      settle();
      socket.on("error", () => socket.destroy());
      socket.destroy();
      reject(reason);
    };
    const abort = (): void => fail(signal?.reason);
    const closed = (): void => fail(new Error("ECONNRESET: the proxy hung up"));
    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) {
        if (head.length > ANSWER_BYTES) fail(new Error("the proxy's answer has no end"));
        return;
      }
      settle();
      const rest = head.subarray(end + 4);
      if (rest.length > 0) socket.unshift(rest);
      resolve(Number(/^HTTP\/\d\.\d (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 502));
    };
    const timer = setTimeout(() => fail(new Error("ETIMEDOUT: the proxy did not answer")), within);
    signal?.addEventListener("abort", abort, { once: true });
    socket.on("data", read);
    socket.on("error", fail);
    socket.on("close", closed);
  });
}
