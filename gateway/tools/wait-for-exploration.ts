/**
 * The tool that waits for an exploration and reports its progress. When the caller disconnects, the wait ends
 * and the exploration continues.
 */
import { z } from "zod";
import { explorationTopic } from "../../machines/exploration/exploration-events.ts";
import {
  type ExplorationStatus,
  jobRefSchema,
  statusSchema,
} from "../../machines/exploration/exploration-protocol.ts";
import { statusText } from "../../machines/exploration/exploration-text-for-model.ts";
import type { Cairn } from "../actor-system-interface.ts";
import { type Call, defineTool } from "./define-tool.ts";
import { toolLimits } from "./tool-limits.ts";

const { waitSeconds, maxWaitSeconds, pollInterval } = toolLimits;

const waitSchema = jobRefSchema.extend({
  wait_seconds: z
    .number()
    .int()
    .min(0)
    .max(maxWaitSeconds)
    .default(waitSeconds)
    .describe("How long to wait at most"),
});

const ENDED: readonly ExplorationStatus["status"][] = ["completed", "cancelled", "failed"];

/**
 * Reports the progress if more pages are done than at the last report (`reported`). Returns the number of
 * done pages for the next call.
 */
function reportProgress(
  { progress }: Call,
  { status, progress: counts }: ExplorationStatus,
  reported: number,
): number {
  const { completed, queued, failed, current_url } = counts;
  const done = completed + failed;
  if (done <= reported) return reported;
  progress?.(done, done + queued, `${status}: ${completed} pages${current_url ? `, at ${current_url}` : ""}`);
  return done;
}

/** Returns the status when the job has ended or when the time is over. */
async function waitForEnd(
  cairn: Cairn,
  jobId: string,
  until: number,
  call: Call,
): Promise<ExplorationStatus> {
  let wake = (): void => undefined;
  const unwatch = cairn.watch(explorationTopic(jobId, "exploration_progress"), () => wake());
  const onAbort = (): void => wake();
  call.signal?.addEventListener("abort", onAbort);
  try {
    let reported = -1;
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const status = await cairn.explorations.status(jobId);
      const remaining = until - performance.now();
      // Progress is reported only while the job runs. At its end, the result of the tool contains the same
      // counts.
      if (ENDED.includes(status.status) || remaining <= 0 || call.signal?.aborted) return status;
      reported = reportProgress(call, status, reported);
      // The status is polled in addition to the events, because events between nodes can be lost.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(remaining, pollInterval));
      });
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  } finally {
    unwatch();
    call.signal?.removeEventListener("abort", onAbort);
  }
}

export const waitForExploration = defineTool({
  name: "wait_for_exploration",
  scope: "read",
  description: "Wait until a knowledge retrieval job has ended, or for wait_seconds; answers its status",
  advice: {
    instead: "Wait until an exploration has ended, or for wait_seconds; answers its status.",
    use: "Still running: call it again.",
  },
  sets: ["core", "knowledge"],
  input: waitSchema,
  output: statusSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handle: (cairn, { job_id, wait_seconds }, call) =>
    waitForEnd(cairn, job_id, performance.now() + wait_seconds * 1_000, call),
  forModel: statusText,
});
