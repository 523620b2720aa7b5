/** Tests which control a walk presses to close a dialog that covers the page. */
import { expect, test } from "bun:test";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import { closingControl, tourEndingControl } from "../../../machines/walk/control-that-closes-layer.ts";

const controls = (...names: readonly string[]) =>
  names.map(
    (textContent, highlight_index) =>
      // The cast is safe: the object has all fields from which the name of an element is derived.
      ({
        highlight_index,
        tagName: "button",
        role: "button",
        textContent,
        attributes: {},
      }) as HighlightedElement,
  );

test("a dialog that covers a page is closed by its Close control, in several languages", () => {
  expect(closingControl(controls("Save", "Close", "Help"))).toBe(1);
  expect(closingControl(controls("Speichern", "Schließen"))).toBe(1);
  expect(closingControl(controls("Anmelden", "×"))).toBe(1);
});

test("a Close control is preferred to Cancel, and of two dialogs the upper one is closed", () => {
  expect(closingControl(controls("Cancel", "Close", "Save"))).toBe(1);
  expect(closingControl(controls("Close", "Save", "Close"))).toBe(2);
  expect(closingControl(controls("Save", "Cancel"))).toBe(1);
});

test("a control whose name has more words (Close account) does not count as a control that closes a dialog", () => {
  expect(closingControl(controls("Close account", "Cancel order 7", "Delete"))).toBeUndefined();
});

test("a guided tour is closed by its control Skip, and never by a control of the page that the tour covers", () => {
  const [skip, next] = controls("Skip", "Next");
  const page = controls("Back", "Close the banner.", "Cancel").map((one) => ({
    ...one,
    covered: "div.overlay",
  }));
  const tour = [
    { ...skip, highlight_index: 7 } as HighlightedElement,
    { ...next, highlight_index: 8 } as HighlightedElement,
  ];
  expect(closingControl([...page, ...tour])).toBe(7);
  expect(closingControl(page)).toBeUndefined();
  expect(closingControl(controls("Back", "Got it!"))).toBe(1);
  expect(closingControl(controls("Skip this invoice", "End lease"))).toBeUndefined();
});

test("a guided tour is recognised by its controls, and another dialog with Skip is none", () => {
  const shown = (...names: readonly string[]) =>
    controls(...names).map((one) => ({ ...one, in_viewport: true }));
  expect(tourEndingControl(shown("Skip", "Next"))).toBe(0);
  expect(tourEndingControl(shown("Save", "Got it"))).toBe(1);
  expect(tourEndingControl(shown("Skip tour", "Show me"))).toBe(0);
  expect(tourEndingControl(shown("Skip", "Import 20 contacts"))).toBeUndefined();
  expect(tourEndingControl(shown("Close", "Cancel", "Next"))).toBeUndefined();
  const covered = shown("Skip", "Next").map((one) => ({ ...one, covered: "div.overlay" }));
  expect(tourEndingControl(covered)).toBeUndefined();
});
