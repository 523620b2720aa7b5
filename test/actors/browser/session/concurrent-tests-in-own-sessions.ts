/** Runs tests of one file at the same time. Such tests mostly wait until a time limit of Cairn is over. */
import { test } from "bun:test";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { type SessionStage, sessionStage } from "./session-in-shared-test-browser.ts";

/** Time limit of a test in milliseconds. It is long, because all such tests of a file run at the same time. */
const TIMEOUT = 60_000;

/**
 * Defines a test with a session of its own. Tests that are defined immediately after each other run at the same
 * time.
 */
export function testInOwnSession(
  name: string,
  body: (stage: SessionStage) => Promise<void>,
  options?: Parameters<typeof sessionStage>[0],
): void {
  test.concurrent(
    name,
    async () => {
      const stage = await sessionStage(options);
      try {
        await body(stage);
      } finally {
        await stage.close();
      }
    },
    TIMEOUT,
  );
}

/** Runs the test like `testInOwnSession`, but only in the full tier. */
export const testInOwnSessionIfFull: typeof testInOwnSession = isFull ? testInOwnSession : () => {};
