/**
 * Tests that the caches of words and stems keep no texts of pages in memory. In JavaScriptCore, a part of a
 * text keeps the complete text in memory.
 */
import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { stem } from "../../../machines/word-stem.ts";
import { searchWords } from "../../../store/search/search-words.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";

/** Number of texts. Together they take 60 MB. */
const TEXTS = 60;
/** Length of each text in characters. */
const LENGTH = 1_000_000;
/** The caches may take this number of bytes in the test. */
const MOST_BYTES = 10_000_000;

/**
 * Start of each text's first word. That word must have more than eight characters: JavaScriptCore copies a shorter
 * word, and a copy does not keep the whole text in memory.
 */
const START = "configuration";
/** Returns a text that starts with a word which no other text of the test contains. */
function longText(index: number): string {
  const letters = String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
  return `${START}${letters} ${"filler ".repeat(LENGTH / "filler ".length)}`;
}

function liveBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

test("remembered search words do not keep in memory the texts that contain them", () => {
  const before = liveBytes();
  for (let index = 0; index < TEXTS; index++) searchWords(longText(index), 1);
  expect(liveBytes() - before).toBeLessThan(MOST_BYTES);
});

test.if(isFull)("the cache of stems does not keep in memory the texts from which the words were cut", () => {
  const before = liveBytes();
  for (let index = 0; index < TEXTS; index++) stem(longText(index + TEXTS).slice(0, START.length + 2));
  expect(liveBytes() - before).toBeLessThan(MOST_BYTES);
});
