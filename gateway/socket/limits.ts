/** Limits of the WebSockets. In milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../../machines/units.ts";

export const socketLimits = {
  /** Maximum number of open sockets of one gateway, and of different feeds. */
  connections: 2_000,
  feeds: 500,
  /**
   * Maximum number of events that a feed buffers for readers that reconnect, and their maximum total length
   * in characters.
   */
  keptEvents: 2_000,
  keptBytes: 2 * 1_024 * 1_024,
  /** How long a feed without readers stays subscribed. */
  lingers: 30 * SECOND,
  /** A slow reader is disconnected when this number of bytes is unsent. */
  unreadBytes: 1_024 * 1_024,
  /** Maximum size of an incoming message. */
  messageBytes: 64 * 1_024,
  /** Maximum number of tool calls in progress on one socket. */
  callsAtOnce: 16,
  heartbeat: 15 * SECOND,
  /** A socket counts as dead after this number of seconds without a frame or pong. Bun sends the pings. */
  silentSeconds: 60,
  /** Lifetime of a one-time ticket. */
  ticketFor: 30 * SECOND,
} as const;
