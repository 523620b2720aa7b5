/** Limits of the MCP endpoint. Values are in milliseconds or bytes unless a comment says otherwise. */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const mcpLimits = {
  /**
   * Maximum number of MCP sessions, which only the 2025 revision of MCP has. When a new session exceeds the maximum,
   * the session that was idle longest is closed.
   */
  connections: 200,
  /** Time without a request after which a session is closed, unless it has an open stream. */
  idleTimeout: 60 * MINUTE,
  sweepInterval: MINUTE,
  /** Maximum number of messages that are stored for resuming a broken stream. */
  replayMessages: 200,
  /** Maximum total length in characters of the messages that are stored for resuming a broken stream. */
  replayCharacters: 2 * 1_024 * 1_024,
  /** Reconnect delay that a stream announces to its client. */
  retryInterval: SECOND,
  /**
   * Interval of keep-alive comments on a stream. It is far below `gatewayLimits.idleSeconds`, after which
   * silent connections are closed.
   */
  keepAliveInterval: 15 * SECOND,
  /** Maximum number of open streams of the MCP revision 2026-07-28 (method `subscriptions/listen`). */
  listenStreams: 500,
  /** Maximum number of resources that one connection may watch. */
  watchedResources: 100,
  /** Minimum time between two notifications for one resource. */
  notifyInterval: 250,
  /** Maximum number of explorations in the list of resources. The newest come first. */
  listedResources: 100,
} as const;
