/**
 * Forwards messages between a client on standard input and output and the `/mcp` of a running Cairn. From a
 * message it reads only three facts: the revision of MCP, the session of the 2025 revision, and the request
 * that it cancels.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { gatewayLimits } from "../gateway-limits.ts";
import type { Log } from "../log.ts";
import { eventData } from "./sse-reader.ts";

/** The connection to the MCP client, by stdin and stdout. */
export interface MessagePipe {
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  send(message: JSONRPCMessage): Promise<void>;
}

interface BridgeOptions {
  readonly url: URL;
  readonly apiKey: string | undefined;
  readonly log: Log;
}

const REVISION = "io.modelcontextprotocol/protocolVersion";

type Params = Readonly<Record<string, unknown>> | undefined;

function paramsOf(message: JSONRPCMessage): Params {
  // Any client can send this message, so the cast proves nothing. Each field is checked before use.
  return "params" in message ? (message.params as Params) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns the MCP revision that a message states. Messages of the 2026 revision always state it; those of the
 * 2025 revision only at the start of a session.
 */
function revisionOf(params: Params): string | undefined {
  const meta = params?._meta;
  if (typeof meta !== "object" || meta === null || !(REVISION in meta)) return undefined;
  return text(meta[REVISION]);
}

export class StdioBridge {
  readonly #client: MessagePipe;
  readonly #options: BridgeOptions;
  readonly #pending = new Map<string | number, AbortController>();
  readonly #ended = new AbortController();
  #session: string | null = null;
  #negotiated: string | undefined;

  constructor(client: MessagePipe, options: BridgeOptions) {
    this.#client = client;
    this.#options = options;
    client.onmessage = (message) => void this.#forward(message);
  }

  /** Ends all requests in progress, and afterwards the MCP session. */
  async close(): Promise<void> {
    this.#ended.abort();
    for (const request of this.#pending.values()) request.abort();
    if (this.#session === null) return;
    const headers = this.#headers();
    const signal = AbortSignal.timeout(gatewayLimits.probe);
    // The error is ignored. If the server has ended, its session no longer exists.
    await fetch(this.#options.url, { method: "DELETE", headers, signal }).catch(() => undefined);
  }

  async #forward(message: JSONRPCMessage): Promise<void> {
    const params = paramsOf(message);
    const revision = revisionOf(params);
    const method = "method" in message ? message.method : undefined;
    if (method === "notifications/cancelled" && this.#session === null) {
      const { requestId } = params ?? {};
      // In the 2026 revision, closing a request's connection cancels it.
      if (typeof requestId === "string" || typeof requestId === "number")
        this.#pending.get(requestId)?.abort();
      return;
    }
    const id = "method" in message && "id" in message ? message.id : undefined;
    const cancellation = new AbortController();
    if (id !== undefined) this.#pending.set(id, cancellation);
    try {
      await this.#exchange(message, this.#headers(revision, method, params), cancellation.signal);
      if (method === "notifications/initialized") void this.#listen();
    } catch (thrown) {
      if (cancellation.signal.aborted) return;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#options.log.warn("a message did not reach Cairn", { method, reason });
      if (id === undefined) return;
      const error = { code: -32_000, message: `The Cairn at ${this.#options.url.origin} does not answer.` };
      await this.#client.send({ jsonrpc: "2.0", id, error });
    } finally {
      if (id !== undefined) this.#pending.delete(id);
    }
  }

  #headers(revision?: string, method?: string, params?: Params): Headers {
    const headers = new Headers({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    });
    const { apiKey } = this.#options;
    if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
    const version = revision ?? this.#negotiated;
    if (version !== undefined) headers.set("mcp-protocol-version", version);
    if (revision === undefined) {
      if (this.#session !== null) headers.set("mcp-session-id", this.#session);
      return headers;
    }
    if (method !== undefined) headers.set("mcp-method", method);
    const name = text(params?.name) ?? text(params?.uri);
    if (name !== undefined && /^[\x21-\x7e]+$/.test(name)) headers.set("mcp-name", name);
    return headers;
  }

  async #exchange(message: JSONRPCMessage, headers: Headers, signal: AbortSignal): Promise<void> {
    const { url } = this.#options;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(message), signal });
    this.#session = response.headers.get("mcp-session-id") ?? this.#session;
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await this.#relay(response);
      return;
    }
    const body = await response.text();
    if (response.headers.get("content-type")?.startsWith("application/json") && body !== "") {
      await this.#deliver(body, "id" in message ? message.id : undefined);
    } else if (!response.ok) throw new Error(`status ${response.status}`);
  }

  /** Receives the messages that the server sends by itself, such as notifications, until the session ends. */
  async #listen(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const headers = this.#headers();
        headers.delete("content-type");
        const response = await fetch(this.#options.url, { headers, signal });
        if (!response.ok) return;
        await this.#relay(response);
      } catch (thrown) {
        if (!signal.aborted)
          this.#options.log.debug("the stream of server messages broke", { error: thrown });
        return;
      }
    }
  }

  async #relay(response: Response): Promise<void> {
    for await (const data of eventData(response)) await this.#deliver(data);
  }

  /**
   * Delivers an answer to the client.
   *
   * @param id id of the request; it is added to an error response without an id
   */
  async #deliver(data: string, id?: string | number): Promise<void> {
    // The cast is not checked here, because Cairn sends valid messages and the client validates them itself.
    const message = JSON.parse(data) as JSONRPCMessage & {
      id?: unknown;
      result?: { protocolVersion?: unknown };
    };
    this.#negotiated ??= text(message.result?.protocolVersion);
    if (id !== undefined && "error" in message && message.id === null) Object.assign(message, { id });
    await this.#client.send(message);
  }
}
