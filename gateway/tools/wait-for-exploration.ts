/**
 * The tool that waits for an exploration and tells how far it is meanwhile.
 *
 * Explorations are started at once and go on by themselves; who has nothing else to do waits here instead of asking
 * again and again. Leaving ends the wait, not the job. Neighbour: `explorations.ts`.
 */
import { z } from "zod";
import { explorationTopic } from "../../machines/exploration/events.ts";
import { type ExplorationStatus, jobRefSchema, statusSchema } from "../../machines/exploration/protocol.ts";
import type { Cairn } from "../system.ts";
import { type Call, defineTool } from "./define-tool.ts";
import { toolLimits } from "./limits.ts";

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

const ended: readonly ExplorationStatus["status"][] = ["completed", "cancelled", "failed"];

function tell({ progress }: Call, { status, progress: counts }: ExplorationStatus, told: number): number {
  const { completed, queued, failed, current_url } = counts;
  const done = completed + failed;
  if (done <= told) return told;
  progress?.(done, done + queued, `${status}: ${completed} pages${current_url ? `, at ${current_url}` : ""}`);
  return done;
}

/** The status once the job has ended, or when the time is over. */
async function wait(cairn: Cairn, jobId: string, until: number, call: Call): Promise<ExplorationStatus> {
  let wake = (): void => undefined;
  const unwatch = cairn.watch(explorationTopic(jobId, "exploration_progress"), () => wake());
  const end = (): void => wake();
  call.signal?.addEventListener("abort", end);
  try {
    let told = -1;
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const status = await cairn.explorationStatus(jobId);
      const left = until - performance.now();
      // The answer itself tells the end.
      if (ended.includes(status.status) || left <= 0 || call.signal?.aborted) return status;
      told = tell(call, status, told);
      // What is told can get lost on its way between nodes, so it is not all that counts.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(left, pollInterval));
      });
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  } finally {
    unwatch();
    call.signal?.removeEventListener("abort", end);
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
    wait(cairn, job_id, performance.now() + wait_seconds * 1_000, call),
});
