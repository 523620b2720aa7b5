import { describe, expect, test } from "bun:test";
import { jobIdSchema } from "../../../machines/exploration/protocol.ts";
import { sameSite, siteId, siteOf } from "../../../machines/exploration/scope.ts";

describe("sameSite", () => {
  test("the same host is in scope, with or without www., over either scheme", () => {
    expect(sameSite("https://www.example.com/a", "http://example.com/")).toBe(true);
    expect(sameSite("http://example.com/a", "https://www.example.com/b")).toBe(true);
  });

  test("another host, a subdomain and another port are not", () => {
    expect(sameSite("http://example.org/", "http://example.com/")).toBe(false);
    expect(sameSite("http://docs.example.com/", "http://example.com/")).toBe(false);
    expect(sameSite("http://example.com:8080/", "http://example.com/")).toBe(false);
    expect(sameSite("http://example.com.evil.org/", "http://example.com/")).toBe(false);
    expect(sameSite("http://evil.org/?http://example.com/", "http://example.com/")).toBe(false);
  });

  test("a host that is only called www. keeps its name", () => {
    expect(siteOf("http://www.com/")).toBe("www.com");
    expect(siteOf("http://www.example.com:8080/x")).toBe("example.com:8080");
  });
});

describe("siteId", () => {
  test("is the host, readable", () => {
    expect(siteId("https://www.docs.example.com/a")).toBe("docs.example.com");
    expect(siteId("http://127.0.0.1:8000/")).toBe("127.0.0.1-8000");
  });

  test.each([
    "http://[::1]:8000/",
    "http://[2001:db8::1]/",
    "http://_dmarc.example.com/",
    `http://${"a".repeat(60)}.${"b".repeat(60)}.example.com/`,
    "http://xn--bcher-kva.example/",
  ])("of %s fits the alphabet and length of ids", (url) => {
    expect(jobIdSchema.safeParse(siteId(url)).success).toBe(true);
  });

  test("differs for sites that shortening would make alike", () => {
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
