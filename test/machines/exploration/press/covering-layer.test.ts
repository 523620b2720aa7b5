/** Tests how an exploration recognises a layer that covers a page, and by which control it closes the layer. */
import { describe, expect, test } from "bun:test";
import {
  coveringLayer,
  isCovered,
  layerControl,
} from "../../../../machines/exploration/press/covering-layer.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

function button(name: string, more: Partial<HighlightedElement> = {}): HighlightedElement {
  return {
    highlight_index: 0,
    tagName: "button",
    type: "button",
    interactionType: "click",
    selector: "button",
    xpath: "/html/body/button",
    textContent: name,
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...more,
  };
}
const covered = { covered: "div#shade" };
const closing = (...elements: HighlightedElement[]) => layerControl(elements)?.textContent;

describe("a layer that covers a page", () => {
  test("counts as a layer only if it covers more than half of the visible elements", () => {
    const own = button("Close");
    expect(isCovered([button("A", covered), button("B", covered), own])).toBe(true);
    expect(isCovered([button("A", covered), button("B"), own])).toBe(false);
    expect(isCovered([button("A", { ...covered, in_viewport: false }), own])).toBe(false);
    expect(isCovered([])).toBe(false);
  });

  test("is the element that covers most of the visible elements", () => {
    const other = button("C", { covered: "div#tip" });
    expect(coveringLayer([other, button("A", covered), button("B", covered)])).toBe("div#shade");
    expect(coveringLayer([button("A")])).toBeUndefined();
  });

  test("is closed by the control that only closes it, else by the control that declines", () => {
    expect(closing(button("No, thanks"), button("Yes"), button("×"))).toBe("×");
    expect(closing(button("Yes, report usage"), button("No, do not report usage"))).toBe(
      "No, do not report usage",
    );
    expect(closing(button("Start the tour"), button("Got it"))).toBe("Got it");
  });

  test("is not closed by a control under it, by a link to a page, or by one that may change data", () => {
    expect(closing(button("Close", covered))).toBeUndefined();
    expect(closing(button("Close", { attributes: { href: "/home" } }))).toBeUndefined();
    expect(closing(button("Close and delete draft"))).toBeUndefined();
    expect(closing(button("Notes"), button("Yes"), button("Crossing"))).toBeUndefined();
  });
});
