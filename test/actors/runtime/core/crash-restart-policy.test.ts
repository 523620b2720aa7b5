/**
 * Tests supervision: how many crashes are permitted in a time window, and how long the pause before each
 * restart is.
 */
import { expect, test } from "bun:test";
import { CrashWindow, supervise } from "../../../../actors/runtime/core/crash-restart-policy.ts";
import { SimulatedClock, settled } from "../model/simulated-clock.ts";

const POLICY = { maxCrashes: 3, crashWindow: 60_000, backoff: 100, maxBackoff: 250 };

test("the supervision of a worker does not count crashes outside of the time window", () => {
  const crashes = new CrashWindow(2, 1_000);
  expect([0, 100, 1_050, 1_099].map((at) => crashes.add(at))).toEqual([false, false, false, true]);
  expect(crashes.recent).toBe(3);
});

test("the supervision of a worker restarts it after a pause that doubles up to a limit, and gives up after too many crashes", async () => {
  const clock = new SimulatedClock();
  const starts: number[] = [];
  const end = supervise(
    async () => {
      starts.push(clock.monotonic());
      return "crashed";
    },
    POLICY,
    clock,
  );
  await clock.advance(10_000);
  expect(starts).toEqual([0, 100, 300, 550]);
  expect(await end).toBe("exhausted");
});

test("the supervision of a worker keeps restarting it after rare crashes, each time with the shortest pause", async () => {
  const clock = new SimulatedClock();
  const starts: number[] = [];
  let crash = () => {};
  void supervise(
    (attempt) => {
      starts.push(attempt);
      return new Promise((resolve) => {
        crash = () => resolve("crashed");
      });
    },
    POLICY,
    clock,
  );
  for (let i = 0; i < 10; i++) {
    crash();
    await clock.advance(100);
    expect(starts).toHaveLength(i + 2);
    await clock.advance(POLICY.crashWindow);
  }
});

test("the supervision of a worker does not restart it after it was stopped on purpose", async () => {
  const clock = new SimulatedClock();
  let starts = 0;
  const end = supervise(
    async () => {
      starts += 1;
      return starts === 2 ? "stopped" : "crashed";
    },
    POLICY,
    clock,
  );
  await clock.advance(60_000);
  await settled();
  expect(await end).toBe("stopped");
  expect(starts).toBe(2);
});
