/** Limits of outgoing connections. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const egressLimits = {
  /** How long resolved addresses are cached: one lookup serves a burst of requests. */
  cacheFor: 30 * SECOND,
  /** Origins in that cache. The oldest go first. */
  origins: 1_000,
  /** Deadline for connecting to one address before the next is tried. */
  connectWithin: 10 * SECOND,
  /** Idle time after which a proxied connection is closed. */
  idle: 10 * MINUTE,
  /** How long the proxy keeps a browser's connection for reuse. */
  keepAlive: MINUTE,
  /** Maximum header bytes of one message, as in Chromium. */
  headerBytes: 256 * 1_024,
  /** Hosts whose last connection failure is remembered. */
  rememberedFailures: 1_000,
} as const;
