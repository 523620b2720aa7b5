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

/** The failure of a command that had not started yet, so it may be tried again. */
class NotBegun extends Error {}

interface Consuming {
  /** Aborted when this node no longer consumes the queue. */
  readonly stopped: AbortSignal;
  readonly failed: (error: Error) => void;
}

export function consumeCommands(connection: Redis, calls: EdgeCalls, { stopped, failed }: Consuming): Worker {
  const rooms = new Map<string, Promise<unknown>>();
  /** Runs the work when all earlier commands of the same session are done. */
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
  /** Ids of jobs that have a turn. */
  const queued = new Set<string>();
  /**
   * Waits until all jobs that left the queue before this one have a turn. BullMQ may call the processor of a newer job
   * first, because it fetches several jobs at once.
   */
  const afterOlder = async (id: string): Promise<void> => {
    for (;;) {
      // The newest job is first in the list.
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
      // Completed jobs are removed, also if their producer did not request it.
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
 * Performs a command. It is retried here and not by the queue, because later commands of the session must
 * wait for it.
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
    // The next consumer has this job and all later ones of the session. So this one must not end it, and must not start
    // any of them.
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
  // An actor remembers the outcome of an attempt under its id and does not run that id again. So each further
  // attempt needs a new id.
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
      // The restored page may be older than the last command, so an action on it may have another meaning.
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
 * Restores a session whose browser was lost, such as with its node, from its saved state. No person waits for a
 * queued command who could do so. The command has not started, because a failed session refuses actions.
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
 * Returns the job's id as command id if the caller chose it. An id that the queue assigned is a counter,
 * which may start again. It is made unique by the job's timestamp.
 */
function commandId({ id = "", timestamp }: Job): string {
  return /^\d+$/.test(id) ? `job-${timestamp}-${id}` : id;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
