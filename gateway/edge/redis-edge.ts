/**
 * The connection to Redis, with queues as input and events as output. One node of a cluster runs it, chosen
 * by a lease. Without Redis the state is `degraded`; accepted commands are still durable, and other
 * interfaces are not affected.
 */
import type { Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Log } from "../log.ts";
import type { OptionalPart } from "../optional-parts.ts";
import { returnAbandonedJobs } from "./abandoned-jobs.ts";
import { consumeCommands } from "./command-consumer.ts";
import { EdgeCalls, type EdgeSurface } from "./edge-calls.ts";
import { EventPublisher } from "./event-publisher.ts";
import { consumeExplorations } from "./exploration-consumer.ts";
import { connectRedis } from "./redis-connection.ts";
import { RedisLease } from "./redis-lease.ts";

/** The connections, consumers and publisher that run only on the node that holds the lease. */
interface Leading {
  readonly connections: readonly Redis[];
  readonly workers: readonly Worker[];
  readonly events: EventPublisher;
  readonly stop: AbortController;
}

export class RedisEdge {
  readonly #url: string;
  readonly #surface: EdgeSurface;
  readonly #log: Log;
  readonly #redis: Redis;
  readonly #lease: RedisLease;
  #leading: Leading | undefined;
  #problem: string | undefined;

  /** @param owner a name of this node that is different after each start */
  constructor(url: string, owner: string, surface: EdgeSurface, log: Log) {
    this.#url = url;
    this.#surface = surface;
    this.#log = log;
    this.#redis = this.#connect();
    this.#redis.on("ready", () => {
      if (this.#problem !== undefined) log.info("redis is back");
      this.#problem = undefined;
    });
    this.#lease = new RedisLease(this.#redis, owner, {
      taken: () => this.#lead(),
      lost: () => this.#follow(),
    });
  }

  start(): void {
    this.#lease.start();
  }

  async check(): ReturnType<OptionalPart["check"]> {
    const ok = this.#redis.status === "ready";
    const role = this.#lease.held ? "this node consumes the queues" : "another node consumes the queues";
    return {
      ok,
      detail: ok ? `answers; ${role}` : `does not answer: ${this.#problem ?? this.#redis.status}`,
    };
  }

  async close(): Promise<void> {
    await this.#lease.close();
    this.#redis.disconnect();
  }

  #connect(): Redis {
    return connectRedis(this.#url, (error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    // While Redis is unavailable, every operation fails for the same reason. So the log reports only the
    // first failure.
    if (this.#problem === undefined) this.#log.warn("redis does not answer", { error: message });
    this.#problem = message;
  }

  async #lead(): Promise<void> {
    const cairn = await this.#surface.system.available();
    const calls = new EdgeCalls(this.#surface);
    const stop = new AbortController();
    const failed = (error: unknown) => this.#failed(error);
    const connections = [this.#connect(), this.#connect()] as const;
    const abandoned = await returnAbandonedJobs(this.#redis);
    this.#leading = {
      stop,
      connections,
      workers: [
        consumeCommands(connections[0], calls, { stopped: stop.signal, failed }),
        consumeExplorations(connections[1], calls, { stopped: stop.signal, failed }),
      ],
      events: new EventPublisher(this.#redis, cairn, failed),
    };
    const queues = this.#leading.workers.map(({ name }) => name);
    this.#log.info("edge taken", { queues, abandoned });
  }

  async #follow(): Promise<void> {
    const leading = this.#leading;
    this.#leading = undefined;
    if (!leading) return;
    leading.events.close();
    leading.stop.abort();
    // Redis delivers jobs in progress again to the next holder of the lease. That node recognises commands
    // that were already executed by their ids.
    await Promise.all(
      leading.workers.map((worker) => worker.close(true).catch((error) => this.#failed(error))),
    );
    for (const connection of leading.connections) connection.disconnect();
    this.#log.info("edge left");
  }
}
