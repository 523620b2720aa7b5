/** Limits of outgoing connections. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const egressLimits = {
  /** How long the addresses of a name are believed: one look-up serves a burst of requests … */
  namesFor: 30 * SECOND,
  /** … and of how many origins; the longest known go first. */
  origins: 1_000,
  /** How long the proxy tries one address of a host before it takes the next. */
  connectWithin: 10 * SECOND,
  /** A connection through the proxy without a byte in either direction for so long is closed. */
  idle: 10 * MINUTE,
  /** How long the proxy keeps a connection that a browser may use again. */
  keepAlive: MINUTE,
  /** Bytes of the headers of one message through the proxy, as Chromium allows. */
  headerBytes: 256 * 1_024,
  /** Hosts of which the proxy remembers why the last connection failed. */
  troubles: 1_000,
} as const;
