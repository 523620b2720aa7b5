/**
 * Creates streams and buckets that all nodes share, whichever node comes first.
 * JetStream refuses a stream whose subjects belong to one that is being created, and servers of a new cluster
 * have no peers yet. Both conditions pass, so the creation is repeated.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { busLimits } from "../../limits.ts";
import { apiCodes, apiError } from "./nats-errors.ts";

const PASSING: readonly (number | undefined)[] = [
  apiCodes.subjectsTaken,
  apiCodes.streamNameTaken,
  apiCodes.noPeers,
];

/** Calls `make` until it succeeds, for `busLimits.makePatience` ms while the failure may be temporary. */
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
