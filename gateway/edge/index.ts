/** The public interface of the connection to Redis: consumers and producers of the queues. */

export type { StorageSettings } from "./object-storage.ts";
export { probeRedis } from "./redis-connection.ts";
export { type CommandJob, EdgeProducers, type ExplorationJob } from "./redis-queue-producers.ts";
export { RedisEdge } from "./redis-queues-and-events.ts";
