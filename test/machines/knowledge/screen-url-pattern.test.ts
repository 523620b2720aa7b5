import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  matchesPattern,
  patternText,
  specificPattern,
} from "../../../machines/knowledge/screen-url-pattern.ts";

describe("the URL pattern of a page", () => {
  test("is specific, escaped, and matches http and https", () => {
    expect(specificPattern("https://app.example.com/a.b/c")).toBe("^https?://app\\.example\\.com/a\\.b/c$");
    expect(specificPattern("http://a.example/docs/")).toBe("^https?://a\\.example/docs/?$");
    expect(specificPattern("https://a.example/p?id=2&x=(1)")).toBe(
      "^https?://a\\.example/p\\?id=2&x=\\(1\\)$",
    );
  });

  test("matches its own page and no other", () => {
    const page = fc.webUrl({ withQueryParameters: true, validSchemes: ["http", "https"] });
    fc.assert(
      fc.property(page, (url) => {
        expect(matchesPattern(specificPattern(url), url)).toBe(true);
        expect(matchesPattern(specificPattern(url), `${url}x`)).toBe(false);
        const rest = url.replace(/^https?:\/\//, "");
        const text = patternText(specificPattern(url));
        expect(text?.exact).toBe(true);
        expect([rest, rest.replace(/\/$/, "")]).toContain(text?.text ?? "");
      }),
    );
  });

  test("has a literal start by which it can be indexed", () => {
    expect(patternText("^https://a\\.example/shop/.*")).toEqual({
      text: "a.example/shop/",
      exact: false,
      slash: false,
    });
    expect(patternText("^https://a\\.example/x?y")).toEqual({
      text: "a.example/",
      exact: false,
      slash: false,
    });
    expect(patternText(".*/dashboard.*")).toBeUndefined();
    expect(patternText("^https://a/x|^https://b/y")).toBeUndefined();
  });
});
