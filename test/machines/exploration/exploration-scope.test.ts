import { describe, expect, test } from "bun:test";
import { loadDomains } from "../../../actors/exploration/crawl/registrable-domain.ts";
import { isUrlPattern } from "../../../machines/exploration/crawl/wildcard-match.ts";
import { jobIdSchema } from "../../../machines/exploration/exploration-protocol.ts";
import type { ScopeRules } from "../../../machines/exploration/exploration-request.ts";
import { sameSite, scopeOf, siteId, siteOf } from "../../../machines/exploration/exploration-scope.ts";

describe("sameSite (whether two URLs are of one site)", () => {
  test("accepts the same host with or without www., over either scheme", () => {
    expect(sameSite("https://www.example.com/a", "http://example.com/")).toBe(true);
    expect(sameSite("http://example.com/a", "https://www.example.com/b")).toBe(true);
  });

  test("rejects another host, a subdomain and another port", () => {
    expect(sameSite("http://example.org/", "http://example.com/")).toBe(false);
    expect(sameSite("http://docs.example.com/", "http://example.com/")).toBe(false);
    expect(sameSite("http://example.com:8080/", "http://example.com/")).toBe(false);
    expect(sameSite("http://example.com.evil.org/", "http://example.com/")).toBe(false);
    expect(sameSite("http://evil.org/?http://example.com/", "http://example.com/")).toBe(false);
  });

  test('does not remove "www" from the host www.com, where it is no prefix', () => {
    expect(siteOf("http://www.com/")).toBe("www.com");
    expect(siteOf("http://www.example.com:8080/x")).toBe("example.com:8080");
  });
});

const domainOf = await loadDomains();

function within(rules: Partial<ScopeRules>, start: string, site: string | null = null) {
  return scopeOf({ scope: "host", include: [], exclude: [], ...rules }, start, site, domainOf);
}

