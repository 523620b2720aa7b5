/**
 * The connection to Redis, with queues as input and events as output. One node of a cluster runs it, chosen by a
 * lease. Without Redis the state is `degraded`; accepted commands are not lost, and other interfaces are not
 * affected.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { OptionalPart } from "../optional-gateway-parts.ts";
import { ObjectStorage, type StorageSettings } from "./object-storage.ts";
import { connectRedis, problemOf, type RedisAddress, type RedisClient } from "./redis-connection.ts";
import { EventPublisher } from "./redis-event-publisher.ts";
import { RedisLease } from "./redis-lease.ts";
import { QueueConsumers } from "./redis-queue-consumers.ts";
import { edgeLimits } from "./redis-queue-limits.ts";
import { queuePrefix } from "./redis-queue-names.ts";
import { EdgeCalls, type EdgeSurface } from "./tool-calls-from-redis-queues.ts";

/** The consumers and the publisher that run only on the node that holds the lease of the queues. */
interface Leading {
  readonly consumers: QueueConsumers;
  readonly events: EventPublisher;
}

export interface RedisSettings extends RedisAddress {
  /** Prefix of all names of keys and channels in Redis. */
  readonly prefix: string;
  /** The storage for results that are too large for Redis. */
  readonly storage?: StorageSettings | undefined;
}

export class RedisEdge {
  readonly #address: RedisAddress;
  readonly #prefix: string;
  readonly #storage: ObjectStorage | undefined;
  readonly #surface: EdgeSurface;
  readonly #log: Log;
  readonly #redis: RedisClient;
  readonly #lease: RedisLease;
  #leading: Leading | undefined;
  #problem: string | undefined;
  #isClosed = false;

  /** @param owner a name of this node that differs at each start */
  constructor({ prefix, storage, ...address }: RedisSettings, owner: string, surface: EdgeSurface, log: Log) {
    this.#address = address;
    this.#prefix = prefix;
    this.#storage = storage && new ObjectStorage(storage);
    this.#surface = surface;
    this.#log = log;
    this.#redis = this.#connect();
    this.#redis.on("ready", () => {
      if (this.#problem !== undefined) log.info("redis is back");
      this.#problem = undefined;
    });
    this.#lease = new RedisLease(this.#redis, prefix, owner, {
      taken: () => this.#lead(),
      lost: () => this.#follow(),
    });
  }

  start(): void {
    void this.#takePart();
  }

  /**
   * Tries to get the lease of the queues as soon as Cairn has started. A node that is still starting must not hold
   * the lease, because another node may be ready to work.
   */
  async #takePart(): Promise<void> {
    const { system } = this.#surface;
    while (system.current === undefined && !this.#isClosed) await pause(edgeLimits.startedEvery);
    if (!this.#isClosed) this.#lease.start();
  }

  async check(): ReturnType<OptionalPart["check"]> {
    // When a node of a Redis Cluster has failed, the client repeats the check's command for a long time.
    // `/ready` must answer sooner, so the check has a time limit.
    const problem = await Promise.race([
      problemOf(this.#redis).catch(String),
      pause(edgeLimits.checkWithin, "no node has answered in time", { ref: false }),
    ]);
    const ok = problem === undefined;
    return {
      ok,
      detail: ok ? `answers; ${this.#role}` : `does not answer: ${this.#problem ?? problem}`,
    };
  }

  get #role(): string {
    if (this.#lease.held) return "this node consumes the queues";
    return this.#surface.system.current === undefined
      ? "this node consumes the queues when it has started"
      : "another node consumes the queues";
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lease.close();
    this.#redis.disconnect();
  }

  #connect(): RedisClient {
    return connectRedis(this.#address, (error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    // While Redis is unavailable, every operation fails for the same reason. So only the first failure is
    // logged.
    if (this.#problem === undefined) this.#log.warn("redis does not answer", { error: message });
    this.#problem = message;
  }

  async #lead(): Promise<void> {
    const cairn = await this.#surface.system.available();
    const failed = (error: unknown) => this.#failed(error);
    const events = new EventPublisher({
      redis: this.#redis,
      prefix: this.#prefix,
      cairn,
      storage: this.#storage,
      log: this.#log,
      failed,
    });
    const consumers = new QueueConsumers({
      connect: () => this.#connect(),
      prefix: queuePrefix(this.#prefix, this.#address.cluster),
      calls: new EdgeCalls(this.#surface),
      isHolder: () => this.#lease.held,
      failed,
      refused: (command) => events.refusedCommand(command),
      started: (abandoned) => this.#log.info("edge taken", { abandoned }),
    });
    this.#leading = { consumers, events };
  }

  async #follow(): Promise<void> {
    const leading = this.#leading;
    this.#leading = undefined;
    if (!leading) return;
    leading.events.close();
    // Redis delivers the unfinished jobs again to the next node that holds the lease of the queues. That node
    // recognises by their ids the commands that were already executed.
    await leading.consumers.close();
    this.#log.info("edge left");
  }
}
