/**
 * Creates the streams and buckets that all nodes share; any node may be the first. JetStream refuses a stream
 * while another node creates it, and the servers of a new cluster do not know each other yet. Both conditions
 * are temporary, so the creation is repeated.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { busLimits } from "../../actor-runtime-limits.ts";
import { apiCodes, apiError } from "./nats-errors.ts";

const PASSING: readonly (number | undefined)[] = [
  apiCodes.subjectsTaken,
  apiCodes.streamNameTaken,
  apiCodes.noPeers,
];

/**
 * Calls `make` until it succeeds. A failure that may be temporary is repeated for at most
 * `busLimits.createPatience` milliseconds.
 */
export async function ensureTogether<Made>(make: () => Promise<Made>): Promise<Made> {
  const until = performance.now() + busLimits.createPatience;
  for (;;) {
    try {
      return await make();
    } catch (error) {
      if (!PASSING.includes(apiError(error).code) || performance.now() >= until) throw error;
      await sleep(busLimits.createAgainEvery);
    }
  }
}