describe("scopeOf (which URLs an exploration follows)", () => {
  test("with the scope host includes the site of the start URL, or of the page to which it redirects", () => {
    const { follows } = within({}, "http://example.com/", "https://www.example.org/home");
    expect(follows("http://example.org/a")).toBe(true);
    expect(follows("http://example.com/a")).toBe(false);
    expect(follows("http://docs.example.org/")).toBe(false);
  });

  test("with the scope subdomains includes every host of the registrable domain, by the public suffix list", () => {
    const { follows } = within({ scope: "subdomains" }, "https://docs.example.co.uk/");
    expect(follows("https://example.co.uk/")).toBe(true);
    expect(follows("https://a.b.example.co.uk/x")).toBe(true);
    expect(follows("https://other.co.uk/")).toBe(false);
    expect(follows("https://badexample.co.uk/")).toBe(false);
    expect(follows("https://example.co.uk:8443/")).toBe(false);
    const hosted = within({ scope: "subdomains" }, "https://me.github.io/");
    expect(hosted.follows("https://www.me.github.io/")).toBe(true);
    expect(hosted.follows("https://you.github.io/")).toBe(false);
  });

  test.each(["/items/3/delete", "/schedule/toggle", "/logout"])(
    "with a login does not follow the address %s, which would change something, in any mode",
    (path) => {
      for (const mode of ["links", "auto", "interactive"] as const) {
        const { follows } = within({ mode, login: "sealed" }, "http://example.com/");
        expect(follows(`http://example.com${path}`)).toBe(false);
        expect(follows("http://example.com/items/3")).toBe(true);
      }
      expect(within({}, "http://example.com/").follows(`http://example.com${path}`)).toBe(true);
    },
  );

  test("with the scope subdomains includes only the host itself for an IP address or a bare name", () => {
    const address = within({ scope: "subdomains" }, "http://127.0.0.1:8000/");
    expect(address.follows("http://127.0.0.1:8000/a")).toBe(true);
    expect(address.follows("http://1.127.0.0.1:8000/a")).toBe(false);
    expect(within({ scope: "subdomains" }, "http://localhost/").follows("http://localhost/a")).toBe(true);
    expect(within({ scope: "subdomains" }, "http://[::1]:80/").follows("http://[::1]/a")).toBe(false);
  });

  test.each([
    ["http://e.com/docs/", ["/docs", "/docs/", "/docs/a/b", "/docs/?x"], ["/", "/docsx", "/other/docs/"]],
    ["http://e.com/docs", ["/docs", "/docs/", "/docs/a"], ["/docsx", "/"]],
    ["http://e.com/docs/index.html", ["/docs/a.html", "/docs/"], ["/a.html"]],
    ["http://e.com/", ["/", "/a/b"], []],
  ])("with the scope path includes the folder of %s", (start, inside, outside) => {
    const { follows, isInternal } = within({ scope: "path" }, start);
    for (const path of inside) expect([path, follows(`http://e.com${path}`)]).toEqual([path, true]);
    for (const path of outside) {
      expect([path, follows(`http://e.com${path}`)]).toEqual([path, false]);
      // A URL that `exclude` matches is not crawled. It still counts as internal.
      expect(isInternal(`http://e.com${path}`)).toBe(true);
    }
  });

  test("with the scope path uses the folder to which the start page redirects", () => {
    const deeper = within({ scope: "path" }, "http://e.com/docs/", "http://e.com/docs/en/");
    expect(deeper.follows("http://e.com/docs/fr/")).toBe(true);
    const away = within({ scope: "path" }, "http://e.com/docs/", "http://e.com/manual/start.html");
    expect(away.follows("http://e.com/manual/b.html")).toBe(true);
    expect(away.follows("http://e.com/docs/b.html")).toBe(false);
  });

  test("follows only URLs that match include and not exclude, and other URLs of the site stay internal", () => {
    const { follows, isInternal } = within(
      { include: ["/docs/*", "*.html"], exclude: ["/docs/old/*", "*?print=*"] },
      "http://e.com/",
    );
    const paths = ["/docs/a", "/docs/old/a", "/docs/a?print=1", "/a.html", "/a.htm", "/docs"];
    expect(paths.filter((path) => follows(`http://e.com${path}`))).toEqual(["/docs/a", "/a.html"]);
    expect(paths.every((path) => isInternal(`http://e.com${path}`))).toBe(true);
    expect(follows("http://other.com/docs/a")).toBe(false);
  });

  test("follows a page named after a command (/docs/cli/enable), but after a sign-in only if the page belongs to a manual", () => {
    const page = "http://e.com/docs/cli/enable";
    const signedIn = within({ login: "sealed" }, "http://e.com/");
    expect(within({}, "http://e.com/").follows(page)).toBe(true);
    expect(signedIn.follows(page)).toBe(false);
    expect(signedIn.followsInManual(page)).toBe(true);
    expect(signedIn.followsInManual("http://e.com/settings/enable")).toBe(false);
    expect(signedIn.followsInManual("http://e.com/docs/cli/delete/3")).toBe(false);
  });

  test("compares a pattern without a star with the complete URL if it has a scheme, otherwise with path and query", () => {
    expect(within({ include: ["/a"] }, "http://e.com/").follows("http://e.com/ab")).toBe(false);
    expect(within({ include: ["http://e.com/a*"] }, "http://e.com/").follows("http://e.com/ab")).toBe(true);
    expect(within({ exclude: ["https://*"] }, "http://e.com/").follows("https://e.com/")).toBe(false);
  });

  test("matches a pattern of many stars in time linear in the URL", () => {
    const { follows } = within({ include: [`/${"a*".repeat(200)}b`] }, "http://e.com/");
    expect(follows(`http://e.com/${"a".repeat(2_000)}`)).toBe(false);
    expect(follows(`http://e.com/${"a".repeat(2_000)}b`)).toBe(true);
  });

  test("rejects invalid patterns", () => {
    expect(["/", "/a*", "*", "*.pdf", "http://e.com/*", "https://*"].every(isUrlPattern)).toBe(true);
    expect(["", "a", "docs/*", "ftp://e.com", "/a b", "/a#b"].some(isUrlPattern)).toBe(false);
  });
});

describe("the id of a site (siteId)", () => {
  test("is the readable host name", () => {
    expect(siteId("https://www.docs.example.com/a")).toBe("docs.example.com");
    expect(siteId("http://127.0.0.1:8000/")).toBe("127.0.0.1-8000");
  });

  test.each([
    "http://[::1]:8000/",
    "http://[2001:db8::1]/",
    "http://_dmarc.example.com/",
    `http://${"a".repeat(60)}.${"b".repeat(60)}.example.com/`,
    "http://xn--bcher-kva.example/",
  ])("uses only characters and a length that ids permit, for %s", (url) => {
    expect(jobIdSchema.safeParse(siteId(url)).success).toBe(true);
  });

  test("differs for sites that would be equal after shortening", () => {
    const long = "a".repeat(60);
    const ids = [
      `http://${long}.${long}.x/`,
      `http://${long}.${long}.y/`,
      "http://[::1]/",
      "http://[::2]/",
      "http://[1::]/",
    ].map(siteId);
    expect(new Set(ids).size).toBe(5);
  });
});
