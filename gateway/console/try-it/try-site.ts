/**
 * Serves the application of "Try it" on a port of its own, from the first request for it on.
 * It listens on loopback only, so it exists where Cairn itself may open loopback addresses.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Refused } from "../../../machines/errors.ts";
import { isLoopback } from "../../security/bind.ts";
import { workshopPage } from "./workshop-pages.ts";

const HOST = "127.0.0.1";
/** A form of the application is short. */
const MOST_BYTES = 10_000;

export class TrySite {
  readonly #host: string;
  readonly #port: number;
  #opened: Promise<Server> | undefined;

  /**
   * @param host the address that Cairn listens on
   * @param port the port that Cairn listens on, 0 for any; the next one is tried first, so that a map stays valid after a restart
   */
  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** Starts the application if need be; its address. Throws `console.try_it_off` where Cairn is not on loopback. */
  async open(): Promise<{ readonly url: string }> {
    if (!isLoopback(this.#host)) {
      throw new Refused(
        "console.try_it_off",
        "Try it works where Cairn listens on loopback (HOST=127.0.0.1), because its application does. Explore a site of your own instead.",
        { status: 409 },
      );
    }
    this.#opened ??= listenNear(this.#port);
    try {
      const address = (await this.#opened).address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      return { url: `http://${HOST}:${port}/` };
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const server = await this.#opened?.catch(() => undefined);
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }
}

async function listenNear(port: number): Promise<Server> {
  const next = port > 0 && port < 65_535 ? port + 1 : 0;
  return await listen(next).catch(() => listen(0));
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => void answer(request, response));
    server.once("error", reject);
    server.listen({ host: HOST, port }, () => resolve(server));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > MOST_BYTES) break;
  }
  const { pathname } = new URL(request.url ?? "/", `http://${HOST}`);
  const page = workshopPage(request.method ?? "GET", pathname, new URLSearchParams(body));
  response.writeHead(page.status, {
    "content-type": "text/html; charset=utf-8",
    // Nothing is loaded from elsewhere; the script and the styles are in the page.
    "content-security-policy":
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; form-action 'self'",
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : page.html);
}
