import { expect, test } from "bun:test";
import { pagesByContent } from "../../../../machines/knowledge/screens/pages-with-words-of-target.ts";

const page = (name: string, share: number, inName: number, inNames = inName) => ({
  name,
  share,
  inName,
  inNames,
});
const namesFor = (words: number, ...pages: readonly ReturnType<typeof page>[]) =>
  pagesByContent(pages, words).map(({ name }) => name);
const names = (...pages: readonly ReturnType<typeof page>[]) => namesFor(3, ...pages);

test("the first search hit that contains at least 60 % of the target's words is found, and later hits with as many words follow", () => {
  expect(names(page("a", 0.5, 0), page("b", 0.8, 0, 0.4), page("c", 0.7, 0))).toEqual(["b", "c"]);
});

test("of the pages that contain all words of the target, the page whose name has most of these words is found", () => {
  expect(names(page("Welcome", 1, 0, 1), page("Edit user", 1, 0.3, 1))).toEqual(["Edit user", "Welcome"]);
  expect(names(page("Manual", 1, 0, 1), page("Item 3", 0.7, 0.7))).toEqual(["Manual", "Item 3"]);
});

test("a page that has only some of the target's words, and only in its running text, is not found", () => {
  expect(names(page("Author", 0.7, 0, 0), page("Article", 0.3, 0.3))).toEqual([]);
  expect(names(page("Room 2", 1, 0, 0))).toEqual(["Room 2"]);
});

test("a page is no certain match for a target if the search ranks another page higher, and its name has a word of the target", () => {
  expect(names(page("Releases", 0.5, 0.5), page("Cloud", 1, 0, 0))).toEqual([]);
  expect(names(page("Cloud", 1, 0, 0), page("Releases", 0.5, 0.5))).toEqual(["Cloud"]);
});

test("the page with a target's only word in its running text is found if no other page has this word", () => {
  expect(namesFor(1, page("Soup", 1, 0, 0))).toEqual(["Soup"]);
  expect(namesFor(1, page("New agent", 1, 0, 0), page("Activity", 1, 0, 0))).toEqual([]);
  expect(namesFor(1, page("New agent", 1, 0, 1), page("Activity", 1, 0, 0))).toEqual([
    "New agent",
    "Activity",
  ]);
});
