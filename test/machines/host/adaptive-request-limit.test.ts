import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AdaptiveLimit } from "../../../machines/host/adaptive-request-limit.ts";
import type { Lease, LeaseReport, LeaseRequest } from "../../../machines/host/host-lease-messages.ts";

const nothing: LeaseReport = {
  epoch: 0,
  good: 0,
  timed: 0,
  latency: 0,
  busiest: 0,
  overloads: 0,
  retryAfter: null,
  failures: 0,
};

function request(report: Partial<LeaseReport> = {}, fields: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    member: "one",
    wanted: 100,
    active: 0,
    crawlDelay: 0,
    turnOver: null,
    pausedFor: 0,
    report: { ...nothing, ...report },
    ...fields,
  };
}

/** A worker that always sends as many requests as it may. The test moves the worker's clock. */
class BusyWorker {
  readonly limit = new AdaptiveLimit(16);
  now = 0;
  lease: Lease = this.exchange({});

  exchange(report: Partial<LeaseReport>, fields: Partial<LeaseRequest> = {}): Lease {
    this.now += 100;
    const { epoch = 0, share = 0 } = this.lease ?? {};
    const whole = { epoch, busiest: share, timed: report.good ?? 0, latency: 50, ...report };
    this.lease = this.limit.ask(request(whole, fields), this.now);
    return this.lease;
  }

  shares(reports: readonly Partial<LeaseReport>[]): number[] {
    return reports.map((report) => this.exchange(report).share);
  }
}

describe("the number of concurrent requests to a host", () => {
  test("doubles when all permitted requests had good answers, and after the first problem grows only by one", () => {
    const host = new BusyWorker();
    expect(host.lease.share).toBe(4);
    expect(host.shares([{ good: 4 }, { good: 8 }, { good: 16 }])).toEqual([8, 16, 16]);
    expect(host.exchange({ failures: 1 }).share).toBe(8);
    expect(host.shares([{ good: 8 }, { good: 9 }, { good: 10 }])).toEqual([9, 10, 11]);
  });

  test("does not grow while fewer requests run than it permits", () => {
    const host = new BusyWorker();
    expect(
      host.shares([
        { good: 50, busiest: 1 },
        { good: 50, busiest: 1 },
      ]),
    ).toEqual([4, 4]);
  });

  test("is halved by 429, 503 and lost requests, but not by requests that started before the last decrease", () => {
    for (const trouble of [{ overloads: 3 }, { failures: 3 }, { overloads: 1, retryAfter: 2_000 }]) {
      const host = new BusyWorker();
      host.shares([{ good: 4 }, { good: 8 }]);
      expect(host.exchange(trouble).share).toBe(8);
      // A report with an older `epoch` is about requests that started before the last decrease. Their failures must
      // not halve the limit once more.
      expect(host.exchange({ ...trouble, epoch: host.lease.epoch - 1 }).share).toBe(8);
      expect(host.shares([trouble, trouble, trouble, trouble])).toEqual([4, 2, 1, 1]);
    }
  });

  test("is halved when answers become much slower, but not if the host was always slow", () => {
    const host = new BusyWorker();
    host.shares([
      { good: 4, latency: 200 },
      { good: 8, latency: 200 },
    ]);
    expect(host.exchange({ good: 16, latency: 3_000 }).share).toBe(8);
    const slow = new BusyWorker();
    expect(slow.shares(Array.from({ length: 4 }, () => ({ good: 16, latency: 5_000 })))).toEqual([
      16, 16, 16, 16,
    ]);
    // The response times of the 8 requests in the second report were not measured (`timed: 0`). So this report does
    // not show whether the host is slow.
    const rendered = new BusyWorker();
    expect(
      rendered.shares([
        { good: 4, latency: 50 },
        { good: 8, timed: 0, latency: 0 },
        { good: 16, latency: 50 },
      ]),
    ).toEqual([8, 16, 16]);
    // A single slow answer (20 s) does not prove that the host is slow. So the number of permitted requests is not
    // halved.
    const even = new BusyWorker();
    even.shares([{ good: 4 }, { good: 8 }]);
    expect(even.exchange({ good: 1, latency: 20_000 }).share).toBe(16);
  });

  test("never exceeds the limit for all workers together, and every worker gets a share, for random reports", () => {
    const step = fc.record({
      member: fc.constantFrom("a", "b", "c", "d"),
      wanted: fc.integer({ min: 1, max: 40 }),
      good: fc.integer({ min: 0, max: 20 }),
      overloads: fc.integer({ min: 0, max: 2 }),
      wait: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const limit = new AdaptiveLimit(16);
        const held = new Map<string, { share: number; until: number; epoch: number }>();
        let now = 0;
        const ask = (member: string, wanted: number, report: Partial<LeaseReport>): number => {
          const own = held.get(member);
          const asked = request(
            { epoch: own?.epoch ?? 0, busiest: own?.share ?? 0, ...report },
            { member, wanted },
          );
          const { share, epoch } = limit.ask(asked, now);
          held.set(member, { share, until: now + 2_000, epoch });
          return share;
        };
        for (const { member, wanted, good, overloads, wait } of steps) {
          now += wait;
          ask(member, wanted, { good, overloads: good > 0 ? 0 : overloads });
          let sum = 0;
          for (const { share, until } of held.values()) if (until > now) sum += share;
          expect(sum).toBeLessThanOrEqual(16);
        }
        const served = new Set<string>();
        for (let round = 0; round < 40; round++) {
          now += 100;
          for (const member of ["a", "b", "c", "d"]) if (ask(member, 16, {}) > 0) served.add(member);
        }
        expect([...served].sort()).toEqual(["a", "b", "c", "d"]);
      }),
    );
  });
});

