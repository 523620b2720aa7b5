import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { specificPattern } from "../../../../machines/knowledge/addresses/screen-url-pattern.ts";
import { MIN_MATCH_SCORE, matchScore } from "../../../../machines/knowledge/screens/screen-match-score.ts";
import {
  type KnownScreen,
  type Recognition,
  RecognitionIndex,
  recognise,
  type SeenScreen,
} from "../../../../machines/knowledge/screens/screen-recognition.ts";

function known(url: string, texts: readonly string[], patterns = [specificPattern(url)]): KnownScreen {
  return {
    screen_id: url.replace(/\W+/g, "_"),
    name: texts[0] ?? url,
    url,
    url_patterns: patterns,
    indicators: [
      ...texts.map((value) => ({ type: "dom_contains" as const, value, reason: "" })),
      { type: "url_matches", pattern: specificPattern(url), reason: "" },
    ],
  };
}

/** The known screens of a map, with the index by which they are recognised. */
class Screens {
  readonly #index = new RecognitionIndex();
  readonly #screens = new Map<string, KnownScreen>();

  put(screen: KnownScreen): void {
    this.remove(screen.screen_id);
    this.#screens.set(screen.screen_id, screen);
    this.#index.put(screen.screen_id, screen.url_patterns);
  }

  remove(id: string): void {
    this.#index.remove(id, this.#screens.get(id)?.url_patterns ?? []);
    this.#screens.delete(id);
  }

  candidates(url: string): readonly string[] {
    return this.#index.candidates(url);
  }

