/**
 * Tests the text form of page analyses, which models receive: the page in one line, its elements, and after
 * the first analysis only what has changed.
 */
import { describe, expect, test } from "bun:test";
import { pageText } from "../../../../machines/session/page/page-analysis-text.ts";
import type { AnalysisData } from "../../../../machines/session/page/page-snapshot.ts";

const scroll = {
  x: 0,
  y: 0,
  width: 800,
  height: 3_000,
  viewport_width: 800,
  viewport_height: 600,
  pixels_above: 0,
  pixels_below: 2_400.4,
};

const data = (given: Partial<AnalysisData>): AnalysisData => ({
  segments: [],
  highlightedElements: [],
  totalElements: 2,
  clickableElementsString: "[0]<a>Home</a>\n[1]<button>Send</button>",
  revision: 3,
  url: "https://shop.test/",
  title: "Shop",
  scroll,
  ...given,
});

const part = { since_revision: 2, removed: [], added: [], segments_changed: false };

describe("the text of a page analysis", () => {
  test("has title, address, revision, scroll position and lines", () => {
    expect(pageText(data({}))).toBe(
      "Shop https://shop.test/ rev 3, 2400 px below\n[0]<a>Home\n[1]<button>Send",
    );
  });

  test("states the number of elements only if it does not list all of them", () => {
    expect(pageText(data({ totalElements: 9 }))).toContain(
      "https://shop.test/ rev 3, 9 elements, 2400 px below",
    );
    expect(pageText(data({ totalElements: 0, clickableElementsString: "" }))).toContain("0 elements");
    expect(pageText(data({}))).not.toContain("elements");
  });

  test("says that the page could not be loaded, and why", () => {
    const failed = data({
      totalElements: 0,
      clickableElementsString: "",
      load_failed: "shop.test was not found.",
    });
    expect(pageText(failed)).toContain("The page could not be loaded: shop.test was not found.");
  });

  test("lists only the indices of elements that a dialog covers, if they are most of the page", () => {
    const below = (covered: boolean) =>
      Array.from({ length: 12 }, (_, at) => `[${at}]<a${covered ? " covered" : ""}>Order ${at}</a>`);
    const dialog = ["*[20]<button>Close</button>", "*[21]<input covered>Name</input>"];
    const clickableElementsString = [...below(true), ...dialog].join("\n");
    expect(pageText(data({ totalElements: 14, clickableElementsString }))).toEndWith(
      "2400 px below\n*[20]<button>Close\nCovered, usable when what lies over them is closed (query lists them): 0-11, 21",
    );
    const few = [...below(true).slice(0, 9), ...dialog.slice(0, 1)].join("\n");
    expect(pageText(data({ totalElements: 10, clickableElementsString: few }))).toContain(
      "[8]<a covered>Order 8",
    );
    const chosen = pageText(data({ totalElements: 90, clickableElementsString }));
    expect(chosen).toContain("[8]<a covered>Order 8");
    const whole = pageText(data({ totalElements: 12, clickableElementsString: below(true).join("\n") }));
    expect(whole).toContain("[8]<a covered>Order 8");
    const named = below(false).map((line) => line.replace("<a", `<a in="What is covered by a plan"`));
    expect(
      pageText(data({ totalElements: 13, clickableElementsString: [...named, dialog[0]].join("\n") })),
    ).toContain(`[8]<a in="What is covered by a plan">Order 8`);
  });

  test("states what the token limit omitted and how to get it", () => {
    const omitted = { elements: 7, details: 0, segments: 3 };
    expect(pageText(data({ totalElements: 9, omitted }))).toEndWith(
      "max_tokens omitted 7 of 9 elements: name a segment or a query for them.",
    );
  });

  test("ends with the page's text and the omitted elements if they were requested", () => {
    const hidden = {
      tag: "a",
      selector: "#x",
      text: "Old",
      reason: "behind_dialog" as const,
      by: "div",
      frame: [],
    };
    const text = pageText(data({ text_content: "Hello", left_out: { elements: [hidden], more: 2 } }));
    expect(text).toEndWith('Left out:\n<a> "Old" #x: behind_dialog (div)\nand 2 more\nText:\nHello');
  });
});

describe("the text of a delta between two snapshots", () => {
  test("has new and changed lines, and the indices of removed elements as ranges", () => {
    const delta = { ...part, removed: [9, 4, 5, 6], added: [10] };
    const text = pageText(
      data({ delta, clickableElementsString: "[1]<button>Sent</button>\n*[10]<a>New</a>" }),
    );
    expect(text).toEndWith(
      "Changed since revision 2; all other elements are as they were:\n[1]<button>Sent\n*[10]<a>New\nGone: 4-6, 9",
    );
  });

  test("states after which element new elements were inserted, only once for a group of consecutive new elements", () => {
    const delta = { ...part, added: [10, 11, 12], order: [12, 0, 10, 11, 1] };
    const lines = "*[12]<a>Top</a>\n*[10]<a>A</a>\n*[11]<a>B</a>\n[1]<a>Changed</a>";
    expect(pageText(data({ delta, clickableElementsString: lines }))).toEndWith(
      "at the top:\n*[12]<a>Top\nafter [0]:\n*[10]<a>A\n*[11]<a>B\n[1]<a>Changed",
    );
  });

  test("states that nothing has changed", () => {
    expect(pageText(data({ delta: part, clickableElementsString: "" }))).toEndWith(
      "Nothing has changed since revision 2.",
    );
  });
});
