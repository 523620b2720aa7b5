/**
 * One address of the Model Context Protocol over HTTP, in both of its eras.
 *
 * The protocol of 2026-07-28 has no sessions: each request stands for itself. That of 2025 has them, and needs them where
 * the server asks something back. Which one a request speaks is told by the request. Host, Origin and key are checked
 * before (`../security/guard.ts`). Neighbours: `connections.ts` keeps the sessions of 2025, `routes.ts` the addresses.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { GatewayParts } from "../context.ts";
import { gatewayLimits } from "../limits.ts";
import type { Caller } from "../security/scope.ts";
import { authInfoOf } from "./auth-info.ts";
import { Connections } from "./connections.ts";
import { mcpLimits } from "./limits.ts";
import { ListenStreams } from "./listen-streams.ts";

/** Who sent a request, and its id. */
export interface AuthenticatedRequest {
  readonly caller: Caller;
  readonly id: string;
}

export class McpEndpoint {
  readonly #stateless: McpHttpHandler;
  readonly #connections: Connections;
  readonly #listening: ListenStreams;

  /** `bus`: what changes, for those who subscribed. */
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

  /** Sessions of 2025 that are open. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Host, Origin and key of it are right. */
  async handle(request: Request, { caller, id }: AuthenticatedRequest): Promise<Response> {
    const options = { maxRequestBodySize: gatewayLimits.bodyBytes };
    const authInfo = authInfoOf({ caller, requestId: id });
    return (await isLegacyRequest(request, undefined, options))
      ? this.#connections.handle(request, authInfo)
      : this.#listening.watchDuring(request, () => this.#stateless.fetch(request, { authInfo }));
  }

  /** Ends every stream; clients come back to whoever serves then. */
  async close(): Promise<void> {
    await Promise.all([this.#stateless.close(), this.#connections.close()]);
  }
}
