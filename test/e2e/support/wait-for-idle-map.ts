/** Waits until the map of a finished exploration has ingested every page and grouped its screens. */
import type { Cairn } from "./cairn-test-process.ts";

/** Interval at which the map's state is polled, in milliseconds. */
const POLL = 50;
/**
 * Number of consecutive reads in which the map must be `idle`. One read is not enough, because the map may
 * start to work once more after the job has ended.
 */
const IDLE_READS = 3;

export async function untilMapIsIdle(cairn: Cairn, knowledgeId: string): Promise<void> {
  for (let idle = 0; idle < IDLE_READS; await Bun.sleep(POLL)) {
    const { body } = await cairn.get(`/api/actors/knowledge/${knowledgeId}`);
    idle = body.state === "idle" ? idle + 1 : 0;
  }
}
