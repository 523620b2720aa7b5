/** Tests which pages continue a list, and that a navigation run treats such a page as a list, even if it looks like an article. */
import { expect, test } from "bun:test";
import { asList, isNextInSeries } from "../../../machines/navigation/pages-that-continue-list.ts";

const BASE = "https://lists.example";
const article = {
  action: "EXTRACT_CONTENT",
  page_type: "article",
  confidence: 0.7,
  reasoning: "It has 246 characters of running text.",
  target_url: null,
} as const;

test.each([
  ["/arc/talk/2026-11/thrd4.html", "/arc/talk/2026-11/thrd5.html", true],
  ["/list/latest?page=7", "/list/latest?page=8", true],
  ["/blog/page/2/", "/blog/page/3/", true],
  ["/guide/install.html", "/guide/upgrade.html", false],
  ["/guide/", "/guide/install.html", false],
])("after the list page %s, the address %s counts as the list's next page: %p", (list, next, continues) => {
  expect(isNextInSeries(BASE + next, BASE + list)).toBe(continues);
});

test("the next page of a list is treated as a list too, even if it is short and looks like an article", () => {
  expect(asList(article, "forum_listing")).toMatchObject({
    action: "EXTRACT_LINKS",
    page_type: "forum_listing",
  });
});

test("a navigation run does not treat a page as a list if it is not the next page of a list, or if the run has decided to stop", () => {
  expect(asList(article, undefined)).toBe(article);
  const stopped = { ...article, action: "STOP" } as const;
  expect(asList(stopped, "forum_listing")).toBe(stopped);
});
