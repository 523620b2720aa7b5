/** Limits of the WebSockets. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../../machines/units.ts";

export const socketLimits = {
  /** Maximum open sockets of one gateway, and maximum different feeds. */
  connections: 2_000,
  feeds: 500,
  /** Events that a feed buffers for readers that reconnect, and their characters together. */
  keptEvents: 2_000,
  keptBytes: 2 * 1_024 * 1_024,
  /** How long a feed without readers stays subscribed. */
  lingers: 30 * SECOND,
  /** Unsent bytes at which a slow reader is closed. */
  unreadBytes: 1_024 * 1_024,
  /** Maximum size of an incoming message. */
  messageBytes: 64 * 1_024,
  /** Calls of tools that one socket may have under way. */
  callsAtOnce: 16,
  heartbeat: 15 * SECOND,
  /** Seconds without a frame or pong after which a socket counts as dead. Bun sends pings by itself. */
  silentSeconds: 60,
  /** Lifetime of a ticket. */
  ticketFor: 30 * SECOND,
} as const;
