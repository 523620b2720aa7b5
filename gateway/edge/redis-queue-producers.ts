/** Typed producers of the queues, for programs written in TypeScript. */
import { Queue } from "bullmq";
import { connectRedis, type RedisClient } from "./redis-connection.ts";
import {
  BROWSER_COMMANDS,
  commandOptions,
  explorationOptions,
  KNOWLEDGE_RETRIEVAL,
  queuePrefix,
} from "./redis-queue-names.ts";

export interface CommandJob {
  readonly action_type: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly room_name?: string;
  readonly session_id?: string;
  readonly when_held?: "refuse" | "wait";
}

export interface ExplorationJob {
  readonly start_url: string;
  readonly max_pages?: number;
  readonly max_depth?: number;
  readonly strategy?: "BFS" | "DFS";
  /** Id of the job. If it is absent or `null`, the job gets a new id. */
  readonly job_id?: string | null;
  readonly [option: string]: unknown;
}

export class EdgeProducers {
  readonly #commands: Queue;
  readonly #explorations: Queue;
  readonly #connections: readonly RedisClient[];

  /**
   * @param redisUrl the address of Redis, as in `REDIS_URL`
   * @param prefix the prefix of all names in Redis, as in `CAIRN_REDIS_PREFIX`
   * @param cluster whether the Redis is a Redis Cluster, as in `CAIRN_REDIS_CLUSTER`
   */
  constructor(
    redisUrl: string,
    {
      prefix = "",
      cluster = false,
      failed = () => {},
    }: {
      readonly prefix?: string;
      readonly cluster?: boolean;
      readonly failed?: (error: Error) => void;
    } = {},
  ) {
    const address = { url: redisUrl, cluster };
    const connections = [connectRedis(address, failed), connectRedis(address, failed)] as const;
    this.#connections = connections;
    this.#commands = new Queue(BROWSER_COMMANDS, {
      connection: connections[0],
      prefix: queuePrefix(prefix, cluster),
    });
    this.#explorations = new Queue(KNOWLEDGE_RETRIEVAL, {
      connection: connections[1],
      prefix: queuePrefix(prefix, cluster),
    });
    for (const queue of [this.#commands, this.#explorations]) queue.on("error", failed);
  }

  /**
   * Adds a command and returns the id of its job. A second command with the same id is not executed again.
   */
  async send_command(command: CommandJob, jobId: string = crypto.randomUUID()): Promise<string> {
    await this.#commands.add(command.action_type, command, { ...commandOptions, jobId });
    return jobId;
  }

  /** Adds an exploration job to the queue, and returns its id. */
  async add_exploration_job({ job_id: given, ...request }: ExplorationJob): Promise<string> {
    const job_id = given ?? crypto.randomUUID();
    await this.#explorations.add("explore", { ...request, job_id }, { ...explorationOptions, jobId: job_id });
    return job_id;
  }

  async close(): Promise<void> {
    await Promise.all([this.#commands.close(), this.#explorations.close()]);
    for (const connection of this.#connections) connection.disconnect();
  }
}
