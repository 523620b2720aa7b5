/** Limits of the MCP endpoint. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const mcpLimits = {
  /** Sessions of the 2025 revision. Over the limit, the one that was idle longest is closed. */
  connections: 200,
  /** A session without an open stream is closed after this time without a request. */
  idleTimeout: 60 * MINUTE,
  sweepInterval: MINUTE,
  /** Messages that are stored so that a client can resume a broken stream, and their total length in characters. */
  replayMessages: 200,
  replayCharacters: 2 * 1_024 * 1_024,
  /** Reconnect delay that a stream tells its client. */
  retryInterval: SECOND,
  /**
   * Interval of keep-alive comments on a stream: well below `gatewayLimits.idleSeconds`, which closes silent
   * connections.
   */
  keepAliveInterval: 15 * SECOND,
  /** Open streams of the 2026 revision (`subscriptions/listen`). */
  listenStreams: 500,
  /** Size of the default list of tools without output schemas, in tokens of a model's context. */
  listTokens: 4_000,
  /** Resources that one connection may watch, and the minimum interval between two notifications of a resource. */
  watchedResources: 100,
  notifyInterval: 250,
  /** Explorations in the list of resources, newest first. */
  listedResources: 100,
} as const;
