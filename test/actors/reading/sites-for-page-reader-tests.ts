/**
 * Helpers for the tests of the page reader: sites that are stopped after each test, and a function that reads
 * a URL with a new reader.
 */
import { createServer, type Server, type Socket } from "node:net";
import {
  createReader,
  type Reader,
  type ReadOptions,
  type ReadOutcome,
} from "../../../actors/reading/index.ts";
import { sameSite } from "../../../machines/exploration/exploration-scope.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";
import { type Route, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const stops: (() => unknown)[] = [];
/** Stops all sites that a test has started. Each test file calls this function in `afterEach`. */
export async function stopSites(): Promise<void> {
  for (const stop of stops.splice(0)) await stop();
}

export function site(routes: Record<string, Route>, hostname?: string): ScriptedSite {
  const served = serveSite(routes, hostname === undefined ? {} : { hostname });
  stops.push(served.stop);
  return served;
}

export const newReader = (): Reader =>
  createReader({ userAgent: "Cairn/0.1 (+https://example.com/cairn)", destinations });

export function read(
  url: string,
  options: Partial<ReadOptions> = {},
  reader = newReader(),
): Promise<ReadOutcome> {
  return reader.read(url, {
    signal: new AbortController().signal,
    inScope: (target) => sameSite(target, url),
    respectRobots: true,
    ...options,
  });
}

export async function page(url: string, options: Partial<ReadOptions> = {}, reader?: Reader) {
  const outcome = await read(url, options, reader);
  if (outcome.kind !== "page") throw new Error(`No page: ${JSON.stringify(outcome)}`);
  return outcome.page;
}

/** Starts a server that answers with raw bytes. It sends responses that no HTTP library would send. */
export async function rawServer(answer: (path: string, socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    // Errors are expected, because in these tests clients disconnect in the middle of a response.
    socket.on("error", () => socket.destroy());
    socket.once("data", (data) => answer(data.toString("latin1").split(" ")[1] ?? "", socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}

/** Returns a route that answers slowly. Further requests for its page arrive while the first is in progress. */
export function answerLater(body: string): Route {
  return async () => {
    await Bun.sleep(20);
    return body;
  };
}

export function head(status: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}
