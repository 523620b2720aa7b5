/**
 * Tests the main job (the exploration of a manual) under `kill -9`: three rounds on the complete Python manual.
 * `npm run chaos` runs twenty.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { StoredSite } from "../e2e/support/compare-stored-site.ts";
import { randomFrom } from "../support/seeded-random.ts";
import { seed } from "../test-run-tier-and-seed.ts";
import { killMoments, playRound, setStage } from "./chaos-kill-round.ts";

setDefaultTimeout(600_000);
const random = randomFrom(seed);
/** The texts that the first round has stored. Every later round must store the same texts. */
let reference: StoredSite | undefined;

const stage = await setStage();

afterAll(() => stage.stop());

test.each([1, 2, 3])(
  `an exploration continues after kills without lost or duplicate pages (seed ${seed}, round %d)`,
  async () => {
    const round = await playRound(stage, random, { moments: killMoments(random), reference });
    reference ??= round.stored;
    expect(round.faults).toEqual([]);
    expect(round.status).toBe("completed");
  },
);
