import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  matchesPattern,
  matchGroups,
  patternText,
  specificPattern,
} from "../../../../machines/knowledge/addresses/screen-url-pattern.ts";

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

  test("matches the page even after a script has added a fragment, but not another client-side route", () => {
    const pattern = specificPattern("https://a.example/orders");
    for (const fragment of ["#", "#top", "#!", "#/"])
      expect(matchesPattern(pattern, `https://a.example/orders${fragment}`)).toBe(true);
    for (const route of ["#/new", "#!/new", "#!new"])
      expect(matchesPattern(pattern, `https://a.example/orders${route}`)).toBe(false);
    expect(
      matchGroups("^https?://a\\.example/orders/([^/?#]+)$", "https://a.example/orders/7#details"),
    ).toEqual(["7"]);
    const tab = "^https?://a\\.example/orders#details$";
    expect(matchesPattern(tab, "https://a.example/orders#details")).toBe(true);
    expect(matchesPattern(tab, "https://a.example/orders#history")).toBe(false);
    expect(matchesPattern(".*users$", "https://a.example/#users")).toBe(true);
    expect(matchesPattern(".*users$", "https://a.example/#orders")).toBe(false);
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
