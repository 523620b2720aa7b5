/**
 * The public interface of the actor runtime. The runtime does not depend on any actor kind, on the browser or
 * on language models.
 */

export {
  type Address,
  address,
  allShards,
  formatAddress,
  parseAddress,
  rendezvous,
  shardOf,
} from "./actor-address.ts";
export { type CommandBody, failure, type Message, type Outcome } from "./actor-messages.ts";
export { ActorSystem, type AskOptions } from "./calls-to-actors.ts";
export {
  type ActorDefinition,
  type AnyActorDefinition,
  defineActor,
  definedOnFirstUse,
  defineKind,
  type EffectAskOptions,
  type EffectHandler,
  type EffectQuestions,
  type EffectScope,
  type Json,
  type QueryHandler,
  type QueryScope,
} from "./define-actor.ts";
export { type ByteBus, MemoryByteBus } from "./drivers/byte-bus.ts";
export { ByteClient, serveBytes } from "./drivers/large-requests-over-byte-bus.ts";
export { type Bus, type Consumer, type Delivery, topicMatches } from "./drivers/message-bus.ts";
export { MemoryBus } from "./drivers/message-bus-in-memory.ts";
export type { NatsConnectionOptions } from "./drivers/nats/nats-connection-of-node.ts";
export { type LeaseTable, MemoryLeases, type NodeLeases } from "./drivers/shard-leases.ts";
export { SubscriptionIndex } from "./drivers/subscription-index.ts";
export { letterNotFound, notFound as actorNotFound } from "./host/administrative-actor-operations.ts";
export { type Cluster, singleNodeCluster } from "./host/cluster-interface.ts";
export { runWorker, type WorkerContext, type WorkerKinds } from "./host/runtime-in-worker-thread.ts";
export { ShardHost, type ShardHostOptions } from "./host/shard-host.ts";
export { type Member, missingRoles, placement } from "./host/shard-placement.ts";
export { WorkerPool, type WorkerPoolOptions, type WorkerReport } from "./host/worker-pool.ts";
export type { Log } from "./log-function-of-runtime.ts";
export { type Clock, pause, systemClock } from "./runtime-clock.ts";
