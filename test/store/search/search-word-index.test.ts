/** Tests the index in memory of the words of a map's pages. */
import { expect, test } from "bun:test";
import { PageNumbers } from "../../../store/search/compressed-page-number-list.ts";
import { TextIndex } from "../../../store/search/search-word-index.ts";

test("a compressed list of page numbers returns the numbers that were added, whatever the differences between them", () => {
  const numbers = [0, 1, 2, 129, 130, 16_600, 2_200_000, 300_000_000];
  for (const from of numbers.keys()) {
    const list = new PageNumbers();
    const found: number[] = [];
    for (const number of numbers.slice(from)) list.add(number);
    list.each((number) => found.push(number));
    expect(found).toEqual(numbers.slice(from));
  }
});

test("a compressed list of page numbers takes about one byte for each page of a common word", () => {
  const list = new PageNumbers();
  const { bytes } = list;
  for (let number = 0; number < 10_000; number += 1) list.add(number);
  expect(list.bytes - bytes).toBeLessThan(16_000);
});

const put = (index: TextIndex, key: string, head: string, words: string, title = head) =>
  index.put(key, { title, head, body: words });
const body = (word: string) => ({ list: "body", word, weight: 1 }) as const;

test("the best pages of a search have the greatest sum of word weights, in the title part and the body part", () => {
  const index = new TextIndex();
  put(index, "both", "lantern", "lantern harbour");
  put(index, "harbour", "quay", "harbour");
  put(index, "lantern", "quay", "lantern");
  expect(
    index.best([{ list: "head", word: "lantern", weight: 3 }, body("lantern"), body("harbour")], 2),
  ).toEqual(["both", "harbour"]);
  expect([index.pagesWith("head", "quay"), index.pagesWith("body", "quay")]).toEqual([2, 0]);
  expect(index.best([body("walrus")], 5)).toEqual([]);
});

test("the word index can list the pages that contain a given word at least five times", () => {
  const index = new TextIndex();
  for (const times of [1, 4, 5, 30]) put(index, `${times}`, "head", "lantern ".repeat(times).trim());
  const often = { list: "often", word: "lantern", weight: 1 } as const;
  expect(index.best([often], 10)).toEqual(["5", "30"]);
  expect(index.best([body("lantern"), often], 10)).toEqual(["5", "30", "1", "4"]);
  expect([index.pagesWith("body", "lantern"), index.pagesWith("head", "lantern")]).toEqual([4, 0]);
});

test("a changed page is found in the index by its new words only, however often it changes", async () => {
  const index = new TextIndex();
  for (let page = 0; page < 200; page += 1) put(index, `page-${page}`, "head", `word harbour${page}`);
  const { bytes } = index;
  let pauses = 0;
  for (let change = 0; change < 5_000; change += 1) {
    put(index, `page-${change % 200}`, "head", `word change${Math.floor(change / 200)}`);
    if (index.isSparse)
      await index.renumber(async () => {
        pauses += 1;
      });
  }
  expect(pauses).toBeGreaterThan(20);
  expect(index.total).toBe(200);
  expect(index.pagesWith("body", "word")).toBe(200);
  expect(index.pagesWith("body", "harbour7")).toBe(0);
  expect(index.pagesWith("body", "change24")).toBe(200);
  expect(index.pagesWith("body", "change23")).toBe(0);
  // The size of the index depends on the number of pages, and not on the number of changes.
  expect(index.bytes).toBeLessThan(2 * bytes);
});

test("the pages of a large index are renumbered in slices, and the result is equal to a new index", async () => {
  const index = new TextIndex();
  const fresh = new TextIndex();
  const words = (page: number) =>
    Array.from({ length: 60 }, (_, at) => `word${(page * 7 + at * at) % 3_000} only${page}-${at}`).join(" ");
  for (let page = 0; page < 300; page += 1) put(index, `page-${page}`, `head ${page}`, words(page));
  for (let page = 0; page < 300; page += 1)
    if (page % 2 === 0) index.remove(`page-${page}`);
    else put(fresh, `page-${page}`, `head ${page}`, words(page));
  expect(index.isSparse).toBe(true);
  let pauses = 0;
  await index.renumber(async () => {
    pauses += 1;
  });
  expect(pauses).toBeGreaterThan(5);
  expect([index.isSparse, index.total, index.bytes]).toEqual([false, fresh.total, fresh.bytes]);
  for (const word of ["word0", "word1", "word2999", "only7-3", "only8-3"])
    expect([word, index.best([body(word)], 300)]).toEqual([word, fresh.best([body(word)], 300)]);
});

test("a search returns copies of a page with the same title after all other pages", () => {
  const text = Array.from({ length: 40 }, (_, at) => `word${at}`).join(" ");
  const index = new TextIndex();
  for (const version of ["3.8", "3.9", "4.0"]) put(index, `${version}/csv`, "csv", `${text} csv reader`);
  put(index, "json", "json", `${text} json csv`);
  for (const key of ["short-1", "short-2"]) put(index, key, "short", "csv");
  const words = [body("csv"), { ...body("reader"), weight: 5 }];
  expect(index.best(words, 10)).toEqual(["3.8/csv", "json", "short-1", "short-2", "3.9/csv", "4.0/csv"]);
  expect(index.best(words, 3)).toEqual(["3.8/csv", "json", "short-1"]);
});

test("pages with the same text but different titles do not count as copies, nor do pages that repeat only two words", () => {
  const text = Array.from({ length: 40 }, (_, at) => `word${at}`).join(" ");
  const index = new TextIndex();
  for (const tab of ["members", "settings"]) put(index, tab, "team", `${text} team team`, `Team: ${tab}`);
  for (const key of ["empty-1", "empty-2"]) put(index, key, "team", "team none ".repeat(40).trim());
  put(index, "other", "other", "team");
  const words = [{ ...body("team"), weight: 2 }, body("none"), body("word1")];
  expect(index.best(words, 10)).toEqual(["members", "settings", "empty-1", "empty-2", "other"]);
});
