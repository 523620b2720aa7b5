/**
 * Limits of outgoing connections. Durations are in milliseconds and sizes in bytes, unless a name gives
 * another unit.
 */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const egressLimits = {
  /** Milliseconds for which resolved addresses are cached, so that one lookup serves a burst of requests. */
  cacheFor: 30 * SECOND,
  /** Maximum number of origins in the cache of resolved addresses. The oldest are removed first. */
  origins: 1_000,
  /** Milliseconds to connect to one address before the next address is tried. */
  connectWithin: 10 * SECOND,
  /** Milliseconds without data after which a proxied connection is closed. */
  idle: 10 * MINUTE,
  /** Milliseconds for which the proxy keeps an unused connection of the browser open. */
  keepAlive: MINUTE,
  /** Maximum size of the headers of one message. Chromium has the same limit. */
  headerBytes: 256 * 1_024,
  /** Maximum number of hosts for which the last connection failure is stored. */
  rememberedFailures: 1_000,
} as const;
