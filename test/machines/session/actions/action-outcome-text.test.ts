/** Tests the text form of action outcomes, which models receive. */
import { expect, test } from "bun:test";
import { actionText } from "../../../../machines/session/actions/action-outcome-text.ts";

const element = { tagName: "button", textContent: "Order", attributes: { onclick: "send()", id: "order" } };

test("the text of a completed action has its element, its effect and the changes, without HTML attributes", () => {
  const page = {
    changed: 4,
    lines: "*[6]<button>Yes</button>",
    removed: [3, 1, 2],
    said: ["Sure?\n Really?"],
  };
  const data = { clicked: true, element, effect: "changed", changes: 2, page };
  expect(actionText({ success: true, error: null, data })).toBe(
    "Done <button>Order: the page changed\n*[6]<button>Yes\nGone: 1-3\nNew text: Sure? Really?",
  );
});

test("the text of a navigation's outcome contains the address only once", () => {
  const data = { url: "https://shop.test/cart", effect: "navigated" };
  expect(actionText({ success: true, error: null, data })).toBe("Done: navigated to https://shop.test/cart");
});

test("the text of an action's outcome lists fields that the caller does not know, and omits those that repeat the request", () => {
  const data = {
    typed: true,
    value: "Ann",
    truncated: true,
    windows: [{ url: "https://a.test/" }],
    empty: [],
  };
  expect(actionText({ success: true, error: null, data })).toBe(
    'Done\nvalue: Ann\ntruncated: true\nwindows: [{"url":"https://a.test/"}]',
  );
});

test("the text of an action's outcome names the requests for which the page still waits", () => {
  const data = { effect: "changed", pending: 3, pending_requests: ["GET /report", "POST /mail"] };
  expect(actionText({ success: true, error: null, data })).toBe(
    "Done: the page changed\nThe page may still change. It waits for: GET /report, POST /mail and 1 more",
  );
});

test("the text of a failed action starts with the error code and lists similar elements as candidates", () => {
  const candidates = [{ highlight_index: 9, score: 0.8, line: "[9]<a>Home</a>" }];
  const data = { code: "element_stale", index: 1, candidates, clicked: false };
  expect(actionText({ success: false, error: "Element [1] is gone.", data })).toBe(
    "element_stale: Element [1] is gone.\n[9]<a>Home",
  );
});

test("the text of a failed action names the place of a locator in the parameters only if there may be several", () => {
  const text = (path: string) =>
    actionText({ success: false, error: "No element.", data: { code: "element_not_found", path } });
  expect(text("index")).toBe("element_not_found: No element.");
  expect(text("to_index")).toBe("element_not_found: No element.\npath: to_index");
});

test("the text of an action's outcome states if page changes were not compared or were partly left out", () => {
  const untold = actionText({ success: true, error: null, data: { page: { changed: 0, untold: true } } });
  expect(untold).toContain("analyze_page with since_revision");
  const more = actionText({ success: true, error: null, data: { page: { changed: 9, more: 7 } } });
  expect(more).toBe("Done\n7 more changes: analyze_page with since_revision");
});

test("the text of an outcome of extract has the page's title and content, the next offset, and the links that are not in the content", () => {
  const data = {
    url: "https://shop.test/",
    title: "Shop",
    language: null,
    content: "# Shop\n\n[Cart](https://shop.test/cart)",
    next_offset: 40,
    links: [
      { url: "https://shop.test/cart", text: "Cart", external: false },
      { url: "https://shop.test/help", text: "Help", external: false },
    ],
    tables: [{ caption: null, columns: ["A"], rows: [["1"]], left_out: 0 }],
    frames: 0,
  };
  expect(actionText({ success: true, error: null, data })).toBe(
    "Shop | https://shop.test/\n# Shop\n\n[Cart](https://shop.test/cart)\nMore: offset 40\nOther links:\n- Help: /help",
  );
});
