/**
 * The streams of MCP's 2026 revision for a client on standard input and output, if Cairn runs in this process. The
 * MCP library reports no event for these streams. So this module reads the client's messages to find the requested
 * resources.
 */
import type { JSONRPCMessage, McpServerFactory } from "@modelcontextprotocol/server";
import type { StartingSystem } from "../running-system-for-waiting-requests.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { LISTEN_METHOD, ListenStreams, requestedUris } from "./mcp-resource-update-streams.ts";
import type { MessagePipe } from "./mcp-stdio-bridge.ts";

type McpServerLike = Awaited<ReturnType<McpServerFactory>>;
export type RequestId = string | number;

/** Returns the id of the request that a message cancels; `undefined` if it cancels none. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

export class StdioListenStreams {
  readonly #listening: ListenStreams;
  readonly #streams = new Map<RequestId, Promise<() => void>>();
  #notify: (uri: string) => void = () => {};

  constructor(system: StartingSystem) {
    this.#listening = new ListenStreams(system, (uri) => this.#notify(uri));
  }

  /**
   * Sets the MCP server by which changes of resources are reported. The server's transport passes each notification
   * only to the streams that subscribed to its resource.
   */
  notifyThrough(served: McpServerLike): void {
    const server = "server" in served ? served.server : served;
    this.#notify = (uri) => {
      // Sending fails if the client has disconnected. The error is ignored, because such a client needs no
      // notification.
      server.sendResourceUpdated({ uri }).catch(() => undefined);
    };
  }

  /** Inspects every message that arrives from now on, before the MCP library handles it. */
  intercept(pipe: MessagePipe): void {
    const { onmessage } = pipe;
    pipe.onmessage = (message) => {
      this.#inspect(message);
      onmessage?.(message);
    };
  }

  close(): void {
    for (const id of [...this.#streams.keys()]) this.#end(id);
  }

  #inspect(message: JSONRPCMessage): void {
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#end(cancelled);
    if (!("method" in message && "id" in message) || message.method !== LISTEN_METHOD) return;
    const uris = requestedUris(message);
    this.#end(message.id);
    if (uris.length === 0 || this.#streams.size >= mcpLimits.listenStreams) return;
    // Watching fails if the system does not run. The error is ignored, because without the system no resource
    // changes.
    this.#streams.set(
      message.id,
      this.#listening.watch(uris).catch(() => () => {}),
    );
  }

  #end(id: RequestId): void {
    void this.#streams.get(id)?.then((end) => end());
    this.#streams.delete(id);
  }
}
