/** Tests the list of month and day names, which are masked when the lines of pages are compared. */
import { expect, test } from "bun:test";
import { DATE_WORDS, isDateWord } from "../../../../machines/exploration/crawl/month-and-day-names.ts";

/** Words that occur in written dates but are not names of months or days. */
const FILLERS = ["de", "di", "e", "om", "den"];

function namesIn(languages: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const language of languages) {
    for (const style of ["long", "short"] as const) {
      // The first 12 dates are the first days of all months, and the other 7 are the days of one week. Together
      // they contain every name of a month and of a day.
      for (let at = 0; at < 19; at++) {
        const date = new Date(at < 12 ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, at - 11));
        const named = { timeZone: "UTC", month: style, weekday: style } as const;
        // Each date is formatted with and without the number of the day. In some languages, the name of a
        // month is different after a number.
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

test("the list of date words contains every month and day name of Intl in the languages of the list", () => {
  const named = [...namesIn(Object.keys(DATE_WORDS))].filter((word) => !FILLERS.includes(word));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((word) => !isDateWord(word))).toEqual([]);
});

test("page, shoes, de, constructor and the empty text do not count as names of months or days", () => {
  for (const word of ["page", "shoes", "de", "constructor", ""]) expect(isDateWord(word)).toBe(false);
});
