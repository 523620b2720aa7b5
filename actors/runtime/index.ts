/** The actor system's public face. It knows no kind, no browser and no model. */
export { type Address, address, formatAddress, parseAddress, rendezvous, shardOf } from "./address.ts";
export type { BrokerOptions } from "./broker.nats.ts";
export { MemoryBus } from "./bus.memory.ts";
export { type Bus, type Consumer, type Delivery, topicMatches } from "./bus.ts";
export { ByteClient, serveBytes } from "./byte-requests.ts";
export { type Bytes, MemoryBytes } from "./bytes.ts";
export { type Clock, pause, systemClock } from "./clock.ts";
export { aloneCluster, type Cluster } from "./cluster.ts";
export {
  type ActorDefinition,
  type AnyActorDefinition,
  defineActor,
  type EffectHandler,
  type EffectScope,
  type Json,
  type QueryHandler,
  type QueryScope,
} from "./definition.ts";
export { Interest } from "./interest.ts";
export { type LeaseTable, MemoryLeases, type NodeLeases } from "./lease.ts";
export { type CommandBody, failure, type Message, type Outcome } from "./message.ts";
export { letterNotFound, notFound as actorNotFound } from "./operations.ts";
export { type Member, missingRoles, placement } from "./placement.ts";
export { type Log, ShardHost, type ShardHostOptions } from "./shard-host.ts";
export { ActorSystem, type AskOptions } from "./system.ts";
export { runWorker, type WorkerContext, type WorkerKinds } from "./worker.ts";
export { WorkerPool, type WorkerPoolOptions, type WorkerReport } from "./worker-pool.ts";
