/** The public interface of the connection to Redis: the consumers and the producers of its queues. */
export { type CommandJob, EdgeProducers, type ExplorationJob } from "./producers.ts";
export { RedisEdge } from "./redis-edge.ts";
