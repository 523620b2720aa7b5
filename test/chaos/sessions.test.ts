/** Fifty sessions on four browsers (`npm run chaos -- sessions` plays a thousand on eight). */
import { expect, test } from "bun:test";
import { randomFrom } from "./random.ts";
import { playSessions } from "./sessions.ts";

const PATIENCE = 180_000;
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1e9);

test(
  `fifty sessions with four browsers answer 200 commands each for itself (seed ${seed})`,
  async () => {
    const round = { sessions: 50, live: 4, commands: 200, random: randomFrom(seed) };
    const { faults, peak, woken } = await playSessions(round);
    expect(faults).toEqual([]);
    expect(peak).toBe(4);
    expect(woken).toBeGreaterThan(50);
  },
  PATIENCE,
);
