/** Defines the parts of a gateway that all its interfaces (REST, MCP, WebSockets, pages) share. */
import type { LoadedConfig } from "./config.ts";
import type { Log } from "./log.ts";
import type { OptionalParts } from "./optional-gateway-parts.ts";
import type { RequestContexts } from "./request-context.ts";
import type { StartingSystem } from "./running-system-for-waiting-requests.ts";
import type { Caller } from "./security/api-key-scopes.ts";
import type { PathRedaction } from "./security/file-path-redaction.ts";
import type { OpenSockets } from "./socket/open-websockets.ts";
import type { ToolCalls } from "./tools/run-and-audit-tool-calls.ts";
import type { ToolRegistry } from "./tools/tool-registry.ts";

/** The parts of which a gateway consists, such as the system, the tools and the log. */
export interface GatewayParts {
  readonly system: StartingSystem;
  readonly registry: ToolRegistry;
  readonly sockets: OpenSockets;
  readonly log: Log;
  /** Parts without which Cairn still works, such as LiveKit. `/ready` reports their state. */
  readonly optional: OptionalParts;
  /**
   * Random id of this process. By this id, the command line recognises the gateway that serves its data
   * folder.
   */
  readonly instance: string;
  /** The source of each setting's value, such as an environment variable or the default. */
  readonly sources?: LoadedConfig["sources"];
}

/** The parts of the gateway that all handlers of REST, WebSocket and MCP requests share. */
export interface Surface extends GatewayParts {
  readonly calls: ToolCalls;
  readonly requests: RequestContexts;
  readonly pathRedaction: PathRedaction;
  /** Counts a message of a WebSocket as one request of its caller. Throws `security.rate_limited` (429). */
  readonly countMessage: (caller: Caller) => void;
}
