/** Tests that one of two simultaneous answers to a dialogue is accepted, and the other is refused. */
import { setDefaultTimeout, test } from "bun:test";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { RACED_STATES, Raced } from "./dialogue-answer-races.ts";

setDefaultTimeout(180_000);
/** Number of races in each state. */
const RACES = isFull ? 3 : 1;

const cairn = await cairnOfTests();

test.each(RACED_STATES.filter((state) => isFull || state === "awaiting_approval"))(
  "one of two simultaneous answers to a dialogue in the state %s is accepted",
  async (state) => {
    const raced = new Raced(cairn, cairn, `races-${state}`);
    await raced.open();
    try {
      for (let number = 0; number < RACES; number++) await raced.race(state, number);
    } finally {
      await raced.close();
    }
  },
);
