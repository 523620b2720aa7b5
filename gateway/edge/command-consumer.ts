/**
 * Consumes `browser_commands`: each job is one action of a session. The jobs of a room run in their order, also over
 * retries, and rooms run in parallel. The id of a job is the id of its command, so a job that is delivered twice is
 * done once.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Job, UnrecoverableError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { asCairnError, Unavailable } from "../../machines/errors.ts";
import { actionNamed, actionTable } from "../../machines/session/action-table.ts";
import type { EdgeCalls } from "./edge-calls.ts";
import { type BrowserCommand, browserCommand } from "./job-data.ts";
import { edgeLimits } from "./limits.ts";
import { BROWSER_COMMANDS } from "./queue-names.ts";

interface Outcome {
  readonly success: boolean;
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A failure before anything was done. */
class NotBegun extends Error {}

export function consumeCommands(connection: Redis, calls: EdgeCalls, failed: (error: Error) => void): Worker {
  const rooms = new Map<string, Promise<unknown>>();
  /** Runs after the earlier commands of the room. */
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
  const worker = new Worker(
    BROWSER_COMMANDS,
    async (job: Job) => {
      const command = commandOf(job);
      return await inTurn(command.room_name, () => perform(job, command, calls));
    },
    {
      connection,
      concurrency: edgeLimits.commands,
      maxStalledCount: edgeLimits.takeovers,
      // Also for producers that do not say so.
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

/** Tries again here, not through the queue, so that the later commands of the room wait. */
async function perform(job: Job, command: BrowserCommand, calls: EdgeCalls): Promise<Outcome> {
  const action = actionNamed(command.action_type);
  const isIdempotent = action !== undefined && actionTable[action].idempotent;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(job, command, calls, tries);
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
  tries: number,
): Promise<Outcome> {
  const jobId = commandId(job);
  // A try that was not begun is remembered under its id, so the next one has its own.
  const id = tries === 1 ? jobId : `${jobId}#${tries}`;
  let outcome: Outcome;
  try {
    // The tool's output schema is that of an outcome.
    outcome = (await calls.run("execute_action", { room_name, action_type, params, id }, jobId)) as Outcome;
  } catch (thrown) {
    const error = asCairnError(thrown);
    const message = `${error.code}: ${error.message}`;
    if (error instanceof Unavailable || error.status === 429) throw new NotBegun(message);
    throw new UnrecoverableError(message);
  }
  if (outcome.success) return outcome;
  const { code, begun } = outcome.data;
  const message = `${String(code)}: ${outcome.error}`;
  if (code !== "interrupted") throw new UnrecoverableError(message);
  throw begun === false ? new NotBegun(message) : new Error(message);
}

/** The caller's job id, or one that is unique when the queue counted it. */
function commandId({ id = "", timestamp }: Job): string {
  return /^\d+$/.test(id) ? `job-${timestamp}-${id}` : id;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
