/**
 * Forwards messages between a client on standard input and output and the `/mcp` of a running Cairn. From a message
 * it reads only what it needs to cancel requests, and to keep the session of MCP's 2025 revision open.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { CairnError, errorFromBody } from "../../machines/errors.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import type { Log } from "../log.ts";
import { errorSchema } from "../rest/error-response.ts";
import { mcpLimits } from "./mcp-limits.ts";
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

/**
 * Returns the error with which the gateway itself has refused a message, for example because of a wrong key. Returns
 * `undefined` for an error of MCP, whose code is a number.
 */
function refusalIn(body: unknown, status: number): CairnError | undefined {
  const { success, data } = errorSchema.safeParse(body);
  if (!success) return undefined;
  const { code, message } = data.error;
  const advice = status === 401 ? " For `cairn mcp`, set CAIRN_API_KEY in its environment." : "";
  return errorFromBody({ code, message: `${message}${advice}`, status });
}

export class StdioBridge {
  readonly #client: MessagePipe;
  readonly #options: BridgeOptions;
  readonly #pending = new Map<string | number, AbortController>();
  readonly #ended = new AbortController();
  #session: string | null = null;
  #negotiated: string | undefined;
  /** The client's request that opened the session. The request is sent again when Cairn has lost the session. */
  #opening: JSONRPCMessage | undefined;
  /** The resources to which the client has subscribed, each with the client's request to subscribe. */
  readonly #subscriptions = new Map<string, JSONRPCMessage>();
  #renewal: Promise<void> | undefined;

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
      // In MCP's 2026 revision, closing a request's connection cancels the request.
      if (typeof requestId === "string" || typeof requestId === "number")
        this.#pending.get(requestId)?.abort();
      return;
    }
    const id = "method" in message && "id" in message ? message.id : undefined;
    const cancellation = new AbortController();
    if (id !== undefined) this.#pending.set(id, cancellation);
    if (method === "initialize") this.#opening = message;
    const uri = text(params?.uri);
    if (uri !== undefined && method === "resources/subscribe") this.#subscriptions.set(uri, message);
    if (uri !== undefined && method === "resources/unsubscribe") this.#subscriptions.delete(uri);
    try {
      await this.#exchange(message, () => this.#headers(revision, method, params), cancellation.signal);
      if (method === "notifications/initialized") void this.#listen();
    } catch (thrown) {
      if (cancellation.signal.aborted) return;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#options.log.warn("a message did not reach Cairn", { method, reason });
      if (id === undefined) return;
      const problem =
        thrown instanceof CairnError
          ? `${thrown.code}: ${thrown.message}`
          : `The Cairn at ${this.#options.url.origin} does not answer. Start it with \`npm start\`, then repeat the request.`;
      await this.#client.send({ jsonrpc: "2.0", id, error: { code: -32_000, message: problem } });
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

  /** @param headers returns the headers of the message; called again if a new MCP session replaces a lost one */
  async #exchange(message: JSONRPCMessage, headers: () => Headers, signal: AbortSignal): Promise<void> {
    const session = this.#session;
    let response = await this.#post(message, headers(), signal);
    if (response.status === 404 && session !== null) {
      await response.body?.cancel();
      await this.#renew(session);
      response = await this.#post(message, headers(), signal);
    }
    this.#session = response.headers.get("mcp-session-id") ?? this.#session;
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await this.#relay(response);
      return;
    }
    const body = await response.text();
    if (response.headers.get("content-type")?.startsWith("application/json") && body !== "") {
      const refusal = response.ok ? undefined : refusalIn(JSON.parse(body), response.status);
      if (refusal) throw refusal;
      await this.#deliver(body, "id" in message ? message.id : undefined);
    } else if (!response.ok) throw new Error(`status ${response.status}`);
  }

  async #post(message: JSONRPCMessage, headers: Headers, signal?: AbortSignal): Promise<Response> {
    const body = JSON.stringify(message);
    return await fetch(this.#options.url, { method: "POST", headers, body, ...(signal ? { signal } : {}) });
  }

  /**
   * Opens a new session in place of the session `lost`, which Cairn does not know any more, for example after
   * a restart. The client sees no difference: its subscriptions are made again, and the tools do not depend
   * on the session.
   */
  async #renew(lost: string): Promise<void> {
    if (this.#session !== lost) return;
    this.#renewal ??= this.#openAgain().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#ended;
    if (this.#opening === undefined) throw new Error("the session has ended, and no request opened it");
    const headers = this.#headers();
    headers.delete("mcp-session-id");
    const opened = await this.#post(this.#opening, headers, signal);
    const body = await opened.text();
    const session = opened.headers.get("mcp-session-id");
    if (session === null) {
      const isJson = opened.headers.get("content-type")?.startsWith("application/json") ?? false;
      throw (
        (isJson ? refusalIn(JSON.parse(body), opened.status) : undefined) ??
        new Error(`no new session was opened: status ${opened.status}`)
      );
    }
    headers.set("mcp-session-id", session);
    const messages: JSONRPCMessage[] = [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      ...this.#subscriptions.values(),
    ];
    for (const message of messages) {
      // The client has received answers to these messages when it sent them first. So the answers to the repeated
      // messages are not passed to the client.
      const answered = await this.#post(message, headers, signal);
      await answered.text();
    }
    this.#session = session;
    this.#options.log.info("the session with Cairn was opened again");
  }

  /** Receives the messages that the server sends by itself, such as notifications, until the bridge is closed. */
  async #listen(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const session = this.#session;
      try {
        const headers = this.#headers();
        headers.delete("content-type");
        const response = await fetch(this.#options.url, { headers, signal });
        if (response.status === 404 && session !== null) await this.#renew(session);
        // With status 405, the server says that it sends no notifications by itself.
        if (response.status === 405) return;
        if (response.ok) await this.#relay(response);
      } catch (thrown) {
        this.#options.log.debug("the stream of server messages broke", { error: thrown });
      }
      // When the bridge is closed, the pause ends early with an error. The loop checks the signal.
      await pause(mcpLimits.retryInterval, undefined, { signal }).catch(() => undefined);
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