  recognise(seen: SeenScreen, likely: readonly string[] = []): Recognition {
    const candidates = this.candidates(seen.url);
    const ids = candidates.length > 0 ? candidates : likely;
    return recognise(
      seen,
      ids.flatMap((id) => this.#screens.get(id) ?? []),
    );
  }
}

function indexOf(...screens: KnownScreen[]): Screens {
  const index = new Screens();
  for (const screen of screens) index.put(screen);
  return index;
}

describe("recognising a screen", () => {
  test("needs a score above 0.7, and a score of exactly 0.7 is no match", () => {
    const url = "https://a.example/x";
    const half = { ...known(url, []), indicators: known(url, ["One", "Two"]).indicators.slice(0, 2) };
    const index = indexOf(half);
    const at = index.recognise({ url, dom: "One" });
    expect(at.confidence).toBe(MIN_MATCH_SCORE);
    expect(at.screen).toBeUndefined();
    expect(at.nearest?.screen_id).toBe(half.screen_id);
    expect(index.recognise({ url, dom: "One Two" }).screen?.screen_id).toBe(half.screen_id);
  });

  test("finds one screen among ten thousand by URL and DOM", () => {
    const index = indexOf(
      ...Array.from({ length: 10_000 }, (_, n) =>
        known(`https://a.example/item/${n}`, [`Item ${n}`, "Add to basket"]),
      ),
    );
    expect(index.candidates("https://a.example/item/7321")).toHaveLength(1);
    const seen = index.recognise({ url: "https://a.example/item/7321", dom: "Item 7321 Add to basket" });
    expect(seen.screen?.url).toBe("https://a.example/item/7321");
    expect(seen.confidence).toBe(1);
    expect(seen.matched_indicators).toHaveLength(3);
  });

  test("ignores fragments, tracking parameters, the scheme, and a slash at the end of a folder", () => {
    const index = indexOf(
      known("https://a.example/docs/", ["Docs"]),
      known("https://a.example/p?id=2", ["Page two"]),
    );
    for (const url of [
      "https://a.example/docs/#top",
      "http://a.example/docs",
      "https://A.example:443/docs/?utm_source=x",
    ]) {
      expect(index.recognise({ url, dom: "Docs" }).screen?.url).toBe("https://a.example/docs/");
    }
    expect(index.recognise({ url: "https://a.example/p?id=2", dom: "Page two" }).screen?.name).toBe(
      "Page two",
    );
    expect(index.recognise({ url: "https://a.example/p?id=3", dom: "Page two" }).screen).toBeUndefined();
  });

  test("distinguishes screens of one URL by their content", () => {
    const url = "https://spa.example/app";
    const inbox = { ...known(url, ["Inbox", "Compose"]), screen_id: "inbox" };
    const settings = { ...known(url, ["Settings", "Save"]), screen_id: "settings" };
    const index = indexOf(inbox, settings);
    expect(index.recognise({ url, dom: "Settings … Save" }).screen?.screen_id).toBe("settings");
    expect(index.recognise({ url, dom: "Inbox … Compose" }).screen?.screen_id).toBe("inbox");
  });

  test("decides between equal scores by the exact URL, then by the more specific pattern", () => {
    const wide = {
      ...known("https://a.example/", ["Same"], ["^https?://a\\.example/.*"]),
      screen_id: "wide",
    };
    const middle = {
      ...known("https://a.example/", ["Same"], ["^https?://a\\.example/shop/.*"]),
      screen_id: "middle",
    };
    const exact = { ...known("https://a.example/shop/cart", ["Same"]), screen_id: "exact" };
    const onlyText = (screen: KnownScreen) => ({ ...screen, indicators: screen.indicators.slice(0, 1) });
    const index = indexOf(...[wide, middle, exact].map(onlyText));
    expect(index.recognise({ url: "https://a.example/shop/cart", dom: "same" }).screen?.screen_id).toBe(
      "exact",
    );
    expect(index.recognise({ url: "https://a.example/shop/list", dom: "same" }).screen?.screen_id).toBe(
      "middle",
    );
    expect(index.recognise({ url: "https://a.example/about", dom: "same" }).screen?.screen_id).toBe("wide");
  });

  test("uses only the URL if no DOM is given", () => {
    const index = indexOf(known("https://a.example/x", ["One", "Two", "Three"]));
    expect(index.recognise({ url: "https://a.example/x" }).screen?.url).toBe("https://a.example/x");
    expect(index.recognise({ url: "https://a.example/y" }).screen).toBeUndefined();
    expect(index.recognise({ url: "https://a.example/x", dom: "" }).screen).toBeUndefined();
  });

  test("reports the score of the best candidate when no URL matches", () => {
    const index = indexOf(
      known("https://a.example/x", ["Order history", "Refund"]),
      known("https://a.example/y", ["Help"]),
    );
    const likely = ["https_a_example_y", "https_a_example_x"];
    const seen = index.recognise({ url: "https://b.example/", dom: "Order history, Refund" }, likely);
    expect(seen.screen).toBeUndefined();
    expect(seen.nearest?.url).toBe("https://a.example/x");
    expect(seen.confidence).toBeCloseTo((2 / 3) * 0.6, 10);
  });

  test("never finds a screen that was replaced or removed", () => {
    const index = indexOf(known("https://a.example/x", ["Old"]));
    index.put({ ...known("https://a.example/x", ["New"]), url_patterns: ["^https?://a\\.example/moved$"] });
    expect(index.recognise({ url: "https://a.example/x", dom: "Old" }).screen).toBeUndefined();
    expect(index.candidates("https://a.example/x")).toEqual([]);
    expect(index.candidates("https://a.example/moved")).toEqual(["https_a_example_x"]);
    index.remove("https_a_example_x");
    expect(index.recognise({ url: "https://a.example/moved", dom: "New" }).nearest).toBeUndefined();
  });

  test("finds the same screen as a search that scores all screens", () => {
    const paths = ["a", "a/b", "a/b/c", "d", "d/e"];
    const texts = ["red", "green", "blue"];
    const patternOf = (path: string) =>
      fc.constantFrom(
        `^https?://x\\.example/${path}$`,
        `^https://x\\.example/${path}/.*`,
        `.*/${path}.*`,
        "https?://x\\.example/.*",
      );
    const screens = fc.uniqueArray(
      fc
        .record({
          id: fc.nat(20),
          path: fc.constantFrom(...paths),
          texts: fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1 }),
        })
        .chain(({ id, path, texts: shown }) =>
          patternOf(path).map((pattern) => ({
            screen_id: String(id),
            name: path,
            url: `https://x.example/${path}`,
            url_patterns: [pattern],
            indicators: shown.map((value) => ({ type: "dom_contains" as const, value, reason: "" })),
          })),
        ),
      { selector: (screen) => screen.screen_id, maxLength: 12 },
    );
    fc.assert(
      fc.property(
        screens,
        fc.constantFrom(...paths),
        fc.uniqueArray(fc.constantFrom(...texts)),
        (all, path, shown) => {
          const view = { url: `https://x.example/${path}`, dom: shown.join(" ") };
          const best = Math.max(0, ...all.map((screen) => matchScore(screen, view)));
          const seen = indexOf(...all).recognise(view);
          expect(seen.screen !== undefined).toBe(best > MIN_MATCH_SCORE);
          if (seen.screen) expect(matchScore(seen.screen, view)).toBe(best);
        },
      ),
    );
  });
});
