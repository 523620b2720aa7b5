/**
 * The tool that waits for an exploration and reports its progress. When the caller disconnects, the wait ends
 * and the exploration continues.
 */

import { z } from "zod";
import { explorationTopic } from "../../machines/exploration/build-exploration-events.ts";
import {
  type ExplorationStatus,
  jobRefSchema,
  statusSchema,
} from "../../machines/exploration/exploration-protocol.ts";
import { statusText } from "../../machines/exploration/exploration-text-for-model.ts";
import type { Cairn } from "../actor-system-interface.ts";
import { type Call, defineTool } from "./define-tool.ts";
import { repeatOnEvents } from "./repeat-check-until-result.ts";
import { readsData } from "./tool-annotations.ts";
import { toolLimits } from "./tool-limits.ts";

const { waitSeconds, maxWaitSeconds } = toolLimits;

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
function waitForEnd(cairn: Cairn, jobId: string, until: number, call: Call): Promise<ExplorationStatus> {
  const topic = explorationTopic(jobId, "exploration_progress");
  let reported = -1;
  return repeatOnEvents(cairn, topic, { until, signal: call.signal }, async (isOver) => {
    const status = await cairn.explorations.status(jobId);
    // Progress is reported only while the job runs. At its end, the result of the tool contains the same
    // counts.
    if (ENDED.includes(status.status) || isOver()) return status;
    reported = reportProgress(call, status, reported);
    return undefined;
  });
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
  annotations: readsData,
  handle: (cairn, { job_id, wait_seconds }, call) =>
    waitForEnd(cairn, job_id, performance.now() + wait_seconds * 1_000, call),
  forModel: statusText,
});
