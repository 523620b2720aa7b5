/** Tests fifty sessions on four browsers. `npm run chaos -- sessions` runs a thousand on eight. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { randomFrom } from "../support/seeded-random.ts";
import { seed } from "../test-run-tier-and-seed.ts";
import { playSessions } from "./many-sessions-on-few-browsers.ts";

setDefaultTimeout(180_000);
const size = { sessions: 50, live: 4, commands: 200 };

test(`${size.sessions} sessions on ${size.live} browsers answer ${size.commands} commands, each from its own page (seed ${seed})`, async () => {
  const { faults, peak, restored } = await playSessions({ ...size, random: randomFrom(seed) });
  expect(faults).toEqual([]);
  expect(peak).toBe(size.live);
  expect(restored).toBeGreaterThan(size.sessions);
});
