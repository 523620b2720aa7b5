/**
 * Consumes the queue `browser_commands`, in which each job is one action of a session. Jobs of one session
 * run in order, also over retries, and different sessions run in parallel. The job's id is the command's id,
 * so a job that is delivered twice is done once.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Job, UnrecoverableError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { asCairnError, Unavailable } from "../../machines/errors.ts";
import { actionNamed, actionTable } from "../../machines/session/action-table.ts";
import type { EdgeCalls } from "./edge-calls.ts";
import { type BrowserCommand, browserCommand } from "./job-data.ts";
import { edgeLimits } from "./limits.ts";
import { ACTIVE_COMMANDS, BROWSER_COMMANDS } from "./queue-names.ts";

interface Outcome {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Code with which a session refuses actions after its browser was lost. */
const SESSION_FAILED = "session.failed";

const RESTORED =
  "interrupted: The browser of the session was lost. The session was restored from its saved state, and nothing was done " +
  "on it. Call analyze_page and decide again.";

/** The error of a command that was not started, so it can be retried safely. */
class NotBegun extends Error {}

interface Consuming {
  /** Aborted when this node no longer consumes the queue. */
  readonly stopped: AbortSignal;
  readonly failed: (error: Error) => void;
}

export function consumeCommands(connection: Redis, calls: EdgeCalls, { stopped, failed }: Consuming): Worker {
  const rooms = new Map<string, Promise<unknown>>();
  /** Runs the work after all earlier commands of the same session. */
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
  /** Ids of jobs that have started to wait for their turn in their session. */
  const queued = new Set<string>();
  /**
   * Waits until all older jobs have started to wait for their turn. BullMQ fetches several jobs at once, so
   * it may process a newer job first.
   */
  const afterOlder = async (id: string): Promise<void> => {
    for (;;) {
      // BullMQ lists the newest job first.
      const active = await connection.lrange(ACTIVE_COMMANDS, 0, -1);
      const older = active.slice(active.indexOf(id) + 1);
      if (stopped.aborted || older.every((other) => queued.has(other))) return;
      await pause(edgeLimits.olderEvery);
    }
  };
  const worker = new Worker(
    BROWSER_COMMANDS,
    async (job: Job) => {
      const { id = "" } = job;
      const command = commandOf(job);
      await afterOlder(id);
      queued.add(id);
      try {
        return await inTurn(command.room_name, () => perform(job, command, calls, stopped));
      } finally {
        queued.delete(id);
      }
    },
    {
      connection,
      concurrency: edgeLimits.commands,
      maxStalledCount: edgeLimits.takeovers,
      // Completed jobs are removed, even if their producer did not request that.
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
    throw new UnrecoverableError(`invalid_params: ${String(error)}`);
  }
}

/**
 * Executes a command, with retries. The retries run here and not in the queue, because later commands of the
 * session must wait for them.
 */
async function perform(
  job: Job,
  command: BrowserCommand,
  calls: EdgeCalls,
  stopped: AbortSignal,
): Promise<Outcome> {
  const action = actionNamed(command.action_type);
  const isIdempotent = action !== undefined && actionTable[action].idempotent;
  for (let tries = 1; ; tries++) {
    // After `stopped`, the next consumer executes this job and all later jobs of the session. So this
    // consumer neither completes this job nor starts a later one.
    if (stopped.aborted) return await new Promise<never>(() => {});
    try {
      return await attempt(job, command, calls, { tries, isIdempotent });
    } catch (error) {
      const mayRepeat = error instanceof NotBegun || (isIdempotent && !(error instanceof UnrecoverableError));
      if (!mayRepeat || tries >= edgeLimits.tries)
        throw error instanceof UnrecoverableError ? error : new UnrecoverableError(messageOf(error));
      await pause(edgeLimits.backoff * 2 ** (tries - 1));
    }
  }
}

async function attempt(
  job: Job,
  { room_name, action_type, params }: BrowserCommand,
  calls: EdgeCalls,
  { tries, isIdempotent }: { readonly tries: number; readonly isIdempotent: boolean },
): Promise<Outcome> {
  const jobId = commandId(job);
  // An actor stores the outcome of each attempt under its id, and does not run a known id again. So each
  // retry needs a new id.
  const id = tries === 1 ? jobId : `${jobId}#${tries}`;
  let outcome: Outcome;
  try {
    // The cast is safe: the output schema of `execute_action` describes an outcome.
    outcome = (await calls.run("execute_action", { room_name, action_type, params, id }, jobId)) as Outcome;
  } catch (thrown) {
    const error = asCairnError(thrown);
    const message = `${error.code}: ${error.message}`;
    if (error.code === SESSION_FAILED) {
      await recover(room_name, calls, jobId);
      // The restored page may be older than the last command. An action that is not idempotent could then
      // affect something else.
      if (!isIdempotent) throw new UnrecoverableError(RESTORED);
      throw new NotBegun(message);
    }
    if (error instanceof Unavailable || error.status === 429) throw new NotBegun(message);
    throw new UnrecoverableError(message);
  }
  if (outcome.success) return outcome;
  const { code, begun } = outcome.data;
  const message = `${String(code)}: ${outcome.error}`;
  if (code !== "interrupted") throw new UnrecoverableError(message);
  throw begun === false ? new NotBegun(message) : new Error(message);
}

/**
 * Restores a session whose browser was lost, for example because its node failed. A queued command has no
 * caller who could restore it. The command was not executed, because a failed session refuses actions.
 */
async function recover(room_name: string, calls: EdgeCalls, jobId: string): Promise<void> {
  try {
    await calls.run("recover_browser_session", { room_name }, jobId);
  } catch (thrown) {
    const error = asCairnError(thrown);
    const message = `${error.code}: ${error.message}`;
    throw error instanceof Unavailable ? new NotBegun(message) : new UnrecoverableError(message);
  }
}

/**
 * Returns the job's id as command id if the caller has chosen the job's id. An id from the queue is only a
 * counter, which may restart, so the job's timestamp is added.
 */
function commandId({ id = "", timestamp }: Job): string {
  return /^\d+$/.test(id) ? `job-${timestamp}-${id}` : id;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
