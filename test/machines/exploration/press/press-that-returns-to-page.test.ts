/** Tests when a press of a control such as "Close" in a menu or dialog has led back to the page. */
import { expect, test } from "bun:test";
import {
  fieldSketch,
  isReturn,
  stateFeatures,
  stateSketchOf,
} from "../../../../machines/exploration/press/page-state-by-visible-controls.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

const element = (xpath: string, textContent: string, over = {}): HighlightedElement => ({
  highlight_index: 1,
  tagName: "button",
  type: "",
  interactionType: "click",
  selector: "",
  xpath,
  textContent,
  attributes: {},
  box: { x: 0, y: 0, width: 1, height: 1 },
  in_viewport: true,
  frame: [],
  segment: 0,
  ...over,
});
const field = (xpath: string) => element(xpath, "", { tagName: "input", interactionType: "input" });
const controls = [
  element("/nav/button", "Home"),
  element("/main/h1/button", "More"),
  field("/header/input"),
  element("/main/footer/button", "Help"),
];
const menu = ["Rename", "Copy", "Move", "Share"].map((name) => element(`/ul/li[@id='${name}']/button`, name));

function isReturnTo(shown: readonly HighlightedElement[]): boolean {
  const sketch = (elements: readonly HighlightedElement[]) =>
    stateSketchOf(stateFeatures({ elements, headings: [] }));
  return isReturn({
    earlier: sketch(controls),
    from: sketch([...controls, ...menu]),
    shown: sketch(shown),
    fields: fieldSketch(shown),
  });
}

test("a press that closes a menu counts as returning to the page, even if the page now shows a message", () => {
  expect(isReturnTo([...controls, element("/aside/button", "Close")])).toBe(true);
});

test("a press that closes a menu leads to another state if the page now has a field that it did not have before", () => {
  expect(isReturnTo([...controls, field("/main/form/input"), element("/main/form/button", "Save")])).toBe(
    false,
  );
});
