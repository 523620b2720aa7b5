/** Limits of the MCP endpoint. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const mcpLimits = {
  /** Connections of clients that speak 2025's protocol, which has sessions; over it the one that was idle longest goes … */
  connections: 200,
  /** … and one that has no stream open and asked nothing for so long. */
  idleTimeout: 60 * MINUTE,
  sweepInterval: MINUTE,
  /** Messages kept for a client whose stream broke off, and the characters of all of them together. */
  replayMessages: 200,
  replayCharacters: 2 * 1_024 * 1_024,
  /** How long such a client is told to wait before it comes back. */
  retryInterval: SECOND,
  /** A stream says that it lives so often: well within `gateway.idleSeconds`. */
  keepAliveInterval: 15 * SECOND,
  /** Streams of 2026's protocol that wait for changes. */
  listenStreams: 500,
  /** What a list of tools may take of a model's context, without the schemas of what comes back. */
  listTokens: 4_000,
  /** Resources that one connection may watch, and how often it is told at most that one has changed. */
  watchedResources: 100,
  notifyInterval: 250,
  /** Explorations in the list of resources, the newest. */
  listedResources: 100,
} as const;
