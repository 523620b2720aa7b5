import { describe, expect, test } from "bun:test";
import { egressLimits } from "../../../actors/egress/egress-limits.ts";
import { createDestinations, type ResolverOptions } from "../../../actors/egress/index.ts";

const local = { loopback: true, allowPrivate: [] };

/**
 * Returns a resolver and the clock of its cache. Its first lookup returns the first entry of the list, the
 * second lookup the second entry, and so on.
 */
function resolver(answers: readonly (readonly string[])[], options: Partial<ResolverOptions> = {}) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const destinations = createDestinations({
    policy: local,
    now: () => clock.now,
    lookup: async (host) => {
      asked.push(host);
      const answer = answers[asked.length - 1];
      if (!answer) throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
      return answer;
    },
    ...options,
  });
  return { asked, clock, find: async (url: string) => destinations.addressesOf(new URL(url)), destinations };
}

describe("the addresses that the proxy resolves for a host", () => {
  test("are looked up once for concurrent requests and cached for some time", async () => {
    const { asked, clock, find } = resolver([["8.8.8.8"], ["8.8.4.4"]]);
    expect(await Promise.all([find("http://a.test/"), find("http://a.test/x")])).toEqual([
      ["8.8.8.8"],
      ["8.8.8.8"],
    ]);
    clock.now = egressLimits.cacheFor - 1;
    expect(await find("http://a.test/y")).toEqual(["8.8.8.8"]);
    expect(asked).toEqual(["a.test"]);
    clock.now = egressLimits.cacheFor;
    expect(await find("http://a.test/")).toEqual(["8.8.4.4"]);
  });

  test("exclude forbidden addresses", async () => {
    const { find } = resolver([["10.0.0.1", "8.8.8.8", "::ffff:169.254.169.254"]]);
    expect(await find("http://a.test/")).toEqual(["8.8.8.8"]);
  });

  test("are checked at every lookup, so a name that moves to a private address is refused", async () => {
    const { clock, find } = resolver([["8.8.8.8"], ["10.0.0.1"]]);
    expect(await find("http://a.test/")).toEqual(["8.8.8.8"]);
    clock.now = egressLimits.cacheFor;
    await expect(find("http://a.test/")).rejects.toMatchObject({ code: "egress.refused" });
  });

  test("contain only the host itself, without a lookup, if the host is an IP address", async () => {
    const { asked, find } = resolver([]);
    expect(await find("http://8.8.8.8/")).toEqual(["8.8.8.8"]);
    expect(await find("http://[2606:4700::1]:8080/")).toEqual(["2606:4700::1"]);
    expect(await find("http://[::1]/")).toEqual(["::1"]);
    await expect(find("http://[::ffff:a00:1]/")).rejects.toMatchObject({ code: "egress.refused" });
    expect(asked).toEqual([]);
  });

  test("are loopback for localhost, whatever a resolver answers", async () => {
    const { asked, find } = resolver([["8.8.8.8"]]);
    expect(await find("http://localhost:8080/")).toEqual(["127.0.0.1", "::1"]);
    expect(await find("http://app.localhost/")).toEqual(["127.0.0.1", "::1"]);
    expect(asked).toEqual([]);
  });

  test("are replaced by an error for an unknown host, and this error is not cached", async () => {
    const { asked, find } = resolver([]);
    await expect(find("http://a.test/")).rejects.toMatchObject({ code: "ENOTFOUND" });
    await find("http://a.test/").catch(() => undefined);
    expect(asked.length).toBeGreaterThan(0);
    await expect(resolver([[]]).find("http://a.test/")).rejects.toThrow("ENOTFOUND");
  });

  test("end with the address whose last connection failed", async () => {
    const { find, destinations } = resolver([["8.8.8.8", "8.8.4.4", "1.1.1.1"]]);
    await find("http://a.test/");
    destinations.avoid(new URL("http://a.test/x"), "8.8.8.8");
    expect(await find("http://a.test/")).toEqual(["8.8.4.4", "1.1.1.1", "8.8.8.8"]);
  });

  test("are checked again for a request to another port", async () => {
    const { find } = resolver([["8.8.8.8"], ["8.8.8.8"]]);
    await find("http://a.test/");
    await expect(find("http://a.test:25/")).rejects.toMatchObject({ details: { ground: "port" } });
  });

  test("are looked up by the system's resolver by default", async () => {
    const destinations = createDestinations({ policy: { loopback: false, allowPrivate: [] } });
    expect(async () => destinations.addressesOf(new URL("http://localhost/"))).toThrow("HOST");
    const unknown = Promise.resolve(destinations.addressesOf(new URL("http://no-such-host.invalid/")));
    await expect(unknown).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});
