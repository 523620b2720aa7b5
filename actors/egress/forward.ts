/**
 * A plain HTTP request that the browser hands to its proxy (`GET http://host/path`), sent on and answered.
 *
 * Bodies stream both ways with back-pressure; nothing is decoded, kept or changed but what belongs to one hop
 * (RFC 9110 §7.6.1). Connections to servers are kept and used again by address.
 */
import { type Agent, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { Destinations } from "../../machines/egress/destinations.ts";
import { Refused } from "../../machines/errors.ts";
import { egressLimits } from "./limits.ts";
import { silence, type Troubles, troubleWith } from "./trouble.ts";
import { assertReachable, authorizationOf, portOf, type UpstreamProxy } from "./upstream.ts";

/** In an answer of the proxy's own: the code of what kept the request from its host. Servers cannot set it. */
export const TROUBLE_HEADER = "x-cairn-egress";

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
/** Requests that may be sent again on a fresh connection when a kept one turns out to be closed. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

export interface ForwardOptions {
  readonly troubles: Troubles;
  /** Connects by `connectTo`, so that every address is checked. */
  readonly agent: Agent;
  readonly idle: number;
  /** Another proxy that is asked for it; what may be reached is checked before. */
  readonly through?: { readonly upstream: UpstreamProxy; readonly destinations: Destinations } | undefined;
}

interface Errand extends ForwardOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly path: string;
}

/** Names and values in turn, as they came, without those of one hop and `without`. */
function passedOn({ rawHeaders, headers }: IncomingMessage, without: string): string[] {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const dropped = new Set([...ONE_HOP, ...named, without]);
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!dropped.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** The path as it was written: parsing would spell some of its characters anew. */
function pathOf(absolute: string): string {
  const slash = absolute.indexOf("/", absolute.indexOf("//") + 2);
  return slash < 0 ? "/" : absolute.slice(slash);
}

/** Serves one request in absolute form. */
export function forward(request: IncomingMessage, response: ServerResponse, options: ForwardOptions): void {
  const absolute = request.url ?? "";
  const url = /^http:\/\//i.test(absolute) ? URL.parse(absolute) : null;
  if (!url) {
    response.writeHead(400, { "content-type": "text/plain; charset=utf-8" });
    response.end("This is the way out of Cairn's browser. It serves nothing itself.");
    return;
  }
  const { through } = options;
  const errand = { ...options, request, response, url, path: pathOf(absolute) };
  if (!through) {
    sendOn(errand);
    return;
  }
  assertReachable(url, through.destinations).then(
    () => sendOn({ ...errand, path: url.origin + errand.path }),
    (error: Error) => fail(errand, error),
  );
}

function sendOn(errand: Errand): void {
  const { request, response, url, path, agent, idle, through } = errand;
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
    // Written as they are, in this order; the types know the names by themselves only.
    headers: [
      "Host",
      url.host,
      ...passedOn(request, "host"),
      ...(authorization === undefined ? [] : ["Proxy-Authorization", authorization]),
      ...(chunked ? ["Transfer-Encoding", "chunked"] : []),
    ],
  });
  // Once all was answered the connection serves others.
  const hungUp = (): void => {
    if (!response.writableFinished) upstream.destroy();
  };
  response.once("close", hungUp);
  upstream.setTimeout(idle, () => {
    if (!response.writableFinished) upstream.destroy(silence(url.host, idle));
  });
  upstream.once("response", (answer) => passBack(answer, errand));
  upstream.on("error", (error) => {
    if (response.destroyed || response.writableEnded) return;
    response.off("close", hungUp);
    // The server closed a kept connection just when it was to be used again: that says nothing of the request.
    if (upstream.reusedSocket && isRepeatable(request) && !response.headersSent) sendOn(errand);
    else fail(errand, error);
  });
  // Not a pipeline: that would break the client's connection, on which the answer is still to go, with the server's.
  if (hasBody(request)) request.pipe(upstream);
  else upstream.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isRepeatable(request: IncomingMessage): boolean {
  return REPEATABLE.has(request.method ?? "") && !hasBody(request);
}

function passBack(answer: IncomingMessage, { response, url, troubles }: Errand): void {
  troubles.over(url);
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", passedOn(answer, TROUBLE_HEADER));
  // A browser that goes away ends the errand (`hungUp`), and half an answer is broken off. A `pipeline` would see to
  // both as well, but what it sets up for each answer is a fifth of the CPU of all of an errand.
  answer.on("error", () => response.destroy());
  answer.once("close", () => {
    if (!answer.complete) response.destroy();
  });
  answer.pipe(response);
}

function fail({ request, response, url, troubles }: Errand, error: Error): void {
  const trouble = troubleWith(url.host, error);
  troubles.met(url, trouble);
  // Half an answer cannot be taken back, only broken off.
  if (response.headersSent) return void response.destroy();
  const status = trouble instanceof Refused ? 403 : trouble.status === 504 ? 504 : 502;
  const headers = { "content-type": "text/plain; charset=utf-8", [TROUBLE_HEADER]: trouble.code };
  // What is still to come of the request's body is for nobody.
  response.writeHead(status, request.complete ? headers : { ...headers, connection: "close" });
  response.end(trouble.message);
  request.resume();
}
