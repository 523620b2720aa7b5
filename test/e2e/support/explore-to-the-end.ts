/** Runs an exploration to its end. */
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import type { Cairn } from "./cairn-test-process.ts";
import { untilMapIsIdle } from "./wait-for-idle-map.ts";

/**
 * Waits until the job has ended, and returns its status. The call is repeated, because a job may take longer
 * than the tool waits.
 */
export async function endOf(cairn: Cairn, job_id: string): Promise<ExplorationStatus> {
  for (;;) {
    await cairn.call("wait_for_exploration", { job_id });
    const status = await cairn.status(job_id);
    if (["completed", "failed", "cancelled"].includes(status.status)) return status;
  }
}

/** Starts an exploration, waits until it has ended, and returns its status. */
export async function exploreToTheEnd(
  cairn: Cairn,
  request: { readonly job_id: string } & Readonly<Record<string, unknown>>,
): Promise<ExplorationStatus> {
  const { status, body } = await cairn.call("start_knowledge_exploration", request);
  if (status !== 200) throw new Error(`the exploration did not start: ${JSON.stringify(body)}`);
  return await endOf(cairn, request.job_id);
}

/**
 * Explores a site into the map with the given id, and waits until the map has ingested every page and grouped its
 * screens. The job has the same id, unless the request names another one.
 */
export async function exploreIntoMap(
  cairn: Cairn,
  id: string,
  request: Readonly<Record<string, unknown>>,
): Promise<ExplorationStatus> {
  const status = await exploreToTheEnd(cairn, { knowledge_id: id, job_id: id, ...request });
  await untilMapIsIdle(cairn, id);
  return status;
}
