/**
 * Serves the CONNECT requests that the browser sends for HTTPS and WebSockets. Each direction is piped with
 * back-pressure and ends separately, so a client that has finished sending still gets its answer. When the
 * connection to the client or to the server fails, the other one is closed too.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { type CairnError, Refused } from "../../machines/errors.ts";
import { tunnelThrough, type UpstreamProxy } from "./connect-through-upstream-proxy.ts";
import { FAILURE_HEADER } from "./forward-http-request.ts";
import type { ConnectionFailures } from "./last-connection-failures.ts";
import { connectionError } from "./outgoing-connection-errors.ts";
import { connectTo } from "./tcp-connect.ts";

export interface TunnelOptions {
  readonly destinations: Destinations;
  readonly failures: ConnectionFailures;
  readonly connectWithin: number;
  readonly idle: number;
  readonly upstream?: UpstreamProxy | undefined;
}

/**
 * Parses the target `host:port` of a CONNECT request to a URL. The scheme `https` is a placeholder: callers
 * only use the host and the port.
 */
function authority(text: string): { readonly url: URL; readonly port: number } | undefined {
  const port = /^[^/?#@\\\s]+:(\d{1,5})$/.exec(text)?.[1];
  const url = port === undefined ? null : URL.parse(`https://${text}`);
  return url && port !== undefined ? { url, port: Number(port) } : undefined;
}

/** Sends an error response without opening a tunnel, and closes the connection. */
export function answerRaw(
  socket: Duplex,
  status: string,
  body: string,
  headers: readonly string[] = [],
): void {
  const lines = [
    `HTTP/1.1 ${status}`,
    ...headers,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function refuse(client: Duplex, error: CairnError): void {
  const status =
    error.status === 504
      ? "504 Gateway Timeout"
      : error instanceof Refused
        ? "403 Forbidden"
        : "502 Bad Gateway";
  answerRaw(client, status, error.message, [`${FAILURE_HEADER}: ${error.code}`]);
}

/** Serves one CONNECT request. Resolves when the tunnel is open or was refused. */
export async function openTunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  options: TunnelOptions,
): Promise<void> {
  const target = authority(request.url ?? "");
  if (!target) return answerRaw(client, "400 Bad Request", "CONNECT needs host:port.");
  const { destinations, failures } = options;
  const { url, port } = target;
  const gone = new AbortController();
  const abandon = (): void => gone.abort(new Error("The client hung up."));
  client.once("close", abandon);
  try {
    const connecting = {
      destinations,
      port,
      allowHalfOpen: true,
      signal: gone.signal,
      within: options.connectWithin,
    };
    const upstream = options.upstream
      ? await tunnelThrough(options.upstream, url, connecting)
      : await connectTo(url, connecting);
    failures.clear(url);
    client.off("close", abandon);
    join(client, upstream, head, options.idle);
  } catch (thrown) {
    if (gone.signal.aborted) return;
    const failure = connectionError(url.host, thrown);
    failures.record(url, failure);
    refuse(client, failure);
  }
}

function join(client: Duplex, upstream: Socket, head: Buffer, idle: number): void {
  const breakBoth = (): void => {
    client.destroy();
    upstream.destroy();
  };
  if (client.destroyed) {
    breakBoth();
    return;
  }
  for (const side of [client, upstream]) {
    side.once("error", breakBoth);
    side.once("close", breakBoth);
  }
  // The timeout is set only on the socket `upstream`, because the bytes of both directions pass through it.
  upstream.setTimeout(idle, breakBoth);
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) upstream.write(head);
  client.pipe(upstream);
  upstream.pipe(client);
}
