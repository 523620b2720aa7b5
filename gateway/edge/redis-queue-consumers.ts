/**
 * Consumes both queues for as long as this node holds the lease of the queues. When a connection is lost, all jobs
 * that are in progress are returned to their queues and taken again over new connections.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Worker } from "bullmq";
import { returnAbandonedJobs } from "./abandoned-queue-jobs.ts";
import { consumeCommands, type RefusedCommand } from "./browser-command-consumer.ts";
import { consumeExplorations } from "./exploration-queue-consumer.ts";
import { onceLost, type RedisClient } from "./redis-connection.ts";
import { edgeLimits } from "./redis-queue-limits.ts";
import { BROWSER_COMMANDS, KNOWLEDGE_RETRIEVAL } from "./redis-queue-names.ts";
import type { ToolRunner } from "./tool-calls-from-redis-queues.ts";

export interface ConsumersOptions {
  readonly connect: () => RedisClient;
  /** Prefix of the queues' keys in Redis (BullMQ's setting `prefix`). */
  readonly prefix: string;
  readonly calls: ToolRunner;
  /** Whether this node holds the lease of the queues. It must return false in case of doubt. */
  readonly isHolder: () => boolean;
  readonly failed: (error: unknown) => void;
  /** Publishes the failure of a command, if the command's session has not published it. */
  readonly refused: (command: RefusedCommand) => void;
  /** Milliseconds for which the job of an exploration waits for an answer of Cairn. */
  readonly answerWithin?: number | undefined;
  /** Called each time the consumers start, with the number of jobs that were returned to the queues. */
  readonly started: (abandoned: number) => void;
}

export class QueueConsumers {
  readonly #options: ConsumersOptions;
  readonly #ended: Promise<void>;
  #isClosed = false;
  /** Stops the current consumers and closes their connections. */
  #end: () => void = () => {};

  constructor(options: ConsumersOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /**
   * Stops the consumers. Jobs in progress stay in their queues for the next node that holds the lease of the queues.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) await this.#consume();
  }

  /** Consumes the queues over one pair of connections, until one of them is lost. */
  async #consume(): Promise<void> {
    const { connect, prefix, calls, failed, refused, started } = this.#options;
    const { answerWithin = edgeLimits.answerWithin } = this.#options;
    const stop = new AbortController();
    const connections = [connect(), connect()] as const;
    const over = new Promise<undefined>((resolve) => {
      this.#end = () => {
        stop.abort();
        // The connections are closed permanently. A connection that reconnects would repeat its unanswered request
        // for a job. The repeated request would take a second job, and no consumer would run the first.
        for (const connection of connections) connection.disconnect();
        resolve(undefined);
      };
    });
    for (const connection of connections)
      connection.once("ready", () => onceLost(connection, () => this.#endOf(stop)));
    const abandoned = await Promise.race([this.#takeBack(connections, stop.signal), over]);
    const workers: Worker[] = [];
    if (abandoned !== undefined) {
      const consuming = { prefix, stopped: stop.signal, failed, refused };
      workers.push(consumeCommands(connections[0], calls, consuming));
      workers.push(consumeExplorations(connections[1], calls, { ...consuming, answerWithin }));
      started(abandoned);
      await over;
    }
    await Promise.all(workers.map((worker) => worker.close(true).catch(failed)));
  }

  /**
   * Ends the consumption to which `stop` belongs, when one of its connections is lost. Does nothing if it has already
   * ended, because `#end` may then belong to the next pair of connections.
   */
  #endOf(stop: AbortController): void {
    if (!stop.signal.aborted) this.#end();
  }

  /** Returns the jobs in progress to their queues. Resolves to `undefined` if the connections were lost meanwhile. */
  async #takeBack(
    connections: readonly [RedisClient, RedisClient],
    stopped: AbortSignal,
  ): Promise<number | undefined> {
    const { prefix, isHolder, failed } = this.#options;
    await Promise.all(
      connections.map(
        (connection) => new Promise<void>((resolve) => connection.once("ready", () => resolve())),
      ),
    );
    // If the connection was lost for a long time, another node may hold the lease of the queues and run these jobs.
    // This node then waits until it holds the lease again.
    while (!isHolder() && !stopped.aborted) await pause(edgeLimits.holderEvery);
    if (stopped.aborted) return undefined;
    let abandoned = 0;
    try {
      for (const queue of [BROWSER_COMMANDS, KNOWLEDGE_RETRIEVAL])
        abandoned += await returnAbandonedJobs(connections[0], queue, prefix);
    } catch (error) {
      if (stopped.aborted) return undefined;
      failed(error);
      // If Redis refuses the script that returns jobs, the consumer reconnects again and again. This pause
      // separates the attempts.
      await pause(edgeLimits.backoff);
      this.#end();
      return undefined;
    }
    return abandoned;
  }
}