describe("the pause of requests to an overloaded host", () => {
  test("lasts as long as the host demands, at most ten minutes, and is extended by a longer demand", () => {
    const host = new BusyWorker();
    expect(host.exchange({ overloads: 1, retryAfter: 30_000 }).wait).toBe(30_000);
    expect(host.exchange({ overloads: 1, retryAfter: 5_000 }).wait).toBe(29_900);
    expect(host.exchange({ overloads: 1, retryAfter: 10 ** 9 }).wait).toBe(600_000);
  });

  test("grows with each overload without a Retry-After, until the host answers successfully", () => {
    const host = new BusyWorker();
    const pauseAfter = (report: Partial<LeaseReport>): number => {
      const { wait } = host.exchange(report);
      host.now += wait;
      return wait;
    };
    const overload = { overloads: 1 };
    expect([pauseAfter(overload), pauseAfter(overload), pauseAfter(overload)]).toEqual([1_000, 2_000, 4_000]);
    for (let times = 0; times < 10; times++) pauseAfter(overload);
    expect(pauseAfter(overload)).toBe(60_000);
    pauseAfter({ good: 1 });
    expect(pauseAfter(overload)).toBe(1_000);
  });

  test("starts for all workers when one worker reports it", () => {
    expect(new AdaptiveLimit(16).ask(request({}, { pausedFor: 7_000 }), 5).wait).toBe(7_000);
  });
});

describe("the turn (permission to send a request) at a host with a crawl-delay", () => {
  const ask = (
    limit: AdaptiveLimit,
    member: string,
    now: number,
    fields: Partial<LeaseRequest> = {},
  ): Lease => limit.ask(request({}, { member, wanted: 1, crawlDelay: 1_000, ...fields }), now);

  test("passes to another worker after each request, and the next request starts after the crawl-delay", () => {
    const limit = new AdaptiveLimit(16);
    expect(ask(limit, "one", 0)).toMatchObject({ share: 1, starts: 1, wait: 0 });
    expect(ask(limit, "two", 10)).toMatchObject({ share: 0 });
    // Worker "one" has just sent its request. Now worker "two" is next, because it waits.
    expect(ask(limit, "one", 300, { turnOver: 300 })).toMatchObject({ share: 0, wait: 700 });
    expect(ask(limit, "two", 400)).toMatchObject({ share: 1, wait: 600 });
    expect(ask(limit, "two", 1_500, { turnOver: 400, wanted: 0 })).toMatchObject({ share: 0 });
    expect(ask(limit, "one", 1_600)).toMatchObject({ share: 1, wait: 500 });
  });

  test("passes on without a delay if the worker sent no request", () => {
    const limit = new AdaptiveLimit(16);
    ask(limit, "one", 0);
    ask(limit, "one", 10, { turnOver: -1, wanted: 0 });
    expect(ask(limit, "two", 20)).toMatchObject({ share: 1, wait: 0 });
  });

  test("passes on if its holder has ended, and never to a worker that no longer waits", () => {
    const limit = new AdaptiveLimit(16);
    ask(limit, "gone", 0);
    ask(limit, "gone too", 10);
    expect(ask(limit, "two", 20).share).toBe(0);
    expect(ask(limit, "two", 89_000).share).toBe(0);
    expect(ask(limit, "two", 91_000).share).toBe(1);
  });
});
