/**
 * Tests the answer of a page analysis without a browser: lines of elements, token limits, deltas, candidates,
 * names of actions.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Refused } from "../../../../machines/errors.ts";
import {
  actionAliases,
  actionNames,
} from "../../../../machines/session/actions/browser-action-names-and-risks.ts";
import { ignoredParams, parseAction } from "../../../../machines/session/actions/parse-action.ts";
import { candidatesFor } from "../../../../machines/session/controls/candidates-for-stale-index.ts";
import { answerOf } from "../../../../machines/session/page/analyze-page-answer.ts";
import { markDuplicateNames } from "../../../../machines/session/page/duplicate-element-names.ts";
import { elementLine } from "../../../../machines/session/page/element-line.ts";
import {
  analyzeOptionsSchema,
  type HighlightedElement,
  type PageAnalysis,
} from "../../../../machines/session/page/page-snapshot.ts";
import { applyDelta } from "../../../../machines/session/page/snapshot-delta.ts";
import { tokensOf } from "../../../../machines/session/page/token-estimate.ts";

const URL_OF_PAGE = "https://shop.test/list?page=2";

function element(highlight_index: number, more: Partial<HighlightedElement> = {}): HighlightedElement {
  return {
    highlight_index,
    tagName: "button",
    type: "button",
    interactionType: "click",
    selector: `#e${highlight_index}`,
    xpath: "/html/body/button",
    textContent: `Button ${highlight_index}`,
    attributes: {},
    box: { x: 0, y: 0, width: 10, height: 10 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...more,
  };
}

function page(revision: number, elements: readonly HighlightedElement[], document = "d"): PageAnalysis {
  const scroll = { x: 0, y: 0, width: 1, height: 1, viewport_width: 1, viewport_height: 1 };
  return {
    revision,
    document,
    url: URL_OF_PAGE,
    title: "Shop",
    ready_state: "complete",
    scroll: { ...scroll, pixels_above: 0, pixels_below: 0 },
    segments: [],
    elements,
    texts: [],
  };
}

test("an analysis of a page without elements has the text of the page", () => {
  const texts = [
    { text: "Starting the console", level: 1 },
    { text: "Please be patient", level: 0 },
  ];
  // The cast is safe: `answerOf` reads only these two fields of a text.
  const shown = texts as unknown as PageAnalysis["texts"];
  expect(answerOf({ ...page(1, []), texts: shown }, options(), undefined).text_content).toBe(
    "# Starting the console\nPlease be patient",
  );
  expect(answerOf({ ...page(1, [element(0)]), texts: shown }, options(), undefined)).not.toHaveProperty(
    "text_content",
  );
});

const options = (given: Readonly<Record<string, unknown>> = {}) => analyzeOptionsSchema.parse(given);

describe("the line of an element in an analysis", () => {
  test.each([
    [element(3), `[3]<button>Button 3</button>`],
    [
      element(0, { tagName: "a", attributes: { href: "https://shop.test/home" }, textContent: "Home" }),
      `[0]<a>Home</a>`,
    ],
    [
      element(1, { tagName: "a", attributes: { href: "#top" }, new: true, namesake: true }),
      `*[1]<a href="#top">Button 1</a>`,
    ],
    [
      element(2, {
        tagName: "input",
        type: "text",
        interactionType: "input",
        textContent: "",
        placeholder: "Username",
      }),
      `[2]<input>Username</input>`,
    ],
    [
      element(3, {
        tagName: "input",
        type: "submit",
        interactionType: "submit",
        value: "Go",
        textContent: "",
      }),
      `[3]<input type="submit">Go</input>`,
    ],
    [
      element(4, {
        tagName: "input",
        type: "checkbox",
        checked: true,
        labelText: `Say "yes"\n now`,
        textContent: "",
      }),
      `[4]<input type="checkbox" checked>Say 'yes' now</input>`,
    ],
    [
      element(6, { checked: false, attributes: { "aria-expanded": "false", "aria-haspopup": "menu" } }),
      `[6]<button unchecked collapsed haspopup="menu">Button 6</button>`,
    ],
    [
      element(7, { type: "submit", attributes: { "aria-expanded": "true", "aria-haspopup": "true" } }),
      `[7]<button expanded haspopup>Button 7</button>`,
    ],
    [element(5, { covered: "div", disabled: true }), `[5]<button disabled covered>Button 5</button>`],
  ])("contains only the attributes that help to choose the element (example %#)", (given, line) => {
    expect(elementLine(given, URL_OF_PAGE)).toBe(line);
  });
});

test("elements with the same name are listed with their row as context if a query leaves out the link that names the row", () => {
  const rows = ["readme.txt", "photos"].flatMap((file, at) => [
    element(2 * at, { tagName: "a", textContent: file }),
    element(2 * at + 1, { textContent: "Rename", row: `${file} 5 B` }),
  ]);
  const { clickableElementsString } = answerOf(page(1, rows), options({ query: "rename" }), undefined);
  expect(clickableElementsString).toBe(
    '[1]<button in="readme.txt 5 B">Rename</button>\n[3]<button in="photos 5 B">Rename</button>',
  );
  expect(answerOf(page(1, rows), options(), undefined).clickableElementsString).not.toContain("in=");
});

test("a query finds a field by the value that its line shows", () => {
  const fields = [
    element(1, { tagName: "input", textContent: "", labelText: "Name", value: "Untitled Folder" }),
    element(2, { tagName: "select", textContent: "", labelText: "Kind", value: "3", value_label: "Report" }),
  ];
  const found = (query: string) =>
    answerOf(page(1, fields), options({ query }), undefined).highlightedElements.map(
      ({ highlight_index }) => highlight_index,
    );
  expect(found("untitled")).toEqual([1]);
  expect(found("report")).toEqual([2]);
});

describe("the address in the line of a link", () => {
  const link = (index: number, href: string, more: Partial<HighlightedElement> = {}) =>
    element(index, { tagName: "a", attributes: { href }, textContent: "Link", ...more });

  test.each([
    ["/shop/cart?x=1#top", "cart?x=1#top"],
    ["/shop/", "/shop/"],
    ["/shop/a:b", "/shop/a:b"],
    ["/shop//a", "/shop//a"],
    ["/home", "/home"],
    ["../home.html", "/home.html"],
    ["../a/b/", "/a/b/"],
    ["#top", "#top"],
    ["https://other.example/shop/cart", "https://other.example/shop/cart"],
  ])("is written relative to the page: %s", (href, written) => {
    const line = elementLine(link(1, href, { textContent: "" }), "https://shop.example/shop/list");
    expect(line).toBe(`[1]<a href="${written}"></a>`);
  });

  test("is written as in the page if that form is shorter", () => {
    const line = elementLine(link(1, "list.html", { textContent: "" }), "https://shop.example/");
    expect(line).toBe(`[1]<a href="list.html"></a>`);
  });

  test.each([
    ["/home", ""],
    ["#top", ""],
    ["javascript:void(0)", ""],
    ["https://shop.example/home", ""],
    ["//other.example/a", ` href="//other.example/a"`],
    ["https://shop.example:8443/a", ` href="https://shop.example:8443/a"`],
    ["mailto:ann@shop.example", ` href="mailto:ann@shop.example"`],
  ])("is omitted for a link with a text, unless the link leads to another site: %s", (href, written) => {
    expect(elementLine(link(1, href), "https://shop.example/shop/list")).toBe(`[1]<a${written}>Link</a>`);
  });

  test("is added to links with equal names and different targets, on pages of up to 100 elements", () => {
    const links = [link(0, "/a"), link(1, "/b"), link(2, "/b", { textContent: "Other" }), link(3, "/b")];
    const same = [link(4, "/c", { textContent: "Same" }), link(5, "/c", { textContent: "Same" })];
    const written = markDuplicateNames([...links, ...same]);
    const named = written.flatMap(({ highlight_index, namesake }) => (namesake ? [highlight_index] : []));
    expect(named).toEqual([0, 1, 3]);
    expect(written.map((one) => elementLine(one, URL_OF_PAGE))[1]).toBe(`[1]<a href="/b">Link</a>`);
    expect(markDuplicateNames([...links, ...same])).toEqual([...written]);
    const many = Array.from({ length: 101 }, (_, at) => link(at, `/${at}`));
    expect(markDuplicateNames(many).some(({ namesake }) => namesake)).toBe(false);
  });

  test("is not added to buttons with equal names: on pages of up to 100 elements, they get the text of their row", () => {
    const rows = ["Ann", "Bob"].map((around, at) => element(at, { textContent: "Delete", around }));
    const linesOf = (all: readonly HighlightedElement[]) =>
      markDuplicateNames(all).map((one) => elementLine(one, URL_OF_PAGE));
    expect(linesOf(rows)).toEqual([
      `[0]<button in="Ann">Delete</button>`,
      `[1]<button in="Bob">Delete</button>`,
    ]);
    const others = Array.from({ length: 99 }, (_, at) => element(at + 2));
    expect(linesOf([...rows, ...others])[1]).toBe(`[1]<button>Delete</button>`);
    // An element without a name is listed with the text around it.
    const nameless = element(101, { tagName: "input", type: "checkbox", textContent: "", around: "Cid" });
    expect(linesOf([...rows, ...others, nameless]).at(-1)).toBe(
      `[101]<input type="checkbox" in="Cid"></input>`,
    );
  });
});

describe("the token limit of an answer", () => {
  test("is never exceeded, and covered elements are dropped first", () => {
    const any = fc.record({
      textContent: fc.string({ maxLength: 80, unit: "grapheme" }),
      covered: fc.option(fc.constant("div#over"), { nil: undefined }),
      in_viewport: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 80 }),
        fc.integer({ min: 400, max: 4_000 }),
        (given, max_tokens) => {
          const elements = given.map(({ covered, ...one }, at) =>
            element(at, covered ? { ...one, covered } : one),
          );
          const data = answerOf(page(1, elements), options({ max_tokens }), undefined);
          expect(tokensOf(JSON.stringify(data))).toBeLessThanOrEqual(max_tokens);
          expect(data.totalElements).toBe(elements.length);
          const written = new Set(
            [...data.clickableElementsString.matchAll(/^\[(\d+)\]</gm)].map(([, at]) => Number(at)),
          );
          expect(written.size + (data.omitted?.elements ?? 0)).toBe(elements.length);
          const free = elements.filter((one) => one.covered === undefined && one.in_viewport);
          const covered = elements.filter((one) => one.covered !== undefined);
          if (covered.some((one) => written.has(one.highlight_index)))
            expect(free.every((one) => written.has(one.highlight_index))).toBe(true);
        },
      ),
    );
  });
});

describe("the delta of two snapshots", () => {
  test("reproduces the new snapshot exactly when it is applied", () => {
    const indices = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 10 });
    const some = indices.chain((chosen) =>
      fc.tuple(
        ...chosen.map((index) =>
          fc.constantFrom("a", "b", "c").map((textContent) => element(index, { textContent })),
        ),
      ),
    );
    fc.assert(
      fc.property(fc.array(some, { minLength: 2, maxLength: 6 }), (pages) => {
        const [first, ...later] = pages.map((elements, at) => page(at + 1, elements));
        if (!first) return;
        let built = answerOf(first, options(), undefined);
        let before = first;
        for (const after of later) {
          const known = new Set(before.elements.map(({ highlight_index }) => highlight_index));
          const marked = {
            ...after,
            elements: after.elements.map((one) =>
              known.has(one.highlight_index) ? one : { ...one, new: true },
            ),
          };
          built = applyDelta(built, answerOf(marked, options({ since_revision: before.revision }), before));
          expect(built).toEqual(answerOf(marked, options(), undefined));
          before = marked;
        }
      }),
    );
  });

  test("is replaced by a complete answer if the page has a new document", () => {
    const answer = answerOf(
      page(2, [element(9)], "other"),
      options({ since_revision: 1 }),
      page(1, [element(1)]),
    );
    expect(answer.delta).toBeUndefined();
    expect(answer.highlightedElements).toHaveLength(1);
  });
});

test("a delta that consists only of lines omits elements that only moved", () => {
  const before = page(1, [element(0), element(1, { textContent: "Old" }), element(2)]);
  const box = { x: 0, y: 99, width: 1, height: 1 };
  const after = page(2, [element(0), element(1, { textContent: "New", box }), element(2, { box })]);
  const request = { ...options({ since_revision: 1 }), lines_only: true };
  expect(answerOf(after, request, before).clickableElementsString).toBe("[1]<button>New</button>");
  expect(answerOf(after, options({ since_revision: 1 }), before).highlightedElements).toHaveLength(2);
});

test("an analysis without element records (lines_only) has the same lines as one with records, up to the token limit", () => {
  const elements = Array.from({ length: 60 }, (_, index) =>
    element(index, { textContent: `Entry ${index}` }),
  );
  const whole = answerOf(page(1, elements), options(), undefined);
  const lines = answerOf(page(1, elements), { ...options(), lines_only: true }, undefined);
  expect(lines).toEqual({ ...whole, segments: [], highlightedElements: [] });
  const limited = { ...options({ max_tokens: 400 }), lines_only: true };
  const { omitted, clickableElementsString } = answerOf(page(1, elements), limited, undefined);
  expect(omitted).toMatchObject({ details: 0, segments: 0 });
  expect(omitted?.elements).toBe(60 - clickableElementsString.split("\n").length);
});

test("the line of a control whose text is only a number starts with the control's label", () => {
  const line = (more: Partial<HighlightedElement>) => elementLine(element(1, more), URL_OF_PAGE);
  expect(line({ textContent: "3", ariaLabel: "Notifications" })).toBe("[1]<button>Notifications: 3</button>");
  expect(line({ textContent: "1 2 3", ariaLabel: "Numbered list" })).toBe(
    "[1]<button>Numbered list: 1 2 3</button>",
  );
  expect(line({ textContent: "2", ariaLabel: "Page 2" })).toBe("[1]<button>Page 2</button>");
  expect(line({ textContent: "Send", ariaLabel: "Submit the form" })).toBe("[1]<button>Send</button>");
});

test("candidates for a stale index are ranked by similarity, without dissimilar elements", () => {
  const then = element(1, { textContent: "Delete order", attributes: { name: "delete" } });
  const now = [
    element(7, {
      tagName: "a",
      interactionType: "navigate",
      textContent: "Imprint",
      selector: "x",
      segment: 1,
    }),
    element(8, { textContent: "Delete", selector: "y", attributes: { name: "delete" } }),
    element(9, { textContent: "Delete order", attributes: { name: "delete" } }),
  ];
  const found = candidatesFor(then, now, URL_OF_PAGE);
  expect(found.map(({ highlight_index }) => highlight_index)).toEqual([9, 8]);
  expect(candidatesFor(undefined, now, URL_OF_PAGE)).toEqual([]);
});

describe("parsing an action", () => {
  test("resolves every alias to an existing action", () => {
    for (const [alias, name] of Object.entries(actionAliases)) {
      expect(actionNames).toContain(name);
      expect(actionNames as readonly string[]).not.toContain(alias);
    }
    expect(parseAction("type", { index: 1, text: "a" })).toEqual({
      name: "input",
      params: { index: 1, text: "a", clear: true },
    });
  });

  test.each([
    ["goto", { url: "https://a.test/", new_tab: true }, "new_tab"],
    ["wait", { until_text: "Done" }, "until_text"],
    ["send_keys", { keys: "a", index: 4 }, "index"],
  ])("refuses a parameter that %s does not know, and names those it accepts", (name, params, unknown) => {
    expect(() => parseAction(name, params)).toThrow(`no parameter "${unknown}"`);
  });

  test("drops empty unknown parameters, and reports the descriptions that it ignores", () => {
    const given = { url: "https://a.test/", reason: "to sign in", id: null, times: false };
    expect(parseAction("goto", given)).toEqual({ name: "navigate", params: { url: "https://a.test/" } });
    expect(ignoredParams("goto", given)).toEqual(["reason"]);
    expect(ignoredParams("type", { index: 1, text: "a", clear: true })).toEqual([]);
  });

  test("refuses unknown fields inside a parameter", () => {
    expect(() => parseAction("drag", { index: 1, by: { x: 1, y: 2, z: 3 } })).toThrow("params.by.z");
  });

  test.each([
    ["dance", {}],
    ["click", {}],
    ["click", { index: -1 }],
    ["wait", { seconds: 1e9 }],
    ["select_dropdown", { index: 1 }],
    ["constructor", {}],
  ])("refuses unknown actions and missing parameters: %s %j", (name, params) => {
    expect(() => parseAction(name, params)).toThrow(Refused);
  });
});
