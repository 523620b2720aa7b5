/** Limits of the WebSockets. Values are in milliseconds or bytes unless a comment says otherwise. */
import { SECOND } from "../../machines/time-and-size-units.ts";

export const socketLimits = {
  /** Maximum number of open WebSockets of a gateway. */
  connections: 2_000,
  /** Maximum number of event feeds of a gateway. */
  feeds: 500,
  /** Maximum number of events that a feed buffers for readers that reconnect. */
  keptEvents: 2_000,
  /** Maximum total length in characters of the events that a feed buffers for readers that reconnect. */
  keptBytes: 2 * 1_024 * 1_024,
  /** How long a feed of events stays subscribed after its last reader has left. */
  lingers: 30 * SECOND,
  /** A slow reader is disconnected when this number of bytes waits to be sent to it. */
  unreadBytes: 1_024 * 1_024,
  /** Maximum size of a message that a client sends over a WebSocket. A larger one is answered with an error. */
  messageBytes: 64 * 1_024,
  /** Maximum size of a message that Bun reads. At a larger one, Bun closes the socket with the code 1009. */
  readableBytes: 1_024 * 1_024,
  /** Maximum number of tool calls that one socket runs at the same time. */
  callsAtOnce: 16,
  heartbeat: 15 * SECOND,
  /** Seconds without a frame or pong after which a socket counts as dead. Bun sends the pings. */
  silentSeconds: 60,
  /** Lifetime of a one-time ticket, with which a web page opens a WebSocket. */
  ticketFor: 30 * SECOND,
} as const;
