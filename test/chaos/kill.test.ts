/**
 * Three rounds of the main job under `kill -9` (`npm run chaos` plays twenty).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { StoredSite } from "../e2e/stored-site.ts";
import { randomFrom } from "./random.ts";
import { killMoments, playRound, type Stage, setStage } from "./rounds.ts";

const PATIENCE = 240_000;
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1e9);
const random = randomFrom(seed);
let stage: Stage;
/** What the first round stored: the others must have stored the same texts. */
let reference: StoredSite | undefined;

beforeAll(async () => {
  stage = await setStage();
}, PATIENCE);

afterAll(() => stage?.stop());

test.each([1, 2, 3])(
  `a job whose process tree is killed goes on by itself and loses and doubles nothing (seed ${seed}, round %d)`,
  async () => {
    const round = await playRound(stage, random, { moments: killMoments(random), reference });
    reference ??= round.stored;
    expect(round.faults).toEqual([]);
    expect(round.status).toBe("completed");
  },
  PATIENCE,
);
