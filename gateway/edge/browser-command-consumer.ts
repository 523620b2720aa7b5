/**
 * Consumes the queue `browser_commands`, in which each job is one action of a session. Jobs of one session
 * run in order, even if a job is retried, and jobs of different sessions run in parallel. The job's id is the
 * command's id, so the session runs a job once even if the queue delivers it twice.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Job, UnrecoverableError, Worker } from "bullmq";
import { asCairnError, TimedOut, Unavailable } from "../../machines/errors.ts";
import { actionNamed, actionTable } from "../../machines/session/actions/browser-action-names-and-risks.ts";
import { type BrowserCommand, browserCommand } from "./queue-job-schemas.ts";
import type { RedisClient } from "./redis-connection.ts";
import { edgeLimits } from "./redis-queue-limits.ts";
import { BROWSER_COMMANDS, queueKey } from "./redis-queue-names.ts";
import type { ToolRunner } from "./tool-calls-from-redis-queues.ts";

interface Outcome {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Error code with which a session refuses actions after its browser was lost. */
const SESSION_FAILED = "session.failed";
/** Error code of an action that the session has accepted, and that waits because all browsers are in use. */
const CROWDED = "session.crowded";

const RESTORED =
  "interrupted: The browser of the session was lost. The session was restored from its saved state, and nothing was done " +
  "on it. Call analyze_page and decide again.";

/** The error of a command that its session has not started, so the command can be retried safely. */
class NotBegun extends Error {
  /** Whether the session has published the failure as an event. */
  readonly isPublished: boolean;

  constructor(message: string, isPublished = false) {
    super(message);
    this.isPublished = isPublished;
  }
}

/** The final error of a command whose failure the session has published as an event. */
class PublishedFailure extends UnrecoverableError {}

/**
 * The error of a command that the session has accepted or may have accepted. The command can be retried
 * safely only with the same command id.
 */
class Unanswered extends Error {
  /** Whether the session has accepted the command and is waiting until a browser is free. */
  readonly isWaiting: boolean;

  constructor(message: string, isWaiting: boolean) {
    super(message);
    this.isWaiting = isWaiting;
  }
}

export interface Consuming {
  /** Prefix of the queue's keys in Redis (BullMQ's setting `prefix`). */
  readonly prefix: string;
  /** Signal that is aborted when this node no longer consumes the queue. */
  readonly stopped: AbortSignal;
  readonly failed: (error: Error) => void;
  /** Publishes the failure of a command, if the session of the command has not published it. */
  readonly refused: (command: RefusedCommand) => void;
}

export interface RefusedCommand {
  readonly room_name: string;
  readonly action_type: string;
  readonly job_id: string;
  readonly command_id: string;
  /** The reason of the refusal: an error code and a message, as in `session.not_found: …`. */
  readonly reason: string;
}

export function consumeCommands(
  connection: RedisClient,
  calls: ToolRunner,
  { prefix, stopped, failed, refused }: Consuming,
): Worker {
  const rooms = new Map<string, Promise<unknown>>();
  /** Calls `work` when all earlier commands of the same session are done. */
  const inTurn = <T>(room: string, work: () => Promise<T>): Promise<T> => {
    const turn = (rooms.get(room) ?? Promise.resolve()).then(work, work);
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (rooms.get(room) === settled) rooms.delete(room);
      });
    rooms.set(room, settled);
    return turn;
  };
  /**
   * Ids of the jobs in the waiting lines of all sessions. Each session runs the jobs of its waiting line one
   * after another.
   */
  const queued = new Set<string>();
  /**
   * Waits until all older jobs have joined the waiting lines of their sessions. BullMQ fetches several jobs
   * at once, so it may process a newer job first.
   */
  const afterOlder = async (id: string): Promise<void> => {
    for (;;) {
      // BullMQ lists the newest job first, so the older jobs are those after this job.
      const active = await connection.lrange(queueKey(prefix, BROWSER_COMMANDS, "active"), 0, -1);
      const older = active.slice(active.indexOf(id) + 1);
      if (stopped.aborted || older.every((other) => queued.has(other))) return;
      await pause(edgeLimits.olderEvery);
    }
  };
  const worker = new Worker(
    BROWSER_COMMANDS,
    async (job: Job) => {
      const { id = "" } = job;
      try {
        const command = commandOf(job);
        await afterOlder(id);
        queued.add(id);
        return await inTurn(command.room_name, () => perform(job, command, calls, stopped));
      } catch (error) {
        // If this node no longer consumes the queue, the next node that holds the lease of the queues runs the job.
        if (stopped.aborted) throw error;
        const command = refusedCommand(job, messageOf(error));
        if (command && !(error instanceof PublishedFailure)) refused(command);
        throw error;
      } finally {
        queued.delete(id);
      }
    },
    {
      connection,
      prefix,
      concurrency: edgeLimits.commands,
      maxStalledCount: edgeLimits.takeovers,
      // Completed jobs are removed from the queue, even if their producer did not request this.
      removeOnComplete: { count: 0 },
    },
  );
  worker.on("error", failed);
  return worker;
}

