/**
 * Tests how an exploration finds the selected tab of a tab list. A press on it undoes a press on another tab of
 * the list.
 */
import { expect, test } from "bun:test";
import type { Shown } from "../../../../actors/exploration/press/control-press-session.ts";
import { selectedTab } from "../../../../actors/exploration/press/control-press-transitions.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

const element = (name: string, xpath: string, more: Partial<HighlightedElement>): HighlightedElement =>
  // The cast is safe: the object has all fields of an element that the tested function reads.
  ({ tagName: "a", textContent: name, xpath, attributes: {}, ...more }) as HighlightedElement;
// The cast is safe: the tested function reads only the elements of the snapshot.
const shown = (...highlightedElements: HighlightedElement[]) => ({ page: { highlightedElements } }) as Shown;
const step = (xpath: string) => ({ kind: "click", name: "", role: "a", xpath }) as const;

test("the tab that is selected beside a given tab is found by its role, or by its mark as current if the tabs are links to panels", () => {
  const tabs = [
    element("Team", "/ul[1]/li[1]/a", { role: "tab", selected: true }),
    element("Plans", "/ul[1]/li[2]/a", { role: "tab" }),
  ];
  expect(selectedTab(shown(...tabs), step("/ul[1]/li[2]/a"))?.name).toBe("Team");
  const link = (href: string) => ({ attributes: { href, class: "tab-link" } });
  const links = [
    element("Info", "/div/a[1]", { ...link("#info"), current: true }),
    element("Help", "/div/a[2]", link("#help")),
  ];
  expect(selectedTab(shown(...tabs, ...links), step("/div/a[2]"))?.name).toBe("Info");
});

test("for an element that is not a tab, no selected tab is found", () => {
  const tab = element("Team", "/ul/li[1]/a", { role: "tab", selected: true });
  const button = element("Plans", "/ul/li[2]/a", { tagName: "button" });
  expect(selectedTab(shown(tab, button), step("/ul/li[2]/a"))).toBeUndefined();
});
