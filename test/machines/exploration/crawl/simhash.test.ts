import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isNearDuplicate, simHash, simHashDistance } from "../../../../machines/exploration/crawl/simhash.ts";

/** Returns a random text. The same seed always returns the same text. */
function prose(seed: number, words: number): string[] {
  let state = seed;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `w${(state >>> 8) % 3_000}`;
  });
}
const hash = (text: string): string => simHash(text) ?? "";
const near = (one: string, other: string): boolean => isNearDuplicate(hash(one), hash(other));

describe("the SimHash signature of a text", () => {
  test("has 16 hex digits, and is undefined without words", () => {
    for (const text of ["one", "one two", prose(1, 500).join(" "), "日本語"])
      expect(hash(text)).toMatch(/^[0-9a-f]{16}$/);
    for (const text of ["", " \n ", "*** --- ***"]) expect(simHash(text)).toBeUndefined();
  });

  test("is equal for equal words, whatever their case, spacing, punctuation and link targets", () => {
    const plain = "Read the manual first and then ask";
    for (const same of [
      "READ the   manual\nfirst, and then: ask!",
      "Read the [manual](https://e.com/m?sid=1) **first** and then ask",
      "Read the [manual](https://e.com/m?sid=2) **first** and then ask",
    ])
      expect(hash(same)).toBe(hash(plain));
    expect(hash("ask then")).not.toBe(hash("then ask"));
  });

  test("is similar if a few of many words differ, and very different for an unrelated text", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const words = prose(seed, 1_000);
      const changed = [...words];
      changed[500] = "counter";
      changed[900] = "today";
      expect(near(words.join(" "), changed.join(" "))).toBe(true);
      expect(near(words.join(" "), prose(seed + 100, 1_000).join(" "))).toBe(false);
      // Two pages that share only half of their words, such as the text of a header and a menu, are not
      // near-duplicates.
      expect(near(words.join(" "), [...words.slice(0, 500), ...prose(seed + 200, 500)].join(" "))).toBe(
        false,
      );
    }
  });

  test("differs in half of its bits for unrelated texts", () => {
    let sum = 0;
    for (let seed = 1; seed <= 50; seed++) {
      sum += simHashDistance(hash(prose(seed, 400).join(" ")), hash(prose(seed + 1_000, 400).join(" ")));
    }
    expect(sum / 50).toBeGreaterThan(28);
    expect(sum / 50).toBeLessThan(36);
  });

  test("equals that of a simple reference implementation", () => {
    // The signature of a text is computed from its shingles (hashed sequences of words). Even a text with few
    // different shingles gets a signature of 16 digits.
    expect(hash("a b c a b c a b c a b c a b c").length).toBe(16);
    expect(hash("日本語日本語")).not.toBe(hash("日本"));
  });
});

describe("the distance of two SimHash signatures", () => {
  test("is the number of differing bits", () => {
    expect(simHashDistance("0000000000000000", "ffffffffffffffff")).toBe(64);
    expect(simHashDistance("8000000000000001", "0000000000000000")).toBe(2);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        (a, b) => {
          const hex = (value: bigint): string => value.toString(16).padStart(16, "0");
          const expected = [...(a ^ b).toString(2)].filter((bit) => bit === "1").length;
          expect(simHashDistance(hex(a), hex(b))).toBe(expected);
        },
      ),
    );
  });
});
