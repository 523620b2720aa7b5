/**
 * Tests on which pages an exploration waits until the buttons of the page are shown. It waits for buttons that an
 * earlier crawl has read in the HTML of the page.
 */
import { expect, test } from "bun:test";
import { explorationLimits } from "../../../../machines/exploration/exploration-limits.ts";
import { ExpectedButtons } from "../../../../machines/exploration/press/whether-to-wait-for-buttons.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

const button = (textContent: string): HighlightedElement => ({
  highlight_index: 1,
  tagName: "button",
  type: "button",
  interactionType: "click",
  selector: "button",
  xpath: "/html/body/button",
  attributes: {},
  textContent,
  box: { x: 0, y: 0, width: 1, height: 1 },
  in_viewport: true,
  frame: [],
  segment: 0,
});

test("an exploration waits on a page until one of the buttons that the crawl has read is shown", () => {
  const expected = new ExpectedButtons();
  expect(expected.areAwaited([button("Menu")], ["New project"])).toBe(true);
  expect(expected.areAwaited([button("Menu"), button("New project")], ["New project", "Add"])).toBe(false);
  expect(expected.areAwaited([button("Menu")], [])).toBe(false);
});

test("after some pages whose buttons stay hidden, an exploration no longer waits for the buttons of further pages", () => {
  const expected = new ExpectedButtons();
  let pages = 0;
  for (; pages < 100 && expected.areAwaited([button("Menu")], ["New project"]); pages++) expected.giveUp();
  expect(pages).toBe(explorationLimits.pressing.pagesWithoutButtons);
});
