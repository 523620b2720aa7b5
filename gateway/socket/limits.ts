/** Limits of the WebSockets. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../../machines/units.ts";

export const socketLimits = {
  /** Sockets of one gateway, and different things that they watch. */
  connections: 2_000,
  feeds: 500,
  /** Events of a feed that are kept for readers who come back, and the characters of all of them together. */
  keptEvents: 2_000,
  keptBytes: 2 * 1_024 * 1_024,
  /** How long a feed that nobody reads goes on. */
  lingers: 30 * SECOND,
  /** Unread bytes at which a slow reader is closed. */
  unreadBytes: 1_024 * 1_024,
  /** Of a message that comes in. */
  messageBytes: 64 * 1_024,
  heartbeat: 15 * SECOND,
  /** Seconds without a sign of life (Bun pings by itself) after which a socket counts as gone. */
  silentSeconds: 60,
  /** How long a ticket is good. */
  ticketFor: 30 * SECOND,
} as const;
