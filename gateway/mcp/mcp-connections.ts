/**
 * Connections of clients that use the 2025 revision of MCP, which has a session for each client. An MCP
 * session stores no work, so a client can open a new one and continue. When there are too many sessions, the
 * session that was idle longest is closed.
 */
import {
  type AuthInfo,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { gatewayLimits } from "../gateway-limits.ts";
import { BoundedEventStore } from "./mcp-event-store.ts";
import { mcpLimits } from "./mcp-limits.ts";

interface Connection {
  /** Name of the caller that opened the session. Requests of other callers are refused. */
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly close: () => Promise<void>;
  streams: number;
  usedAt: number;
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

export class Connections {
  readonly #factory: McpServerFactory;
  readonly #onError: (error: Error) => void;
  readonly #connections = new Map<string, Connection>();
  #sweep: ReturnType<typeof setInterval> | undefined;

  constructor(factory: McpServerFactory, onError: (error: Error) => void) {
    this.#factory = factory;
    this.#onError = onError;
  }

  get size(): number {
    return this.#connections.size;
  }

  async handle(request: Request, authInfo: AuthInfo): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, authInfo);
    const connection = this.#connections.get(id);
    if (connection === undefined || connection.owner !== authInfo.clientId) {
      return refusal(404, -32_001, "This session has ended. Send initialize to begin a new one.");
    }
    connection.usedAt = performance.now();
    if (request.method === "GET") this.#countStream(connection, request);
    return connection.transport.handleRequest(request, { authInfo });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    await Promise.all([...this.#connections.values()].map(({ close }) => close()));
  }

  async #begin(request: Request, authInfo: AuthInfo): Promise<Response> {
    if (this.#connections.size >= mcpLimits.connections && !(await this.#closeIdlest())) {
      return refusal(503, -32_000, "Too many clients are connected. Try again in a minute.");
    }
    const server = await this.#factory({ era: "legacy", requestInfo: request, authInfo });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      eventStore: new BoundedEventStore(),
      retryInterval: mcpLimits.retryInterval,
      keepAliveMs: mcpLimits.keepAliveInterval,
      maxRequestBodySize: gatewayLimits.bodyBytes,
      onsessioninitialized: (id) => {
        const close = () => server.close();
        const owner = authInfo.clientId;
        this.#connections.set(id, { owner, transport, close, streams: 0, usedAt: performance.now() });
        this.#startSweeping();
      },
    });
    transport.onerror = this.#onError;
    transport.onclose = () => this.#ended(transport.sessionId);
    await server.connect(transport);
    const response = await transport.handleRequest(request, { authInfo });
    // The request was no valid start of a session, so the server that was created for its session is closed.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #ended(id: string | undefined): void {
    if (id !== undefined) this.#connections.delete(id);
    if (this.#connections.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #countStream(connection: Connection, request: Request): void {
    connection.streams += 1;
    const onAbort = () => {
      connection.streams -= 1;
      connection.usedAt = performance.now();
    };
    request.signal.addEventListener("abort", onAbort, { once: true });
  }

  async #closeIdlest(): Promise<boolean> {
    const idle = [...this.#connections.values()].filter(({ streams }) => streams === 0);
    const [idlest] = idle.sort((a, b) => a.usedAt - b.usedAt);
    await idlest?.close();
    return idlest !== undefined;
  }

  #startSweeping(): void {
    this.#sweep ??= setInterval(() => {
      const since = performance.now() - mcpLimits.idleTimeout;
      for (const { streams, usedAt, close } of this.#connections.values()) {
        if (streams === 0 && usedAt < since) close().catch(this.#onError);
      }
    }, mcpLimits.sweepInterval);
    this.#sweep.unref();
  }
}
