/**
 * Consumes the queue `knowledge-retrieval`, in which each job is one exploration. A job completes when the
 * map is searchable. A job whose consumer died is delivered again and finds the same exploration by its id.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Job, UnrecoverableError, Worker } from "bullmq";
import { asCairnError, type CairnError, Overloaded, TimedOut, Unavailable } from "../../machines/errors.ts";
import type { ExplorationStatus } from "../../machines/exploration/exploration-protocol.ts";
import { SECOND } from "../../machines/time-and-size-units.ts";
import type { Consuming } from "./browser-command-consumer.ts";
import type { RedisClient } from "./redis-connection.ts";
import { edgeLimits } from "./redis-queue-limits.ts";
import { KNOWLEDGE_RETRIEVAL } from "./redis-queue-names.ts";
import type { ToolRunner } from "./tool-calls-from-redis-queues.ts";

interface Waiting {
  /** Milliseconds for which a job waits for an answer of Cairn before it fails. */
  readonly answerWithin: number;
}

/**
 * The limits of a job's calls: their time, and the signal that is aborted when this node no longer consumes the
 * queue.
 */
type CallLimits = Waiting & Pick<Consuming, "stopped">;

export function consumeExplorations(
  connection: RedisClient,
  calls: ToolRunner,
  { prefix, stopped, failed, answerWithin }: Omit<Consuming, "refused"> & Waiting,
): Worker {
  const waiting = { stopped, answerWithin };
  const worker = new Worker(KNOWLEDGE_RETRIEVAL, (job: Job) => explore(job, calls, waiting), {
    connection,
    prefix,
    concurrency: edgeLimits.explorations,
    maxStalledCount: edgeLimits.takeovers,
  });
  worker.on("error", failed);
  return worker;
}

async function explore(job: Job, calls: ToolRunner, limits: CallLimits): Promise<ExplorationStatus> {
  const job_id = await untilAnswered(() => start(job, calls), limits);
  let shown = "";
  for (;;) {
    const status = await untilAnswered(() => statusOf(job_id, calls), limits);
    const { completed, queued, failed } = status.progress;
    const progress = { job_id, status: status.status, completed, queued, failed };
    if (JSON.stringify(progress) !== shown) {
      shown = JSON.stringify(progress);
      await job.updateProgress(progress);
    }
    if (status.status === "failed" || status.status === "cancelled") throw endedWithout(status);
    if (status.status === "completed" && status.progress.searchable >= completed) return status;
    await pause(edgeLimits.statusEvery);
    if (limits.stopped.aborted) await leftToTheNextHolder();
  }
}

/** Returns the error of a job whose exploration did not complete. */
function endedWithout({ status, error }: ExplorationStatus): UnrecoverableError {
  const why = error ? `${error.code}: ${error.message}` : "add a job with another id to explore again";
  return new UnrecoverableError(`exploration.${status}: ${why}`);
}

/**
 * Repeats a call until Cairn answers it. A call may fail for a while, for example because the store is unavailable.
 * Both calls of this consumer may be repeated: a second start with the same id and parameters finds the same
 * exploration. If Cairn does not answer in time, the job fails, and BullMQ may attempt it again. Other errors end the
 * job, with their code.
 */
async function untilAnswered<Answer>(
  call: () => Promise<Answer>,
  { stopped, answerWithin }: CallLimits,
): Promise<Answer> {
  const until = performance.now() + answerWithin;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (thrown) {
      const error = asCairnError(thrown);
      const isTemporary =
        error instanceof Unavailable || error instanceof TimedOut || error instanceof Overloaded;
      if (!isTemporary) throw new UnrecoverableError(`${error.code}: ${error.message}`);
      // If this node has lost the lease of the queue, it must not end the job. The node with the lease then
      // continues the job.
      if (!stopped.aborted && performance.now() >= until) throw unanswered(error, answerWithin);
      await pause(Math.min(edgeLimits.backoff * 2 ** attempt, edgeLimits.longestBackoff));
      if (stopped.aborted) await leftToTheNextHolder();
    }
  }
}

/** Returns the error of a job that Cairn did not answer in time. BullMQ may attempt such a job again. */
function unanswered({ code, message }: CairnError, answerWithin: number): Error {
  const seconds = Math.ceil(answerWithin / SECOND);
  return new Error(
    `${code}: ${message} Cairn did not answer the job for ${seconds} s. An exploration that has begun is kept: ` +
      "when /ready answers 200, retry this job, which then continues with the same exploration.",
  );
}

/**
 * Returns a promise that never resolves. The job then neither completes nor fails on this node. Its lock
 * expires, and the queue delivers the job to another node.
 */
function leftToTheNextHolder(): Promise<never> {
  return new Promise(() => {});
}

/** Starts the exploration, and returns its id. */
async function start({ id, data }: Job, calls: ToolRunner): Promise<string> {
  const { job_id: given, ...request } = Object(data) as { readonly job_id?: string | null };
  const job_id = given ?? id;
  const started = await calls.run("start_knowledge_exploration", { ...request, job_id }, String(id));
  // The cast is safe: the output schema of the tool contains this field.
  return (started as { readonly job_id: string }).job_id;
}

async function statusOf(job_id: string, calls: ToolRunner): Promise<ExplorationStatus> {
  // The cast is safe: the output schema of `get_exploration_status` defines this shape.
  return (await calls.run("get_exploration_status", { job_id }, job_id)) as ExplorationStatus;
}
