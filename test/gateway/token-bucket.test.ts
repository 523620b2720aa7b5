/**
 * How much a key may ask: a burst, then a steady flow, told in the standard fields.
 */
import { describe, expect, test } from "bun:test";
import { FailedAuthThrottle, sourceOf } from "../../gateway/security/failed-auth-throttle.ts";
import { TokenBuckets } from "../../gateway/security/token-bucket.ts";
import { guardLimits } from "../../machines/audit/limits.ts";
import { Refused } from "../../machines/errors.ts";
import { testGateway } from "./test-gateway.ts";

describe("a bucket", () => {
  const rates = () => new TokenBuckets({ burst: 3, perSecond: 2 }, 2);

  test("gives what it holds at once, then what flows in", () => {
    const bucket = rates();
    const at = (now: number) => bucket.take("ann", now).granted;
    expect([at(0), at(0), at(0), at(0), at(499), at(500), at(500), at(10_000)]).toEqual([
      ...[true, true, true, false],
      ...[false, true, false, true],
    ]);
  });

  test("is each caller's own", () => {
    const bucket = rates();
    for (let i = 0; i < 4; i++) bucket.take("ann", 0);
    expect(bucket.take("ben", 0)).toMatchObject({ granted: true, left: 2 });
  });

  test("says what is left and when there is more", () => {
    const bucket = rates();
    expect(bucket.headers("key", bucket.take("ann", 0))).toEqual({
      "ratelimit-policy": '"key";q=3;w=2',
      ratelimit: '"key";r=2;t=1',
    });
    for (let i = 0; i < 2; i++) bucket.take("ann", 0);
    expect(bucket.take("ann", 0)).toEqual({ granted: false, left: 0, seconds: 1 });
  });

  test("tells that it is empty without taking anything", () => {
    const bucket = rates();
    expect(bucket.exhausted("ann", 0)).toBeUndefined();
    for (let i = 0; i < 3; i++) bucket.take("ann", 0);
    expect(bucket.exhausted("ann", 0)).toEqual({ granted: false, left: 0, seconds: 1 });
    expect(bucket.exhausted("ann", 500)).toBeUndefined();
    expect(bucket.take("ann", 500).granted).toBe(true);
  });

  test("is forgotten when there are too many", () => {
    const bucket = rates();
    for (let i = 0; i < 3; i++) bucket.take("ann", 0);
    bucket.take("ben", 0);
    bucket.take("cid", 0);
    expect(bucket.take("ann", 0).left).toBe(2);
  });
});

describe("a gateway", () => {
  const headers = { authorization: "Bearer the-right-key" };
  const env = { CAIRN_API_KEY: "the-right-key", CAIRN_API_KEYS: "other:read:another-right-key" };

  test("refuses a key that asks too much, says for how long, and lets others be", async () => {
    const gateway = testGateway({ env });
    const first = await gateway.call("GET", "/api/machines", undefined, headers);
    expect(first.headers.get("ratelimit-policy")).toBe('"key";q=1000;w=10');
    expect(first.headers.get("ratelimit")).toMatch(/^"key";r=\d+;t=\d+$/);
    let last = first;
    // It flows in as well, so a few more than there are at once; a machine that stands still meanwhile needs more.
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

  test("refuses who tries too many keys to sign in", async () => {
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

  test("without a key nobody is counted", async () => {
    const { headers: answered } = await testGateway().call("GET", "/api/machines");
    expect(answered.get("ratelimit")).toBeNull();
  });
});

describe("whoever guesses keys", () => {
  const ANN = { name: "ann", scope: "read" } as const;
  const named = new Request("http://127.0.0.1/api/knowledge", { headers: { authorization: "Bearer x" } });
  const unnamed = new Request("http://127.0.0.1/api/knowledge");
  const wrong = () => Promise.reject(new Refused("security.unauthorized", "No.", { status: 401 }));
  const right = () => Promise.resolve(ANN);

  /** The statuses of so many wrong keys from an address. */
  async function guess(
    strangers: FailedAuthThrottle,
    address: string,
    request = named,
  ): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let i = 0; i <= guardLimits.wrongKey.burst; i++)
      await strangers.authenticate(request, address, wrong()).catch(({ status }) => statuses.push(status));
    return statuses;
  }

  test("is not heard for a while, not even with the right one", async () => {
    const strangers = new FailedAuthThrottle();
    const statuses = await guess(strangers, "192.0.2.1");
    expect(statuses).toEqual([...Array(guardLimits.wrongKey.burst).fill(401), 429]);
    await expect(strangers.authenticate(named, "192.0.2.1", right())).rejects.toMatchObject({
      code: "security.rate_limited",
      status: 429,
    });
    expect(await strangers.authenticate(named, "192.0.2.2", right())).toEqual(ANN);
  });

  test("does not lock out who was heard from the same address before", async () => {
    const strangers = new FailedAuthThrottle();
    await strangers.authenticate(named, "192.0.2.1", right());
    await guess(strangers, "192.0.2.1");
    expect(await strangers.authenticate(named, "192.0.2.1", right())).toEqual(ANN);
    const ben = Promise.resolve({ name: "ben", scope: "act" } as const);
    await expect(strangers.authenticate(named, "192.0.2.1", ben)).rejects.toMatchObject({ status: 429 });
  });

  test("names one: a request without any is no guess", async () => {
    const strangers = new FailedAuthThrottle();
    expect(new Set(await guess(strangers, "192.0.2.1", unnamed))).toEqual(new Set([401]));
    expect(await strangers.authenticate(named, "192.0.2.1", right())).toEqual(ANN);
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
  ])("from %s counts as %s", (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });
});
