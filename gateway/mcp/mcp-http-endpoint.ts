/**
 * The MCP endpoint over HTTP for both revisions of the protocol. Each request states its revision. The
 * revision 2025-11-25 has sessions, and the revision 2026-07-28 has none.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { gatewayLimits } from "../gateway-limits.ts";
import type { GatewayParts } from "../gateway-parts-shared-by-interfaces.ts";
import type { Caller } from "../security/api-key-scopes.ts";
import { authInfoOf } from "./mcp-auth-info.ts";
import { Connections } from "./mcp-connections.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { ListenStreams } from "./mcp-resource-update-streams.ts";

/** The authenticated caller of a request that passed the guard, and the request's id. */
interface AuthenticatedRequest {
  readonly caller: Caller;
  readonly id: string;
}

export class McpEndpoint {
  readonly #stateless: McpHttpHandler;
  readonly #connections: Connections;
  readonly #listening: ListenStreams;

  /** @param bus publishes changes of resources to their subscribers */
  constructor(
    factory: McpServerFactory,
    bus: ServerEventBus,
    { log, system }: Pick<GatewayParts, "log" | "system">,
  ) {
    this.#listening = new ListenStreams(system, (uri) => bus.publish({ kind: "resource_updated", uri }));
    const onError = (error: Error) => log.debug("a message of MCP failed", { reason: error.message });
    this.#stateless = createMcpHandler(factory, {
      legacy: "reject",
      bus,
      maxRequestBodySize: gatewayLimits.bodyBytes,
      maxSubscriptions: mcpLimits.listenStreams,
      keepAliveMs: mcpLimits.keepAliveInterval,
      onerror: onError,
    });
    this.#connections = new Connections(factory, onError);
  }

  /** Number of open sessions of clients that use MCP's 2025 revision. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Handles a request. The guard has already checked Host, Origin and key. */
  async handle(request: Request, { caller, id }: AuthenticatedRequest): Promise<Response> {
    const options = { maxRequestBodySize: gatewayLimits.bodyBytes };
    const authInfo = authInfoOf({ caller, requestId: id });
    return (await isLegacyRequest(request, undefined, options))
      ? this.#connections.handle(request, authInfo)
      : this.#listening.watchDuring(request, () => this.#stateless.fetch(request, { authInfo }));
  }

  /** Ends all streams, for example at shutdown. Clients then reconnect to the next process. */
  async close(): Promise<void> {
    await Promise.all([this.#stateless.close(), this.#connections.close()]);
  }
}
