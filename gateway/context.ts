/**
 * What the surfaces of a gateway (REST, MCP, WebSockets, pages) share.
 */
import type { LoadedConfig } from "./config.ts";
import type { Log } from "./log.ts";
import type { OptionalParts } from "./optional-parts.ts";
import type { RequestContexts } from "./request-context.ts";
import type { Caller } from "./security/key-scope.ts";
import type { PathRedaction } from "./security/path-redaction.ts";
import type { Sockets } from "./socket/sockets.ts";
import type { StartingSystem } from "./starting-system.ts";
import type { ToolCalls } from "./tools/tool-calls.ts";
import type { ToolRegistry } from "./tools/tool-registry.ts";

/** What a gateway is created from. */
export interface GatewayParts {
  readonly system: StartingSystem;
  readonly registry: ToolRegistry;
  readonly sockets: Sockets;
  readonly log: Log;
  /** Parts that `/ready` reports and does not need. */
  readonly optional: OptionalParts;
  /** Random id of this process, by which the command line recognises the gateway of its data folder. */
  readonly instance: string;
  /** Where each setting comes from. */
  readonly sources?: LoadedConfig["sources"];
}

/** The shared parts that REST, WebSocket and MCP handlers receive. */
export interface Surface extends GatewayParts {
  readonly calls: ToolCalls;
  readonly requests: RequestContexts;
  readonly pathRedaction: PathRedaction;
  /** Counts a message of a WebSocket like a request. Throws `security.rate_limited` (429). */
  readonly countMessage: (caller: Caller) => void;
}
