/**
 * Tests the rate limits of keys and of wrong keys: a burst, then a steady rate, reported in the standard header
 * fields.
 */
import { describe, expect, test } from "bun:test";
import { FailedAuthThrottle, sourceOf } from "../../gateway/security/failed-auth-throttle.ts";
import { TokenBuckets } from "../../gateway/security/token-bucket.ts";
import { guardLimits } from "../../machines/audit/api-caller-limits.ts";
import { Refused } from "../../machines/errors.ts";
import { testGateway } from "./test-gateway.ts";

describe("the token bucket of a rate limit", () => {
  const rates = () => new TokenBuckets({ burst: 3, perSecond: 2 }, 2);

  test("gives all its tokens immediately, and then refills at its rate", () => {
    const bucket = rates();
    const at = (now: number) => bucket.take("ann", now).granted;
    expect([at(0), at(0), at(0), at(0), at(499), at(500), at(500), at(10_000)]).toEqual([
      ...[true, true, true, false],
      ...[false, true, false, true],
    ]);
  });

  test("is separate for each caller", () => {
    const bucket = rates();
    for (let i = 0; i < 4; i++) bucket.take("ann", 0);
    expect(bucket.take("ben", 0)).toMatchObject({ granted: true, left: 2 });
  });

  test("reports how many tokens are left, and when the next one is available", () => {
    const bucket = rates();
    expect(bucket.headers("key", bucket.take("ann", 0))).toEqual({
      "ratelimit-policy": '"key";q=3;w=2',
      ratelimit: '"key";r=2;t=1',
    });
    for (let i = 0; i < 2; i++) bucket.take("ann", 0);
    expect(bucket.take("ann", 0)).toEqual({ granted: false, left: 0, seconds: 1 });
  });

  test("can report that it is empty without taking a token", () => {
    const bucket = rates();
    expect(bucket.exhausted("ann", 0)).toBeUndefined();
    for (let i = 0; i < 3; i++) bucket.take("ann", 0);
    expect(bucket.exhausted("ann", 0)).toEqual({ granted: false, left: 0, seconds: 1 });
    expect(bucket.exhausted("ann", 500)).toBeUndefined();
    expect(bucket.take("ann", 500).granted).toBe(true);
  });

  test("is removed if it is the oldest one and there are too many buckets", () => {
    const bucket = rates();
    for (let i = 0; i < 3; i++) bucket.take("ann", 0);
    bucket.take("ben", 0);
    bucket.take("cid", 0);
    expect(bucket.take("ann", 0).left).toBe(2);
  });
});

describe("a gateway with rate limits", () => {
  const headers = { authorization: "Bearer the-right-key" };
  const env = { CAIRN_API_KEY: "the-right-key", CAIRN_API_KEYS: "other:read:another-right-key" };

  test("refuses a key above its rate, states for how long, and does not affect other keys", async () => {
    const gateway = testGateway({ env });
    const first = await gateway.call("GET", "/api/machines", undefined, headers);
    expect(first.headers.get("ratelimit-policy")).toBe('"key";q=1000;w=10');
    expect(first.headers.get("ratelimit")).toMatch(/^"key";r=\d+;t=\d+$/);
    let last = first;
    // The token bucket is refilled during the test. So slightly more requests may pass than the bucket holds.
    for (let i = 0; i < 20 * guardLimits.key.burst && last.status === 200; i++)
      last = await gateway.call("GET", "/api/machines", undefined, headers);
    expect(last.status).toBe(429);
    expect(last.body.error.code).toBe("security.rate_limited");
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(last.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/);
    const other = { authorization: "Bearer another-right-key" };
    expect((await gateway.call("GET", "/api/machines", undefined, other)).status).toBe(200);
    expect((await gateway.call("GET", "/health")).status).toBe(200);
  });

  test("refuses an address that tries too many wrong keys at the sign-in", async () => {
    const { app } = testGateway({ env });
    const attempt = () =>
      app.handle(
        new Request("http://127.0.0.1:8000/sign-in", {
          method: "POST",
          headers: { host: "127.0.0.1:8000" },
          body: new URLSearchParams({ key: "guess" }),
        }),
      );
    const statuses: number[] = [];
    for (let i = 0; i < 2 * guardLimits.signIn.burst; i++) statuses.push((await attempt()).status);
    expect(statuses.slice(0, guardLimits.signIn.burst)).toEqual(Array(guardLimits.signIn.burst).fill(401));
    expect(statuses).toContain(429);
  });

  test("counts no requests when no key is configured", async () => {
    const { headers: answered } = await testGateway().call("GET", "/api/machines");
    expect(answered.get("ratelimit")).toBeNull();
  });
});

describe("the limit for an address that guesses keys", () => {
  const ANN = { name: "ann", scope: "read" } as const;
  const named = new Request("http://127.0.0.1/api/knowledge", { headers: { authorization: "Bearer x" } });
  const unnamed = new Request("http://127.0.0.1/api/knowledge");
  const wrong = () => Promise.reject(new Refused("security.unauthorized", "No.", { status: 401 }));
  const right = () => Promise.resolve(ANN);

  /** Sends a number of wrong keys from one address, and returns the statuses of the answers. */
  async function guess(
    throttle: FailedAuthThrottle,
    address: string,
    request = named,
  ): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let i = 0; i <= guardLimits.wrongKey.burst; i++)
      await throttle.authenticate(request, address, wrong()).catch(({ status }) => statuses.push(status));
    return statuses;
  }

  test("refuses the address for some time, even with the right key", async () => {
    const throttle = new FailedAuthThrottle();
    const statuses = await guess(throttle, "192.0.2.1");
    expect(statuses).toEqual([...Array(guardLimits.wrongKey.burst).fill(401), 429]);
    await expect(throttle.authenticate(named, "192.0.2.1", right())).rejects.toMatchObject({
      code: "security.rate_limited",
      status: 429,
    });
    expect(await throttle.authenticate(named, "192.0.2.2", right())).toEqual(ANN);
  });

  test("does not lock out a key that was accepted from that address before", async () => {
    const throttle = new FailedAuthThrottle();
    await throttle.authenticate(named, "192.0.2.1", right());
    await guess(throttle, "192.0.2.1");
    expect(await throttle.authenticate(named, "192.0.2.1", right())).toEqual(ANN);
    const ben = Promise.resolve({ name: "ben", scope: "act" } as const);
    await expect(throttle.authenticate(named, "192.0.2.1", ben)).rejects.toMatchObject({ status: 429 });
  });

  test("counts only requests with a key", async () => {
    const throttle = new FailedAuthThrottle();
    expect(new Set(await guess(throttle, "192.0.2.1", unnamed))).toEqual(new Set([401]));
    expect(await throttle.authenticate(named, "192.0.2.1", right())).toEqual(ANN);
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("counts wrong keys from the address %s for the network %s", (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });
});
