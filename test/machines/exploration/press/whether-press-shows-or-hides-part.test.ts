/**
 * Tests when a press (click) has only shown or hidden a part of a page, and when it has led to another state of
 * the page.
 */
import { expect, test } from "bun:test";
import { disclosureOf } from "../../../../machines/exploration/press/whether-press-shows-or-hides-part.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

interface Given extends Partial<HighlightedElement> {
  readonly xpath: string;
}

function element({ xpath, ...given }: Given): HighlightedElement {
  return {
    highlight_index: 1,
    tagName: "button",
    type: "",
    interactionType: "click",
    selector: "",
    xpath,
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: 0,
    ...given,
  };
}

const field = (name: string, over = {}) =>
  element({
    xpath: `/div/input[@name='${name}']`,
    tagName: "input",
    interactionType: "input",
    ariaLabel: name,
    ...over,
  });
const toggle = (expanded?: string, over = {}) =>
  element({
    xpath: "/main/h2/button",
    textContent: "Network",
    attributes: expanded === undefined ? {} : { "aria-expanded": expanded },
    ...over,
  });
const others = [field("Search"), field("Language")];
const part = [field("Host"), field("Port"), field("Proxy")];

function press(
  before: readonly HighlightedElement[],
  after: readonly HighlightedElement[],
  headings: string[] = [],
) {
  const [pressed] = before;
  if (!pressed) throw new Error("No control to press.");
  return disclosureOf({ elements: before, headings: [] }, pressed, { elements: after, headings });
}

test("a press on a control with aria-expanded counts as showing or hiding a section of the page", () => {
  const closed = [toggle("false"), ...others];
  const open = [toggle("true"), ...part, ...others];
  expect([press(closed, open), press(open, closed)]).toEqual(["shows", "hides"]);
});

test("a press that closes a message of the page counts as hiding a part of the page", () => {
  // The button that closes a message of Bootstrap, as in Kiwi TCMS, Kallithea and Nautobot.
  const close = element({
    xpath: "/main/div/button",
    ariaLabel: "Close",
    attributes: { "data-dismiss": "alert", "aria-label": "Close" },
  });
  expect(press([close, ...others], others)).toBe("hides");
  // A press on the button that closes a message may also show new content. It may then be the last step of a
  // wizard, so it does not count as hiding a part of the page.
  expect(press([close, ...others], [...others, ...part])).toBeUndefined();
});

test("after one press on a control without aria-expanded, it is not certain that the control only shows or hides a section", () => {
  const closed = [toggle(), ...others];
  const open = [toggle(), ...part, ...others];
  expect([press(closed, open, ["Network"]), press(open, closed)]).toEqual(["may-show", "may-hide"]);
});

test("a press counts as showing a section of the page, even if the label of its control changes from Show to Hide", () => {
  const after = [toggle(undefined, { textContent: "Hide" }), ...part, ...others];
  expect(press([toggle(undefined, { textContent: "Show" }), ...others], after)).toBe("may-show");
});

test("a press that removes other controls from the page leads to another state, and does not only show a section", () => {
  expect(press([toggle("false"), ...others], [toggle("true"), ...part])).toBeUndefined();
});

test("a press after which something covers the control leads to another state, such as a dialog", () => {
  const after = [toggle("true", { covered: "div.backdrop" }), ...part, ...others];
  expect(press([toggle("false"), ...others], after)).toBeUndefined();
});

test("a press that opens a menu above a transparent layer shows a part of the page, and leads to no other state", () => {
  const entries = ["Rename", "Copy"].map((name) =>
    element({ xpath: `/body/ul/li[${name.length}]`, role: "menuitem", textContent: name }),
  );
  const covered = [toggle("true"), ...others].map((one) => ({ ...one, covered: "div.backdrop" }));
  expect(press([toggle("false"), ...others], [...covered, ...entries])).toBe("shows");
});

test("a press that shows a part with a closing control, such as Cancel, leads to another state, and does not only show a section", () => {
  const close = element({ xpath: "/section/button", textContent: "Cancel" });
  expect(press([toggle("false"), ...others], [toggle("true"), ...part, close, ...others])).toBeUndefined();
});

test("a press on a tab or on the Next button of a wizard leads to another state", () => {
  const tab = { role: "tab" };
  const next = { textContent: "Next" };
  expect(press([toggle("false", tab), ...others], [toggle("true", tab), ...part, ...others])).toBeUndefined();
  expect(
    press([toggle(undefined, next), ...others], [toggle(undefined, next), ...part, ...others]),
  ).toBeUndefined();
});

test("a press that opens one section and closes another shows a part of the page, and leads to no other state", () => {
  const second = (expanded: string) =>
    toggle(expanded, { xpath: "/main[2]/h2/button", textContent: "Display" });
  const before = [toggle("false"), second("true"), field("Zoom"), field("Font"), ...others];
  const after = [toggle("true"), second("false"), ...part, ...others];
  expect(press(before, after)).toBe("shows");
});

test("a press that opens a section counts as showing a part of the page, even if texts in table rows change too", () => {
  const rows = (word: string) =>
    [1, 2, 3, 4].map((row) =>
      element({ xpath: `/table/tr[${row}]/td/button`, textContent: `${word} ${"abcd"[row - 1]}` }),
    );
  expect(press([toggle("false"), ...rows("Old")], [toggle("true"), ...part, ...rows("New")])).toBe("shows");
});
