/**
 * Answers calls that only read a page, over standard input and output, without the MCP library. The library checks
 * and converts each message and each result again, which takes longer than reading a small page. The library handles
 * all other messages, and all messages of clients whose revision of MCP is not from 2025.
 */

import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { asCairnError } from "../../machines/errors.ts";
import { isRecord } from "../../machines/is-plain-object.ts";
import type { Caller } from "../security/api-key-scopes.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { MessagePipe } from "./mcp-stdio-bridge.ts";
import { cancelledId, type RequestId } from "./mcp-stdio-resource-updates.ts";
import { answerOfTool, type McpSurface } from "./mcp-tool-call.ts";

interface PageRead {
  readonly id: RequestId;
  readonly tool: Tool;
  readonly given: unknown;
}

/** Whether the tool only reads the page of a session: it changes nothing, and asks no person. */
function readsPage({ scope, annotations }: Tool): boolean {
  return scope === "read" && annotations.readOnlyHint && annotations.openWorldHint;
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is no JSON. The MCP library receives it too, and handles the error.
    return undefined;
  }
}

export class StdioPageReads {
  readonly #surface: McpSurface;
  readonly #caller: Caller;
  /** Ids of requests that the MCP library handles and has not answered yet. */
  readonly #open = new Set<RequestId>();
  readonly #reads = new Map<RequestId, AbortController>();
  /**
   * Whether the client has initialized the session. Clients of MCP's 2026 revision never do, because this revision
   * has no sessions.
   */
  #isInitialized = false;
  #send: MessagePipe["send"] = async () => {};

  constructor(surface: McpSurface, caller: Caller) {
    this.#surface = surface;
    this.#caller = caller;
  }

  /**
   * Inspects all messages from now on: those that the MCP library has parsed, and those that are sent to the
   * client.
   */
  intercept(pipe: MessagePipe): void {
    const { onmessage } = pipe;
    const send = pipe.send.bind(pipe);
    this.#send = send;
    pipe.onmessage = (message) => {
      const read = this.#pageReadOf(message);
      if (read) void this.#answer(read);
      else onmessage?.(message);
    };
    pipe.send = (message) => {
      if (!("method" in message) && message.id !== undefined) this.#open.delete(message.id);
      return send(message);
    };
  }

  /**
   * Handles a line of standard input. If the line calls a tool that only reads a page, answers the call and returns
   * true. Otherwise returns false, and the MCP library handles the line. Must be called only when the library has
   * received all earlier messages.
   */
  take(line: Buffer): boolean {
    if (!this.#isInitialized || this.#open.size > 0) return false;
    const message = parsedJson(line.toString());
    if (!isRecord(message)) return false;
    const { jsonrpc, id, method, params, ...others } = message;
    if (jsonrpc !== "2.0" || !isRequestId(id) || Object.keys(others).length > 0) return false;
    const read = this.#callOf(id, method, params);
    if (read) void this.#answer(read);
    return read !== undefined;
  }

  /** Ends all calls. They are not answered, because the connection is closed. */
  close(): void {
    for (const cancel of this.#reads.values()) cancel.abort();
  }

  /**
   * Notes which requests the client has sent or cancelled. If the message calls a tool that only reads a page,
   * returns this call; otherwise `undefined`.
   */
  #pageReadOf(message: JSONRPCMessage): PageRead | undefined {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) {
      this.#open.delete(cancelled);
      this.#reads.get(cancelled)?.abort();
    }
    if (!("method" in message)) return undefined;
    if (message.method === "notifications/initialized") this.#isInitialized = true;
    if (!("id" in message)) return undefined;
    // While another request is open, the MCP library answers all calls, because it keeps their order. So a page
    // is never read before an earlier action has started.
    const read = this.#open.size === 0 ? this.#callOf(message.id, message.method, message.params) : undefined;
    if (!read) this.#open.add(message.id);
    return read;
  }

  #callOf(id: RequestId, method: unknown, params: unknown): PageRead | undefined {
    if (!this.#isInitialized || method !== "tools/call" || this.#reads.has(id)) return undefined;
    // Any client can send these parameters, so the cast proves nothing. Each field is checked before use.
    const { name, arguments: given = {}, ...others } = (params ?? {}) as Readonly<Record<string, unknown>>;
    // A call with further parameters, such as `_meta`, may request more than the result, for example progress
    // messages. Such a call is not handled here.
    if (typeof name !== "string" || !isRecord(given) || Object.keys(others).length > 0) return undefined;
    const tool = this.#surface.registry.find(name);
    return tool && readsPage(tool) ? { id, tool, given } : undefined;
  }

  async #answer({ id, tool, given }: PageRead): Promise<void> {
    const cancel = new AbortController();
    this.#reads.set(id, cancel);
    let later: (() => void) | undefined;
    const { signal } = cancel;
    const result = await answerOfTool(this.#surface, tool, given, {
      caller: this.#caller,
      requestId: String(id),
      signal,
      afterAnswer: (work) => {
        later = work;
      },
    });
    this.#reads.delete(id);
    // The client has cancelled the request, so it expects no answer.
    if (signal.aborted) return;
    const { log } = this.#surface;
    try {
      // The MCP library's type of a result requires an index signature. The type of a tool's result has none,
      // so the result is copied.
      await this.#send({ jsonrpc: "2.0", id, result: { ...result } });
    } catch (error) {
      log.debug("an answer of MCP was not sent", { reason: String(error) });
    }
    try {
      later?.();
    } catch (thrown) {
      const error = asCairnError(thrown);
      log.error("a tool failed", { tool: tool.name, code: error.code, error });
    }
  }
}
