/**
 * Forwards a plain HTTP request of the browser (`GET http://host/path`).
 * Bodies stream both ways with back-pressure, and only hop-by-hop headers change (RFC 9110 §7.6.1).
 */
import { type Agent, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { Refused } from "../../machines/errors.ts";
import {
  assertReachable,
  authorizationOf,
  portOf,
  type UpstreamProxy,
} from "./connect-through-upstream-proxy.ts";
import { egressLimits } from "./egress-limits.ts";
import type { ConnectionFailures } from "./last-connection-failures.ts";
import { connectionError, silentHostError } from "./outgoing-connection-errors.ts";

/**
 * The response header with the error code when the proxy itself answers. It is removed from responses of
 * servers, so they cannot set it.
 */
export const FAILURE_HEADER = "x-cairn-egress";

const ONE_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/**
 * HTTP methods that are safe to repeat. A request is repeated when a reused connection turns out to be
 * closed.
 */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

export interface ForwardOptions {
  readonly failures: ConnectionFailures;
  /** An HTTP agent that opens its connections with `connectTo`, which checks every address. */
  readonly agent: Agent;
  readonly idle: number;
  /**
   * The upstream proxy for all requests, and the policy that checks each destination before the proxy is
   * used.
   */
  readonly through?: { readonly upstream: UpstreamProxy; readonly destinations: Destinations } | undefined;
}

interface Forwarding extends ForwardOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly path: string;
}

/**
 * Returns header names and values as received, without the hop-by-hop headers and the headers in `without`.
 */
function forwardedHeaders({ rawHeaders, headers }: IncomingMessage, without: string): string[] {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const dropped = new Set([...ONE_HOP, ...named, without]);
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!dropped.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/**
 * Returns the path exactly as the request has it. Parsing it as a URL would change the encoding of some
 * characters.
 */
function pathOf(absolute: string): string {
  const slash = absolute.indexOf("/", absolute.indexOf("//") + 2);
  return slash < 0 ? "/" : absolute.slice(slash);
}

/** Forwards one request of the browser. The target of such a request is an absolute URL. */
export function forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void {
  const absolute = request.url ?? "";
  const url = /^http:\/\//i.test(absolute) ? URL.parse(absolute) : null;
  if (!url) {
    response.writeHead(400, { "content-type": "text/plain; charset=utf-8" });
    response.end("This is the way out of Cairn's browser. It serves nothing itself.");
    return;
  }
  const { through } = options;
  const forwarding = { ...options, request, response, url, path: pathOf(absolute) };
  if (!through) {
    sendOn(forwarding);
    return;
  }
  assertReachable(url, through.destinations).then(
    () => sendOn({ ...forwarding, path: url.origin + forwarding.path }),
    (error: Error) => fail(forwarding, error),
  );
}

function sendOn(forwarding: Forwarding): void {
  const { request, response, url, path, agent, idle, through } = forwarding;
  const authorization = through && authorizationOf(through.upstream);
  const chunked = request.headers["transfer-encoding"] !== undefined;
  const upstream = send({
    agent,
    ...(through
      ? { host: new URL(through.upstream.server).hostname, port: portOf(through.upstream) }
      : { host: url.hostname, port: url.port || 80 }),
    method: request.method ?? "GET",
    path,
    setHost: false,
    maxHeaderSize: egressLimits.headerBytes,
    // Node accepts a flat list of header names and values, and keeps its order. Node's types only allow an
    // object, so the list is cast.
    headers: [
      "Host",
      url.host,
      ...forwardedHeaders(request, "host"),
      ...(authorization === undefined ? [] : ["Proxy-Authorization", authorization]),
      ...(chunked ? ["Transfer-Encoding", "chunked"] : []),
    ],
  });
  // If the client closes its connection before the response is complete, the request to the server is aborted
  // too.
  const clientLeft = (): void => {
    if (!response.writableFinished) upstream.destroy();
  };
  response.once("close", clientLeft);
  upstream.setTimeout(idle, () => {
    if (!response.writableFinished) upstream.destroy(silentHostError(url.host, idle));
  });
  upstream.once("response", (answer) => returnAnswer(answer, forwarding));
  upstream.on("error", (error) => {
    if (response.destroyed || response.writableEnded) return;
    response.off("close", clientLeft);
    // The server closed a reused connection at the moment at which the request was sent. The request is not
    // the cause, so it is sent again.
    if (upstream.reusedSocket && isRepeatable(request) && !response.headersSent) sendOn(forwarding);
    else fail(forwarding, error);
  });
  // `pipeline` is not used: on an error of the server, it would close the client's connection before the
  // error response could be sent.
  if (hasBody(request)) request.pipe(upstream);
  else upstream.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isRepeatable(request: IncomingMessage): boolean {
  return REPEATABLE.has(request.method ?? "") && !hasBody(request);
}

function returnAnswer(answer: IncomingMessage, { response, url, failures }: Forwarding): void {
  failures.clear(url);
  response.sendDate = false;
  response.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage ?? "",
    forwardedHeaders(answer, FAILURE_HEADER),
  );
  // Two events must end the transfer. When the browser closes its connection, `clientLeft` aborts the
  // request. When the server fails during the response, this code closes the client's connection. `pipeline`
  // would do both, but it takes a fifth of the request's CPU time.
  answer.on("error", () => response.destroy());
  answer.once("close", () => {
    if (!answer.complete) response.destroy();
  });
  answer.pipe(response);
}

function fail({ request, response, url, failures }: Forwarding, error: Error): void {
  const failure = connectionError(url.host, error);
  failures.record(url, failure);
  // The response has already begun, so its status cannot become an error. The connection is closed, which
  // shows the client that the response is incomplete.
  if (response.headersSent) return void response.destroy();
  const status = failure instanceof Refused ? 403 : failure.status === 504 ? 504 : 502;
  const headers = { "content-type": "text/plain; charset=utf-8", [FAILURE_HEADER]: failure.code };
  // The rest of the request's body is not read, so the connection cannot be reused.
  response.writeHead(status, request.complete ? headers : { ...headers, connection: "close" });
  response.end(failure.message);
  request.resume();
}
