/** Connections to the Redis of `REDIS_URL`. A Redis that goes away is connected again with backoff, for as long as it takes. */
import { Redis } from "ioredis";
import { edgeLimits } from "./limits.ts";

export function connectRedis(url: string, failed: (error: Error) => void): Redis {
  const { backoff, longestBackoff } = edgeLimits;
  const redis = new Redis(url, {
    // BullMQ asks for it: its blocking commands wait for the connection.
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    keepAlive: edgeLimits.pingEvery,
    retryStrategy: (times) => Math.min(backoff * times, longestBackoff),
  });
  // Without a listener an error would end the process.
  redis.on("error", failed);
  return redis;
}
