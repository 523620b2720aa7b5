import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { specificPattern } from "../../../../machines/knowledge/addresses/screen-url-pattern.ts";
import { Atlas, type AtlasScreen } from "../../../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../../../machines/knowledge/map-limits.ts";
import { IndicatorIndex } from "../../../../machines/knowledge/screens/screen-indicator-index.ts";
import { recognise } from "../../../../machines/knowledge/screens/screen-recognition.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

const ADDRESS = "https://one.example/app";
const SCREENS = 10_000;
const idOf = (n: number) => `one_app~${n}`;
const textsOf = (n: number) => [`Order ${n}`, `Lines of order ${n}`, "Home", "Help", "Sign out"];
const numbers = Array.from({ length: SCREENS }, (_, n) => n);

function screenOf(n: number): AtlasScreen {
  return {
    screen_id: idOf(n),
    website_id: "one.example",
    name: `Order ${n}`,
    url: ADDRESS,
    content_type: "web_ui",
    is_actionable: true,
    url_patterns: [specificPattern(ADDRESS)],
    trail: "",
  };
}

function recognised(atlas: Atlas, dom: string): string | undefined {
  const seen = { url: ADDRESS, dom };
  const known = atlas.candidates(seen).map((id) => {
    const n = Number(id.slice(idOf(0).length - 1));
    const indicators = textsOf(n).map((value) => ({ type: "dom_contains" as const, value, reason: "" }));
    return { ...screenOf(n), indicators };
  });
  return recognise(seen, known).screen?.screen_id;
}

const readTexts = async (ids: readonly string[]) =>
  ids.map((id) => ({ id, texts: textsOf(Number(id.slice(idOf(0).length - 1))) }));

describe("ten thousand screens at one address", () => {
  test("are distinguished by their optional texts if their required texts are equal", () => {
    const index = new IndicatorIndex();
    for (const n of numbers) index.put(idOf(n), ["Order", "Lines"], [`Order ${n}`]);
    const best = (dom: string) => index.best(dom, 3, () => true)[0];
    expect(best("Order 7321\nLines")).toBe(idOf(7_321));
    // The page contains only optional texts of the screen `other`, and not its required texts. So the best
    // match is still the screen of order 7321.
    index.put("other", ["Invoice", "Sums"], ["Order 7321", "Lines"]);
    expect(best("Order 7321\nLines")).toBe(idOf(7_321));
    index.remove(idOf(7_321));
    expect(best("Order 7321\nLines")).toBe(idOf(732));
  });

  test.if(isFull)(
    "are recognised by their texts, and of two matching screens the one with the longer text is returned",
    async () => {
      const atlas = new Atlas();
      atlas.change({ screens: numbers.map(screenOf) });
      const seen = { url: ADDRESS, dom: "any" };
      expect(atlas.unreadCrowd(seen)).toHaveLength(SCREENS);
      await atlas.readCrowd(atlas.unreadCrowd(seen), readTexts);
      expect(atlas.unreadCrowd(seen)).toEqual([]);
      // The texts of "Order 1" also occur in the page of "Order 12". That page must still be recognised as "Order
      // 12".
      for (const n of [0, 1, 12, 123, 7_321, 9_999]) {
        expect(recognised(atlas, textsOf(n).join("\n"))).toBe(idOf(n));
        expect(recognised(atlas, `Other rows\n${textsOf(n).toReversed().join(" ").toUpperCase()}`)).toBe(
          idOf(n),
        );
      }
      expect(atlas.candidates({ url: ADDRESS, dom: "Order 5" }).length).toBeLessThanOrEqual(
        knowledgeLimits.crowdCandidates,
      );
      expect(atlas.candidates({ url: ADDRESS })).toHaveLength(knowledgeLimits.candidates);
    },
  );

  test("have their texts read again after a change, even if the change happens during a read", async () => {
    const atlas = new Atlas();
    atlas.change({ screens: numbers.slice(0, 300).map(screenOf) });
    const seen = { url: ADDRESS, dom: "any" };
    await atlas.readCrowd(atlas.unreadCrowd(seen), async (ids) => {
      atlas.change({ signatures: [idOf(7)] });
      return await readTexts(ids);
    });
    expect(atlas.unreadCrowd(seen)).toEqual([idOf(7)]);
    await atlas.readCrowd([idOf(7)], readTexts);
    expect(atlas.unreadCrowd(seen)).toEqual([]);
    atlas.change({ screens: [screenOf(9)], signatures: [idOf(8)] });
    expect([...atlas.unreadCrowd(seen)].sort()).toEqual([idOf(8), idOf(9)]);
  });
});

test("screens with equal scores are returned in the order in which they were indexed", () => {
  const index = new IndicatorIndex();
  for (const id of ["first", "second", "third", "fourth"]) index.put(id, ["Save", id]);
  // The screen "first" is indexed again, so it becomes the last one in the order, although its slot in the index
  // stays the same.
  index.put("first", ["Save", "first"]);
  const best = (limit: number) => index.best("Save the row", limit, () => true);
  expect(best(4)).toEqual(["second", "third", "fourth", "first"]);
  expect(best(2)).toEqual(["second", "third"]);
  expect(index.best("Save the row", 2, (id) => id !== "second")).toEqual(["third", "fourth"]);
});

test("the index of the texts by which screens are recognised finds the same screens as a search that compares every text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "C", " ", "订"), minLength: 1, maxLength: 8 });
  const screens = fc.array(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(screens, fc.array(fc.nat(11)), fc.array(text), (all, removed, shown) => {
      const index = new IndicatorIndex();
      for (const [n, texts] of all.entries()) index.put(String(n), texts);
      for (const n of removed) index.remove(String(n));
      const page = shown.join("\n");
      const left = all.flatMap((texts, n) => {
        if (removed.includes(n)) return [];
        const own = [...new Set(texts.map((one) => one.toLowerCase()))];
        const matched = own.filter((one) => page.toLowerCase().includes(one));
        const share = (matched.length + 1) / (own.length + 1);
        return [{ id: String(n), share, length: matched.join("").length }];
      });
      const best = index.best(page, all.length + 1, () => true);
      expect([...best].sort()).toEqual(left.map(({ id }) => id).sort());
      const ranks = best.map((id) => left.find((one) => one.id === id));
      const sorted = left.toSorted((a, b) => b.share - a.share || b.length - a.length);
      expect(ranks.map((one) => [one?.share, one?.length])).toEqual(
        sorted.map(({ share, length }) => [share, length]),
      );
      expect(index.best(page, 2, () => true)).toEqual(best.slice(0, 2));
    }),
  );
});
