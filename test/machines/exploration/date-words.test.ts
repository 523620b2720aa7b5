import { expect, test } from "bun:test";
import { DATE_WORDS, isDateWord } from "../../../machines/exploration/date-words.ts";

/** Words in dates that are not names. */
const FILLERS = ["de", "di", "e", "om", "den"];

function namesIn(languages: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const language of languages) {
    for (const style of ["long", "short"] as const) {
      // The first day of each month, and each day of one week.
      for (let at = 0; at < 19; at++) {
        const date = new Date(at < 12 ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, at - 11));
        const named = { timeZone: "UTC", month: style, weekday: style } as const;
        // Some languages write a month differently next to a day.
        for (const options of [
          named,
          { ...named, day: "numeric" as const },
          { timeZone: "UTC", month: style },
        ]) {
          const text = new Intl.DateTimeFormat(language, options).format(date).toLowerCase();
          for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) if (!/\d/.test(word)) words.add(word);
        }
      }
    }
  }
  return words;
}

test("knows every name of a month or a day that Intl has in these languages", () => {
  const named = [...namesIn(Object.keys(DATE_WORDS))].filter((word) => !FILLERS.includes(word));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((word) => !isDateWord(word))).toEqual([]);
});

test("rejects other words", () => {
  for (const word of ["page", "shoes", "de", "constructor", ""]) expect(isDateWord(word)).toBe(false);
});
