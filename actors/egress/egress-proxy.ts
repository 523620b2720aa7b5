/**
 * A forward proxy on loopback that applies the egress policy to every connection of a browser: pages,
 * redirects, subresources, workers and WebSockets. A host name is resolved once, and the connection goes to a
 * checked address; a refused request gets status 403 with the reason. Only the browser has the credentials of
 * the proxy.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { Agent, type ClientRequestArgs, createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { asCairnError, type CairnError } from "../../machines/errors.ts";
import { assertReachable, type UpstreamProxy } from "./connect-through-upstream-proxy.ts";
import { egressLimits } from "./egress-limits.ts";
import { forward } from "./forward-http-request.ts";
import { ConnectionFailures } from "./last-connection-failures.ts";
import { answerRaw, openTunnel } from "./proxy-tunnel.ts";
import { connectTo } from "./tcp-connect.ts";

export interface EgressProxyOptions {
  readonly destinations: Destinations;
  /**
   * The upstream proxy for all connections. The address of a destination is checked before the proxy is used.
   */
  readonly upstream?: UpstreamProxy | undefined;
  /** Time limit for connecting to one address, in milliseconds. */
  readonly connectWithin?: number;
  /** Milliseconds without data after which a connection is closed. */
  readonly idle?: number;
}

/**
 * A running proxy. `server`, `username` and `password` are the launch options of the browser that uses it.
 */
export interface EgressProxy {
  /** Address of the proxy: `http://127.0.0.1:<port>`. */
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /**
   * Returns why the last connection to a URL's host failed: `egress.refused`, `egress.unknown_host`,
   * `egress.unreachable` or `egress.timeout`. The browser itself only reports that its tunnel failed.
   */
  failureOf(url: string): CairnError | undefined;
  /**
   * Returns why the policy refuses a URL, or `undefined` when the URL is allowed. Call it before a
   * navigation, so that the browser stays on its current page when the URL is refused.
   */
  refusalOf(url: string): Promise<CairnError | undefined>;
  /** Closes the proxy and every connection through it. */
  close(): Promise<void>;
}

/** Reuses connections to servers. Each connection was made to a checked address. */
class CheckingAgent extends Agent {
  readonly #destinations: Destinations;
  readonly #within: number;

  constructor(destinations: Destinations, within: number) {
    super({ keepAlive: true });
    this.#destinations = destinations;
    this.#within = within;
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const options = { destinations: this.#destinations, allowHalfOpen: false, within: this.#within };
    connectTo(new URL(`http://${host}:${port}`), { ...options, port: Number(port) }).then(
      (socket) => done?.(null, socket),
      // Node calls this callback with only an error when the connection fails. Node's types require a stream
      // too, so the callback is cast.
      (error: Error) => (done as ((error: Error) => void) | undefined)?.(error),
    );
    return undefined;
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const CHALLENGE = ["Proxy-Authenticate", 'Basic realm="Cairn"'] as const;

export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { destinations, upstream } = options;
  const { connectWithin = egressLimits.connectWithin, idle = egressLimits.idle } = options;
  const username = "cairn";
  const password = randomBytes(24).toString("base64url");
  const expected = digest(`Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
  const isAuthorized = ({ headers }: IncomingMessage): boolean =>
    // `timingSafeEqual` needs two buffers of the same length, so the digests of the credentials are compared.
    timingSafeEqual(digest(headers["proxy-authorization"] ?? ""), expected);

  const failures = new ConnectionFailures();
  const agent = new CheckingAgent(destinations, connectWithin);
  const tunnels = new Set<Duplex>();
  const server = createServer({
    maxHeaderSize: egressLimits.headerBytes,
    keepAliveTimeout: egressLimits.keepAlive,
    // Requests have no time limit, because an upload may take long.
    requestTimeout: 0,
  });
  server.on("request", (request, response) => {
    if (isAuthorized(request))
      return forward(request, response, {
        failures,
        agent,
        idle,
        through: upstream && { upstream, destinations },
      });
    response.writeHead(407, Object.fromEntries([CHALLENGE]));
    response.end();
  });
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnels.add(client);
    client.once("close", () => tunnels.delete(client));
    // A browser that closes resets its connections. This error is ignored.
    client.on("error", () => client.destroy());
    if (!isAuthorized(request)) {
      answerRaw(client, "407 Proxy Authentication Required", "", [CHALLENGE.join(": ")]);
      return;
    }
    void openTunnel(request, client, head, { destinations, failures, connectWithin, idle, upstream });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");

  return {
    server: `http://127.0.0.1:${address.port}`,
    username,
    password,
    failureOf: (url) => {
      const parsed = URL.parse(url);
      return parsed ? failures.get(parsed) : undefined;
    },
    refusalOf: async (url) => {
      try {
        await assertReachable(new URL(url), destinations);
        return undefined;
      } catch (error) {
        return asCairnError(error);
      }
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const tunnel of tunnels) tunnel.destroy();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
