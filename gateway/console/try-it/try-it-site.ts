/**
 * Serves the demonstration application of "Try it" on a separate port, starting with the first request for
 * it. It listens only on loopback, so it needs a Cairn that may open loopback addresses.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Refused } from "../../../machines/errors.ts";
import { isLoopback } from "../../security/listen-address-rules.ts";
import { workshopPage } from "./try-it-workshop-pages.ts";

const HOST = "127.0.0.1";
/** Maximum size of a submitted form in bytes. The forms of the application are short. */
const MOST_BYTES = 10_000;

export class TrySite {
  readonly #host: string;
  readonly #port: number;
  #opened: Promise<Server> | undefined;

  /**
   * @param host the address on which Cairn listens
   *
   * @param port the port on which Cairn listens; 0 for any free port. The application uses the next higher
   * port if it is free. Its address, which identifies its map, thus stays the same after a restart.
   */
  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /**
   * Starts the application if necessary and returns its address. Throws `console.try_it_off` if Cairn does
   * not listen on loopback.
   */
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
    // The content policy forbids requests to other hosts. It allows inline scripts and styles, because this
    // page has no separate files for them.
    "content-security-policy":
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; form-action 'self'",
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : page.html);
}
