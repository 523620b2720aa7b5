/** The public interface of the edge: the adapter to Redis, and the producers of its queues. */
export { type CommandJob, EdgeProducers, type ExplorationJob } from "./producers.ts";
export { RedisEdge } from "./redis-edge.ts";
