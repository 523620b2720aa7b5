import { describe, expect, test } from "bun:test";
import { type AskHost, Politeness } from "../../../../actors/reading/fetch/host-request-rate.ts";
import type {
  Turn,
  TurnResult,
} from "../../../../actors/reading/fetch/shared-code-of-host-request-queues.ts";
import { AdaptiveLimit } from "../../../../machines/host/adaptive-request-limit.ts";
import { hostLimits } from "../../../../machines/host/host-concurrency-limits.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { HeldClock } from "../hand-advanced-test-clock.ts";

const never = new AbortController().signal;

/**
 * Simulates the workers of a Cairn and, for each host, the manager that all workers share. A worker asks the
 * manager for permission to send requests to the host. While `down` is true, managers do not answer.
 */
class Cluster {
  readonly clock = new HeldClock();
  readonly managers = new Map<string, AdaptiveLimit>();
  asked = 0;
  down = false;
  readonly ask: AskHost = async (host, request) => {
    await Promise.resolve();
    this.asked += 1;
    if (this.down) throw new Error("nobody answers");
    const manager = this.managers.get(host) ?? new AdaptiveLimit(16);
    this.managers.set(host, manager);
    return JSON.parse(JSON.stringify(manager.ask(request, this.clock.now())));
  };
  worker(member: string): Politeness {
    return new Politeness({ clock: this.clock, member, ask: this.ask });
  }
}

/**
 * Sends requests to a host in several loops, as fast as is permitted. Each request takes `takes`
 * milliseconds.
 */
function load(
  clock: HeldClock,
  politeness: Politeness,
  {
    lines,
    takes,
    delay = 0,
    signal = never,
  }: { lines: number; takes: number; delay?: number; signal?: AbortSignal },
  answer: () => TurnResult = () => "good",
) {
  const seen = { starts: [] as number[], now: 0, most: 0 };
  for (let line = 0; line < lines; line++) {
    void (async () => {
      while (!signal.aborted) {
        const turn = await politeness.enter("e.com", delay, signal);
        seen.starts.push(clock.now());
        seen.now++;
        seen.most = Math.max(seen.most, seen.now);
        await clock.sleep(takes, never);
        seen.now--;
        turn.leave(answer());
      }
    })().catch(() => {
      // The test has aborted the signal. `enter` then throws, and the loop ends.
    });
  }
  return seen;
}

describe("a single worker that reads from a host", () => {
  test("queues requests beyond the limit and starts them in order", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ perHost: 2, clock });
    const order: number[] = [];
    const turns = Array.from({ length: 4 }, async (_, index) => {
      const turn = await politeness.enter("e.com", 0, never);
      order.push(index);
      return turn;
    });
    const first = await turns[0];
    await clock.settle();
    expect(order).toEqual([0, 1]);
    first?.leave("good");
    // The first request calls `leave` a second time. This call must not free the place of another request.
    first?.leave("good");
    await clock.settle();
    expect(order).toEqual([0, 1, 2]);
    (await turns[1])?.leave("good");
    await clock.settle();
    expect(order).toEqual([0, 1, 2, 3]);
  });

  test("does not let one host's limit affect another host", async () => {
    const politeness = new Politeness({ perHost: 1, clock: new HeldClock() });
    await politeness.enter("a.com", 0, never);
    await politeness.enter("b.com", 0, never);
    await politeness.enter("a.com:8080", 0, never);
  });

  test("starts requests one crawl-delay apart, one at a time, even for redirects", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ clock });
    const starts: number[] = [];
    for (let index = 0; index < 3; index++) {
      void politeness.enter("e.com", 2_000, never).then(async (turn) => {
        starts.push(clock.now());
        if (index === 1) {
          await turn.waitForNext(never);
          starts.push(clock.now());
        }
        turn.leave("good");
      });
    }
    await clock.advance(1_999);
    expect(starts).toEqual([0]);
    await clock.advance(10_000);
    expect(starts).toEqual([0, 2_000, 4_000, 6_000]);
  });

  test("removes an aborted caller from the queue, even during a pause or a delay", async () => {
    const clock = new HeldClock();
    const politeness = new Politeness({ perHost: 1, clock });
    const aborted = async (waiting: Promise<Turn>, controller: AbortController): Promise<string> => {
      const message = waiting.then(
        () => "no",
        (error: Error) => error.message,
      );
      await clock.settle();
      controller.abort(new Error("stopped"));
      return await message;
    };
    const one = new AbortController();
    const turn = await politeness.enter("e.com", 0, never);
    const queued = aborted(politeness.enter("e.com", 0, one.signal), one);
    const behind = politeness.enter("e.com", 0, never);
    expect(await queued).toBe("stopped");
    turn.leave({ retryAfter: 60_000 });
    const two = new AbortController();
    expect(await aborted(politeness.enter("e.com", 0, two.signal), two)).toBe("stopped");
    await clock.advance(60_000);
    (await behind).leave("good");

    (await politeness.enter("slow.com", 30_000, never)).leave("good");
    const three = new AbortController();
    expect(await aborted(politeness.enter("slow.com", 30_000, three.signal), three)).toBe("stopped");
    const last = politeness.enter("slow.com", 30_000, never);
    await clock.advance(30_000);
    (await last).leave("good");
  });
});