function commandOf(job: Job): BrowserCommand {
  try {
    return browserCommand(job.name, job.data);
  } catch (error) {
    const { code, message } = asCairnError(error);
    throw new UnrecoverableError(`${code}: ${message}`);
  }
}

/**
 * Returns the command of a failed job, with the reason of the failure; `undefined` if the job names no
 * session.
 */
function refusedCommand(job: Job, reason: string): RefusedCommand | undefined {
  const { room_name, session_id, action_type } = Object(job.data) as Readonly<Record<string, unknown>>;
  const room = room_name ?? session_id;
  if (typeof room !== "string") return undefined;
  const job_id = commandId(job);
  const action = typeof action_type === "string" ? action_type : job.name;
  return { room_name: room, action_type: action, job_id, command_id: job_id, reason };
}

/**
 * Executes a command, with retries. Retries do not go through the queue, because later commands of the
 * session must wait for them.
 */
async function perform(
  job: Job,
  command: BrowserCommand,
  calls: ToolRunner,
  stopped: AbortSignal,
): Promise<Outcome> {
  const action = actionNamed(command.action_type);
  const isIdempotent = action !== undefined && actionTable[action].idempotent;
  let attempts = 1;
  let unanswered = 0;
  for (;;) {
    // `stopped` is aborted when another node takes over the queue. The other node runs this job and all later
    // jobs of the session, so this node must not end the job. The returned promise therefore never resolves.
    if (stopped.aborted) return await new Promise<never>(() => {});
    try {
      return await attempt(job, command, calls, { attempts, isIdempotent });
    } catch (error) {
      if (error instanceof Unanswered) {
        if (!error.isWaiting) unanswered += 1;
        if (unanswered >= edgeLimits.unanswered) throw new UnrecoverableError(error.message);
        await pause(Math.min(edgeLimits.backoff * 2 ** unanswered, edgeLimits.longestBackoff));
        continue;
      }
      const mayRepeat = error instanceof NotBegun || (isIdempotent && !(error instanceof UnrecoverableError));
      if (!mayRepeat || attempts >= edgeLimits.tries)
        throw error instanceof UnrecoverableError ? error : finalFailure(error);
      await pause(edgeLimits.backoff * 2 ** (attempts - 1));
      attempts += 1;
    }
  }
}

/**
 * Returns the final error of a command. The error's class states whether the failure was already published: the
 * session publishes the failures of all commands that it has begun.
 */
function finalFailure(error: unknown): UnrecoverableError {
  const isPublished = !(error instanceof NotBegun) || error.isPublished;
  const message = messageOf(error);
  return isPublished ? new PublishedFailure(message) : new UnrecoverableError(message);
}

async function attempt(
  job: Job,
  { room_name, ...command }: BrowserCommand,
  calls: ToolRunner,
  { attempts, isIdempotent }: { readonly attempts: number; readonly isIdempotent: boolean },
): Promise<Outcome> {
  const jobId = commandId(job);
  // An actor stores the outcome of each command by the command's id, and never runs an id twice. A retry of a
  // failed command therefore needs a new id.
  const id = attempts === 1 ? jobId : `${jobId}#${attempts}`;
  let outcome: Outcome;
  try {
    // The cast is safe: by its output schema, `execute_action` returns an outcome.
    outcome = (await calls.run("execute_action", { room_name, ...command, id }, jobId)) as Outcome;
  } catch (thrown) {
    const error = asCairnError(thrown);
    const message = `${error.code}: ${error.message}`;
    if (error.code === SESSION_FAILED) {
      await recover(room_name, calls, jobId);
      // After the restore, the session may show an earlier page than before. On such a page, a command that has a
      // further effect when it is repeated could change the wrong thing. So such a command is not retried.
      if (!isIdempotent) throw new UnrecoverableError(RESTORED);
      throw new NotBegun(message);
    }
    if (error instanceof Unavailable || error instanceof TimedOut)
      throw new Unanswered(message, error.code === CROWDED);
    if (error.status === 429) throw new NotBegun(message);
    throw new UnrecoverableError(message);
  }
  if (outcome.success) return outcome;
  const { code, begun } = outcome.data;
  const message = `${String(code)}: ${outcome.error}`;
  if (code !== "interrupted") throw new PublishedFailure(message);
  throw begun === false ? new NotBegun(message, true) : new Error(message);
}

/**
 * Restores a session whose browser was lost, for example because its node failed. The command came from a
 * queue, so there is no caller who could restore the session. A failed session refuses actions, so the
 * command was not executed.
 */
async function recover(room_name: string, calls: ToolRunner, jobId: string): Promise<void> {
  try {
    await calls.run("recover_browser_session", { room_name }, jobId);
  } catch (thrown) {
    const error = asCairnError(thrown);
    const message = `${error.code}: ${error.message}`;
    throw error instanceof Unavailable || error instanceof TimedOut
      ? new Unanswered(message, error.code === CROWDED)
      : new UnrecoverableError(message);
  }
}

/**
 * Returns the id of the command. If the caller has chosen the job's id, it is this id. An id from the queue
 * is only a counter, which may restart, so the job's timestamp is added.
 */
function commandId({ id = "", timestamp }: Job): string {
  return /^\d+$/.test(id) ? `job-${timestamp}-${id}` : id;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
