import { expect, test } from "bun:test";
import type { HighlightedElement } from "../../../machines/session/page-snapshot.ts";
import { closingControl } from "../../../machines/walk/closing-control.ts";

const controls = (...names: readonly string[]) =>
  names.map(
    (textContent, highlight_index) =>
      // Only the fields that a name is made of.
      ({
        highlight_index,
        tagName: "button",
        role: "button",
        textContent,
        attributes: {},
      }) as HighlightedElement,
  );

test("what covers a page is closed by its Close control, in several languages", () => {
  expect(closingControl(controls("Save", "Close", "Help"))).toBe(1);
  expect(closingControl(controls("Speichern", "Schließen"))).toBe(1);
  expect(closingControl(controls("Anmelden", "×"))).toBe(1);
});

test("Close comes before Cancel, and of two the upper dialog's", () => {
  expect(closingControl(controls("Cancel", "Close", "Save"))).toBe(1);
  expect(closingControl(controls("Close", "Save", "Close"))).toBe(2);
  expect(closingControl(controls("Save", "Cancel"))).toBe(1);
});

test("a control with more in its name is no closing control", () => {
  expect(closingControl(controls("Close account", "Cancel order 7", "Delete"))).toBeUndefined();
});
