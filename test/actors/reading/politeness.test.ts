import { describe, expect, test } from "bun:test";
import { type Clock, Politeness } from "../../../actors/reading/politeness.ts";

/** A clock that moves only when everybody sleeps and the test says so. */
class HeldClock implements Clock {
  #now = 0;
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sleepers.push({ at: this.#now + milliseconds, wake: resolve });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await Bun.sleep(0);
      const next = this.#sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
      this.#now = next.at;
      next.wake();
    }
    this.#now = end;
  }
}

const never = new AbortController().signal;

describe("politeness", () => {
  test("requests beyond the limit wait for their turn, in order", async () => {
    const politeness = new Politeness({ perHost: 2, clock: new HeldClock() });
    const order: number[] = [];
    const turns = Array.from({ length: 4 }, async (_, index) => {
      const leave = await politeness.enter("e.com", 0, never);
      order.push(index);
      return leave;
    });
    const first = await turns[0];
    await Bun.sleep(0);
    expect(order).toEqual([0, 1]);
    first?.();
    // A second call frees nobody else's turn.
    first?.();
    await Bun.sleep(0);
    expect(order).toEqual([0, 1, 2]);
    (await turns[1])?.();
    await Bun.sleep(0);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  test("hosts do not wait for each other", async () => {
    const politeness = new Politeness({ perHost: 1, clock: new HeldClock() });
    await politeness.enter("a.com", 0, never);
    await politeness.enter("b.com", 0, never);
    await politeness.enter("a.com:8080", 0, never);
  });

  test("a crawl-delay lies between the starts of two requests, one at a time", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ clock });
    const starts: number[] = [];
    for (let index = 0; index < 3; index++) {
      politeness.enter("e.com", 2_000, never).then((leave) => {
        starts.push(clock.now());
        leave();
      });
    }
    await clock.advance(1_999);
    expect(starts).toEqual([0]);
    await clock.advance(10_000);
    expect(starts).toEqual([0, 2_000, 4_000]);
  });

  test("a host that is overloaded is paused by its Retry-After, for everybody", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ clock });
    politeness.overloaded("e.com", 30_000);
    const starts: number[] = [];
    for (let index = 0; index < 2; index++)
      politeness.enter("e.com", 0, never).then(() => starts.push(clock.now()));
    await clock.advance(29_999);
    expect(starts).toEqual([]);
    await clock.advance(1);
    expect(starts).toEqual([30_000, 30_000]);
  });

  test("without a Retry-After the pause grows, but not by failures that were under way together", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ clock });
    const pauseOf = async (failures: number): Promise<number> => {
      const from = clock.now();
      for (let index = 0; index < failures; index++) politeness.overloaded("e.com", undefined);
      let start = Number.NaN;
      politeness.enter("e.com", 0, never).then((leave) => {
        start = clock.now();
        leave();
      });
      await clock.advance(3_600_000);
      return start - from;
    };
    expect([await pauseOf(16), await pauseOf(1), await pauseOf(1)]).toEqual([1_000, 2_000, 4_000]);
    for (let index = 0; index < 10; index++) await pauseOf(1);
    expect(await pauseOf(1)).toBe(60_000);
    politeness.recovered("e.com");
    expect(await pauseOf(1)).toBe(1_000);
  });

  test("an aborted wait gives its place away, in the queue and in a pause", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ perHost: 1, clock });
    const controller = new AbortController();
    const leave = await politeness.enter("e.com", 0, never);
    const queued = politeness.enter("e.com", 0, controller.signal).catch((error: Error) => error.message);
    const behind = politeness.enter("e.com", 0, never);
    controller.abort(new Error("paused"));
    expect(await queued).toBe("paused");
    leave();
    (await behind)();

    politeness.overloaded("e.com", 60_000);
    const second = new AbortController();
    const asleep = politeness.enter("e.com", 0, second.signal).catch((error: Error) => error.message);
    await Bun.sleep(0);
    second.abort(new Error("cancelled"));
    expect(await asleep).toBe("cancelled");
    const after = politeness.enter("e.com", 0, never);
    await clock.advance(60_000);
    await after;
  });
});