describe("several workers that read from one host", () => {
  test("share its crawl-delay and take turns", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    const one = load(clock, cluster.worker("one"), { lines: 4, takes: 300, delay: 1_000 });
    const two = load(clock, cluster.worker("two"), { lines: 4, takes: 300, delay: 1_000 });
    await clock.advance(20_000);
    const starts = [...one.starts, ...two.starts].sort((a, b) => a - b);
    for (const [index, start] of starts.entries()) {
      if (index > 0) expect(start - (starts[index - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    }
    // In each crawl-delay (1 s), the two workers together start one request. Each worker starts about half of
    // all requests.
    expect(starts.length).toBeGreaterThanOrEqual(17);
    expect(Math.abs(one.starts.length - two.starts.length)).toBeLessThanOrEqual(2);
  });

  test("share its limit and never exceed it", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    const most = { now: 0 };
    const one = load(clock, cluster.worker("one"), { lines: 20, takes: 100 });
    await clock.advance(2_000);
    expect(one.most).toBe(16);
    const two = load(clock, cluster.worker("two"), { lines: 20, takes: 100 });
    for (let step = 0; step < 300; step++) {
      await clock.advance(10);
      most.now = Math.max(most.now, one.now + two.now);
    }
    expect(most.now).toBe(16);
    expect(two.now).toBe(8);
    expect(one.now).toBe(8);
  });

  test("all pause until the Retry-After that the host sent to one of them is over", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    let answer: TurnResult = "good";
    const one = load(clock, cluster.worker("one"), { lines: 4, takes: 100 }, () => answer);
    const two = load(clock, cluster.worker("two"), { lines: 4, takes: 100 });
    await clock.advance(3_000);
    answer = { retryAfter: 30_000 };
    await clock.advance(100);
    answer = "good";
    // A worker learns of a pause only when it renews its lease (the permission to read from the host). Until
    // then, it continues to read.
    await clock.advance(hostLimits.renewEvery);
    const before = [one.starts.length, two.starts.length];
    await clock.advance(29_000);
    expect([one.starts.length, two.starts.length]).toEqual(before);
    await clock.advance(2_000);
    expect(one.starts.length).toBeGreaterThan(before[0] ?? 0);
    expect(two.starts.length).toBeGreaterThan(before[1] ?? 0);
  });

  test.if(isFull)(
    "coordinate with only a few messages per second, whatever the number of page requests",
    async () => {
      const cluster = new Cluster();
      const worker = cluster.worker("one");
      const seen = load(cluster.clock, worker, { lines: 16, takes: 10 });
      await cluster.clock.advance(3_000);
      expect(seen.starts.length).toBeGreaterThan(3_000);
      expect(cluster.asked).toBeLessThan(20);
    },
  );

  test.if(isFull)(
    "continue to read while the manager of the host does not answer, except a worker that starts in that time",
    async () => {
      const cluster = new Cluster();
      const { clock } = cluster;
      const one = load(clock, cluster.worker("one"), { lines: 16, takes: 100 });
      await clock.advance(2_000);
      cluster.down = true;
      const two = load(clock, cluster.worker("two"), { lines: 1, takes: 100 });
      const before = one.starts.length;
      await clock.advance(5_000);
      expect(one.starts.length - before).toBeGreaterThan(500);
      expect(two.starts).toEqual([]);
      cluster.down = false;
      await clock.advance(5_000);
      expect(two.starts.length).toBeGreaterThan(10);
    },
  );

  test("report a pause of the host to a new manager, so that all workers obey the pause", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    const one = load(clock, cluster.worker("one"), { lines: 2, takes: 100 }, () => ({ retryAfter: 30_000 }));
    await clock.advance(200);
    cluster.managers.clear();
    await clock.advance(2 * hostLimits.renewEvery);
    const two = load(clock, cluster.worker("two"), { lines: 2, takes: 100 });
    await clock.advance(28_000);
    expect(one.starts).toEqual([0, 0]);
    expect(two.starts).toEqual([]);
    await clock.advance(2_000);
    expect(two.starts.length).toBeGreaterThan(0);
  });
});
