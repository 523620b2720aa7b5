/** Tests whether a page was left when another client-side route was opened. */
import { expect, test } from "bun:test";
import { hasKeptPage } from "../../../../machines/exploration/crawl/page-kept-by-route-guard.ts";

const page = (url: string, ...indices: number[]) => ({
  url,
  highlightedElements: indices.map((highlight_index) => ({ highlight_index })),
});
const NEW_TAG = page("https://blog.example/admin/#/tags/new", 1, 2, 8, 9);
const HARBOUR = "https://blog.example/admin/#/tags/harbour";

test("a form counts as not left if it is still shown behind a question, although the address is already that of the next page", () => {
  expect(hasKeptPage(NEW_TAG, page(HARBOUR, 1, 2, 8, 9, 10, 11), HARBOUR)).toBe(true);
});

test("a form that stays under its own address was not left", () => {
  expect(hasKeptPage(NEW_TAG, page(NEW_TAG.url, 1, 2, 8, 9, 10, 11), HARBOUR)).toBe(true);
});

test("a page that keeps only its side bar was left", () => {
  expect(hasKeptPage(NEW_TAG, page(HARBOUR, 1, 2, 10, 11), HARBOUR)).toBe(false);
});

test("a page does not count as kept by a route guard if the next address is another document or the same address, or if none of its elements is known", () => {
  const other = "https://blog.example/about";
  expect(hasKeptPage(NEW_TAG, page(other, 1, 2, 8, 9), other)).toBe(false);
  expect(hasKeptPage(NEW_TAG, NEW_TAG, NEW_TAG.url)).toBe(false);
  expect(hasKeptPage(page(NEW_TAG.url), page(HARBOUR, 1), HARBOUR)).toBe(false);
  expect(hasKeptPage(undefined, page(HARBOUR, 1), HARBOUR)).toBe(false);
});
