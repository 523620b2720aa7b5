/** Tests the place of an element on its page: the headings above it, the text before it, and its column. */
import { describe, expect, test } from "bun:test";
import { placeOf, withPlaces } from "../../../../machines/session/page/headings-and-text-around-elements.ts";
import { button, element } from "../../dialogue/support/test-page-elements.ts";

describe("the place of an element (the texts around it)", () => {
  test("has the headings above it and the text directly before it", () => {
    const placed = withPlaces(
      [button("Save"), button("Save")],
      [
        { at: 0, text: "Networks", level: 1 },
        { at: 0, text: "Home", level: 2 },
        { at: 0, text: "Channel", level: 0 },
        { at: 1, text: "Guests", level: 2 },
      ],
    );
    expect(placed.map(placeOf)).toEqual([
      { headings: ["Networks", "Home"], caption: ["Channel"], column: "" },
      { headings: ["Networks", "Guests"], caption: [], column: "" },
    ]);
  });

  test("includes the header of its table column", () => {
    const head = element({ tagName: "th", textContent: "Active", xpath: "/html/body/table/thead/tr/th[2]" });
    const cell = element({ xpath: "/html/body/table/tbody/tr[3]/td[2]/button" });
    const other = element({ xpath: "/html/body/table/tbody/tr[3]/td[1]/button" });
    expect(withPlaces([head, cell, other], []).map((one) => placeOf(one).column)).toEqual(["", "Active", ""]);
  });

  test("does not include a text that is many elements before it", () => {
    const placed = withPlaces(
      Array.from({ length: 9 }, () => button("Next")),
      [{ at: 0, text: "Cards", level: 0 }],
    );
    expect(placed.map((one) => placeOf(one).caption.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0]);
  });
});
