/**
 * Makes at the broker what every node needs there and whichever comes first makes: its streams and buckets.
 *
 * Nodes that start together make them together, and JetStream refuses one whose subjects are those of a stream that is
 * being made at that moment. Servers of a cluster that have only just met know nobody yet to keep a copy. Both pass.
 * Neighbours: `command-stream.nats.ts`, `lease.nats.ts` and `members.nats.ts` make things.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { busLimits } from "../../limits.ts";
import { apiCodes, apiError } from "./nats-errors.ts";

const PASSING: readonly (number | undefined)[] = [
  apiCodes.subjectsTaken,
  apiCodes.streamNameTaken,
  apiCodes.noPeers,
];

/** What `make` finds or makes; it is called again, for `busLimits.makePatience` ms, while what stops it may pass. */
export async function makeTogether<Made>(make: () => Promise<Made>): Promise<Made> {
  const until = performance.now() + busLimits.makePatience;
  for (;;) {
    try {
      return await make();
    } catch (error) {
      if (!PASSING.includes(apiError(error).code) || performance.now() >= until) throw error;
      await sleep(busLimits.makeAgain);
    }
  }
}
