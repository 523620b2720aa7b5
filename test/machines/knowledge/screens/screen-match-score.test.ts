import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  matchedIndicators,
  matchScore,
  type Recognisable,
  structuralScore,
} from "../../../../machines/knowledge/screens/screen-match-score.ts";
import type { Indicator } from "../../../../machines/records/map-records.ts";

const URL_HERE = "https://app.example.com/dashboard";

function dom(...values: string[]): Indicator[] {
  return values.map((value) => ({ type: "dom_contains", value, reason: "test" }));
}

function screen(
  indicators: Indicator[],
  url_patterns = ["^https?://app\\.example\\.com/dashboard$"],
): Recognisable {
  return { url: URL_HERE, url_patterns, indicators };
}

describe("the match score of a screen", () => {
  test("is 0.4 for a matching URL pattern plus 0.6 times the share of indicators (texts of the screen) that match", () => {
    const three = screen(dom("Orders", "Invoices", "Reports"));
    expect(matchScore(three, { url: URL_HERE, dom: "orders and INVOICES" })).toBe(0.4 + (2 / 3) * 0.6);
    expect(matchScore(three, { url: "https://elsewhere.example/", dom: "orders and INVOICES" })).toBe(
      (2 / 3) * 0.6,
    );
    expect(matchScore(three, { url: URL_HERE, dom: "" })).toBe(0.4);
    expect(matchScore(three, { url: URL_HERE, dom: "Orders Invoices Reports" })).toBe(1);
  });

  test("gives an indicator that tests the URL the same weight as an indicator that tests the text", () => {
    const both = screen([
      ...dom("Orders"),
      { type: "url_matches", pattern: ".*/dashboard.*", reason: "test" },
    ]);
    expect(matchScore(both, { url: URL_HERE, dom: "" })).toBe(0.4 + (1 / 2) * 0.6);
  });

  test("counts the URL once, however many patterns match", () => {
    const twice = screen(dom("Orders"), ["^https?://.*", ".*/dashboard.*"]);
    expect(matchScore(twice, { url: URL_HERE, dom: "" })).toBe(0.4);
  });

  test("reads patterns like Python's re.match: anchored at the start and open at the end", () => {
    expect(matchScore(screen(dom("x"), ["https://app"]), { url: URL_HERE, dom: "" })).toBe(0.4);
    expect(matchScore(screen(dom("x"), ["/dashboard"]), { url: URL_HERE, dom: "" })).toBe(0);
    expect(matchScore(screen(dom("x"), ["(?i)HTTPS://APP"]), { url: URL_HERE, dom: "" })).toBe(0.4);
  });

  test("treats an invalid pattern as not matching", () => {
    expect(matchScore(screen(dom("x"), ["https://(app"]), { url: URL_HERE, dom: "" })).toBe(0);
  });

  test("treats a text indicator that lacks its text as not matching, and a URL indicator that lacks its pattern as matching", () => {
    const odd = screen([
      { type: "dom_contains", reason: "test" },
      { type: "url_matches", reason: "test" },
    ]);
    expect(matchedIndicators(odd, { url: URL_HERE, dom: "anything" })).toEqual([
      { type: "url_matches", reason: "test" },
    ]);
  });

  test("uses the similarity of the URLs in place of the share of matching indicators if a screen has no indicators", () => {
    expect(matchScore(screen([]), { url: URL_HERE, dom: "" })).toBe(1);
    expect(
      matchScore(screen([], ["nothing"]), { url: "https://app.example.com/dashboard?tab=2", dom: "" }),
    ).toBe(0.9 * 0.6);
  });

  test("equals the specified formula for random screens and pages", () => {
    const words = ["alpha", "beta", "gamma", "delta", "epsilon"];
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 }),
        fc.uniqueArray(fc.constantFrom(...words)),
        (urlMatches, wanted, shown) => {
          const pattern = urlMatches ? "^https://app\\.example\\.com/.*" : "^https://other\\.example/.*";
          const matched = wanted.filter((word) => shown.includes(word)).length;
          const score = matchScore(screen(dom(...wanted), [pattern]), {
            url: URL_HERE,
            dom: shown.join(" ").toUpperCase(),
          });
          let formula = 0;
          if (urlMatches) formula += 0.4;
          formula += (matched / wanted.length) * 0.6;
          expect(score).toBe(formula);
        },
      ),
    );
  });
});

describe("the similarity score of two URLs", () => {
  test("is highest for the same URL, then for another query, then for a common path, then for another host", () => {
    const known = "https://a.example/shop/cart?step=1";
    const ranks = [
      "https://a.example/shop/cart?step=1",
      "https://a.example/shop/cart?step=2",
      "https://a.example/shop/orders",
      "https://a.example/about",
      "https://b.example/shop/cart?step=1",
    ].map((url) => structuralScore(known, url));
    expect(ranks).toEqual([1, 0.9, 0.4, 0, 0]);
    expect(structuralScore(known, "http://a.example/shop/cart?step=1")).toBe(1);
  });
});
