/**
 * The public interface of the actor runtime. The runtime does not depend on any actor kind, on the browser or
 * on language models.
 */
export { type Address, address, formatAddress, parseAddress, rendezvous, shardOf } from "./address.ts";
export { type Clock, pause, systemClock } from "./clock.ts";
export {
  type ActorDefinition,
  type AnyActorDefinition,
  defineActor,
  defineKind,
  type EffectAskOptions,
  type EffectHandler,
  type EffectQuestions,
  type EffectScope,
  type Json,
  type QueryHandler,
  type QueryScope,
} from "./definition.ts";
export { MemoryBus } from "./drivers/bus.memory.ts";
export { type Bus, type Consumer, type Delivery, topicMatches } from "./drivers/bus.ts";
export { type ByteBus, MemoryByteBus } from "./drivers/byte-bus.ts";
export { ByteClient, serveBytes } from "./drivers/byte-requests.ts";
export { type LeaseTable, MemoryLeases, type NodeLeases } from "./drivers/lease.ts";
export type { NatsConnectionOptions } from "./drivers/nats/connection.nats.ts";
export { SubscriptionIndex } from "./drivers/subscription-index.ts";
export { letterNotFound, notFound as actorNotFound } from "./host/actor-operations.ts";
export { type Cluster, singleNodeCluster } from "./host/cluster.ts";
export { type Log, ShardHost, type ShardHostOptions } from "./host/shard-host.ts";
export { type Member, missingRoles, placement } from "./host/shard-placement.ts";
export { runWorker, type WorkerContext, type WorkerKinds } from "./host/worker-host.ts";
export { WorkerPool, type WorkerPoolOptions, type WorkerReport } from "./host/worker-pool.ts";
export { type CommandBody, failure, type Message, type Outcome } from "./message.ts";
export { ActorSystem, type AskOptions } from "./system.ts";
