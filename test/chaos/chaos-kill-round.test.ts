/**
 * Tests the main job (the exploration of a manual) under `kill -9`: one round on the C API of the Python
 * manual, and in the full tier three rounds on the complete manual. `npm run chaos` runs twenty.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { StoredSite } from "../e2e/compare-stored-site.ts";
import { randomFrom } from "../support/seeded-random.ts";
import { isFull, seed } from "../test-run-tier-and-seed.ts";
import { killMoments, parts, playRound, setStage } from "./chaos-kill-round.ts";

setDefaultTimeout(240_000);
/**
 * The shares (0 to 1) of the work after which the test kills the processes. They are low, so that the job
 * cannot end before the second kill.
 */
const EARLY = [0.1, 0.4];
const random = randomFrom(seed);
/** The texts that the first round has stored. Every later round must store the same texts. */
let reference: StoredSite | undefined;

const stage = await setStage(isFull ? parts.manual : parts.cApi);

afterAll(() => stage.stop());

test.each(isFull ? [1, 2, 3] : [1])(
  `an exploration continues after kills without lost or duplicate pages (seed ${seed}, round %d)`,
  async () => {
    const moments = isFull ? killMoments(random) : EARLY;
    const round = await playRound(stage, random, { moments, reference });
    reference ??= round.stored;
    expect(round.faults).toEqual([]);
    expect(round.status).toBe("completed");
    if (!isFull) expect(round.kills.length).toBeGreaterThanOrEqual(EARLY.length);
  },
);
