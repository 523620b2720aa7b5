/**
 * Three rounds of the main job under `kill -9` (`npm run chaos` plays twenty).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomFrom } from "./random.ts";
import { playRound, type Stage, setStage } from "./rounds.ts";

const PATIENCE = 240_000;
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1e9);
const random = randomFrom(seed);
let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
}, PATIENCE);

afterAll(() => stage?.stop());

test.each([1, 2, 3])(
  `a job whose process tree is killed goes on by itself and loses and doubles nothing (seed ${seed}, round %d)`,
  async () => {
    const round = await playRound(stage, random);
    expect(round.faults).toEqual([]);
    expect(round.status).toBe("completed");
  },
  PATIENCE,
);
