/**
 * Tests the timers of one actor. They are set from committed rows, fire only once, and fire in the order of
 * their due times.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import type { TimerRow } from "../../../../actors/runtime/core/actor-record.ts";
import { Timers } from "../../../../actors/runtime/core/actor-timers.ts";
import { SimulatedClock } from "../model/simulated-clock.ts";

describe("the timers of an actor", () => {
  let clock: SimulatedClock;
  let rang: number[];
  let timers: Timers;
  const row = (run: number, after: number): TimerRow => ({
    id: `t${run}`,
    run,
    at: clock.now() + after,
    event: { type: "tick" },
  });

  beforeEach(() => {
    clock = new SimulatedClock();
    rang = [];
    timers = new Timers(clock, ({ run }) => rang.push(run));
  });

  test("fire once, even if the row of a timer that fired remains", async () => {
    const rows = [row(1, 100)];
    timers.reconcile(rows);
    timers.reconcile(rows);
    await clock.advance(100);
    timers.reconcile(rows);
    await clock.advance(1_000);
    expect(rang).toEqual([1]);
  });

  test("do not fire after their rows were removed, while a timer whose row was added later fires once", async () => {
    timers.reconcile([row(1, 100), row(2, 100)]);
    timers.reconcile([row(3, 200)]);
    await clock.advance(150);
    expect(rang).toEqual([]);
    await clock.advance(50);
    expect(rang).toEqual([3]);
  });

  test("that are overdue fire in the order of their due times", async () => {
    timers.reconcile([row(1, -10), row(2, -30), row(3, -20), row(4, 5)]);
    await clock.advance(5);
    expect(rang).toEqual([2, 3, 1, 4]);
  });

  test("that became due while the computer slept fire when the timers are next compared with the stored rows", async () => {
    const rows = [row(1, 60_000), row(2, 3_600_000)];
    timers.reconcile(rows);
    clock.sleep(120_000);
    timers.reconcile(rows);
    await clock.advance(0);
    expect(rang).toEqual([1]);
    await clock.advance(60_000);
    expect(rang).toEqual([1]);
  });

  test("do not fire after they were cleared", async () => {
    timers.reconcile([row(1, 100)]);
    timers.clear();
    await clock.advance(1_000);
    expect(rang).toEqual([]);
  });
});
