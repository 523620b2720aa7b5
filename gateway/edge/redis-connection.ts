/**
 * Connects to the Redis of `REDIS_URL`. A lost connection is opened again with backoff, without a limit of
 * attempts.
 */
import { Redis } from "ioredis";
import { edgeLimits } from "./limits.ts";

export function connectRedis(url: string, failed: (error: Error) => void): Redis {
  const { backoff, longestBackoff } = edgeLimits;
  const redis = new Redis(url, {
    // BullMQ requires this value, because its blocking commands wait for the connection.
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    keepAlive: edgeLimits.pingEvery,
    retryStrategy: (times) => Math.min(backoff * times, longestBackoff),
  });
  // Without this listener, an error would end the process.
  redis.on("error", failed);
  return redis;
}
