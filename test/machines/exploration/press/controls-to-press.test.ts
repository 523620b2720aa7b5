import { describe, expect, test } from "bun:test";
import { choosePresses } from "../../../../machines/exploration/press/controls-to-press.ts";
import {
  isSameState,
  stateFeatures,
  stateSketchOf,
} from "../../../../machines/exploration/press/page-state-by-visible-controls.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

function element(name: string, more: Partial<HighlightedElement> = {}): HighlightedElement {
  return {
    highlight_index: 0,
    tagName: "button",
    type: "button",
    interactionType: "click",
    selector: "button",
    xpath: `/html/body/main/button[${name.length}]`,
    textContent: name,
    role: "button",
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...more,
  };
}
const names = (elements: readonly HighlightedElement[]) =>
  choosePresses(elements).press.map(({ step }) => step.name);
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    element(`Open ${at}`, { xpath: `/html/body/main/ul/li[${at + 1}]/button` }),
  );

describe("an exploration that chooses which controls to press", () => {
  test("prefers tabs, menus and controls that open or switch something", () => {
    expect(
      names([
        element("Plain"),
        element("More", { attributes: { "aria-haspopup": "menu" } }),
        element("Team", { role: "tab" }),
      ]),
    ).toEqual(["Team", "More", "Plain"]);
  });

  test("prefers buttons whose names say that they open a form for something new", () => {
    const elements = [
      element("Team", { role: "tab" }),
      element("Plain"),
      element("New feature flag"),
      element("Projekt hinzufügen"),
      element("News"),
      element("", { icon: "plus", textContent: undefined, xpath: "/html/body/main/div/button" }),
      element("Plus plans"),
      element("Add a comment about it", { tagName: "td", role: "cell" }),
    ];
    const { press } = choosePresses(elements);
    expect(press.map(({ step }) => step.name).slice(0, 4)).toEqual([
      "New feature flag",
      "Projekt hinzufügen",
      "plus",
      "Team",
    ]);
    expect(press.filter(({ creates }) => creates)).toHaveLength(3);
  });

  test("prefers a button that creates something in a toolbar, and not such buttons in the rows of a list", () => {
    const tool = (name: string, at: number) =>
      element(name, { xpath: `/html/body/main/section/div[${at + 1}]/button` });
    const toolbar = ["Export", "Import", "Archive view", "New feature flag"].map(tool);
    const filters = Array.from({ length: 5 }, (_, at) =>
      element(`Add flag ${at} to filter`, { xpath: `/html/body/main/ul/li[${at + 1}]/button` }),
    );
    const { press } = choosePresses([...toolbar, ...filters]);
    expect(press.flatMap(({ creates, step }) => (creates ? [step.name] : []))).toEqual(["New feature flag"]);
  });

  test("moves the pointer over a link that opens a menu, and not over the entries of the menu", () => {
    const link = (name: string, classes: string) =>
      element(name, {
        tagName: "a",
        role: "link",
        interactionType: "navigate",
        attributes: { href: `/${name}`, class: classes },
      });
    expect(
      names([
        link("Languages", "nav-link dropdown-toggle"),
        link("Deutsch", "dropdown-item"),
        link("Projects", "nav-item dropdown"),
        link("Français", "dropdown-link"),
      ]),
    ).toEqual(["Languages", "Projects"]);
  });

  test("does not press the selected tab, whose panel is shown already", () => {
    expect(
      names([
        element("Team", { role: "tab", selected: true }),
        element("Billing", { role: "tab", attributes: { "aria-selected": "true" } }),
        element("Plans", { role: "tab", attributes: { "aria-selected": "false" } }),
      ]),
    ).toEqual(["Plans"]);
  });

  test("does not press heads of columns that sort a table, but those that open a menu", () => {
    // The header of the first column sorts as in DataTables (used by Kiwi TCMS), and that of the second as in AG
    // Grid.
    expect(
      names([
        element("Summary: activate to sort column descending", {
          tagName: "th",
          role: undefined,
          attributes: { "aria-controls": "cases", "aria-sort": "ascending" },
        }),
        element("Price", { tagName: "div", role: "columnheader" }),
        element("Columns", { tagName: "th", role: "columnheader", attributes: { "aria-haspopup": "menu" } }),
        element("Order 17", { tagName: "th", role: undefined, attributes: { scope: "row" } }),
        element("Export"),
      ]),
    ).toEqual(["Columns", "Export", "Order 17"]);
  });

  test("does not press controls that page through the dates of a calendar", () => {
    const paging = [
      "Previous day",
      "Next month",
      "Go to the Previous Month",
      "Nächste Woche",
      "Mois suivant",
    ];
    const others = ["Next", "Month", "Previous orders", "Nächster Schritt", "Last month"];
    expect(names([...paging, ...others].map((name) => element(name)))).toEqual(others);
    // "Next year" is a tab of a plan, and "Previous week" is an entry in the menu of a report. Despite their names,
    // they do not turn the pages of a calendar, so they are pressed.
    const periods = [element("Next year", { role: "tab" }), element("Previous week", { role: "menuitem" })];
    expect(names(periods)).toEqual(["Next year", "Previous week"]);
  });

  test("does not press the head of a month calendar, whatever its controls are called, but the head of another table", () => {
    // UI Bootstrap: a table of days, with the month between "previous" and "next" in its head.
    const calendar = (table: string, days: number) => [
      element("previous", { xpath: `${table}/thead/tr[1]/th[1]/button` }),
      element("November 2026", { xpath: `${table}/thead/tr[1]/th[2]/button`, role: "heading" }),
      ...Array.from({ length: days }, (_, at) =>
        element(String(at + 1).padStart(2, "0"), { xpath: `${table}/tbody/tr[1]/td[${at + 1}]/button` }),
      ),
    ];
    const whole = names([...calendar("/html/body/table[1]", 30), element("Today")]);
    expect(whole).toContain("Today");
    expect(whole).not.toContain("previous");
    expect(whole).not.toContain("November 2026");
    expect(names(calendar("/html/body/table[2]", 12))).toContain("previous");
  });

  test("treats links to panels as tabs, named after the panel if they show only an icon", () => {
    const tab = (href: string, more: Partial<HighlightedElement> = {}) => {
      const {
        textContent: _,
        role: __,
        ...link
      } = element("", { tagName: "a", interactionType: "navigate" });
      const attributes = { href, class: "nav-link tab" };
      return { ...link, icon: "user", xpath: `/html/body/ul/li/a${href}`, attributes, ...more };
    };
    const { press } = choosePresses([tab("#profile"), tab("#billing-plan"), tab("#home", { current: true })]);
    expect(press.map(({ step, switches }) => [step.name, switches])).toEqual([
      ["profile", true],
      ["billing plan", true],
    ]);
  });

  test("treats the rows of a list as one group, but each button of a toolbar separately", () => {
    const { press } = choosePresses(rows(300));
    expect(new Set(press.map(({ group }) => group)).size).toBe(1);
    expect(press[0]?.group).not.toBeNull();
    expect(press.length).toBeLessThan(20);
    expect(names(["A", "Bb", "Ccc", "Dddd", "Eeeee"].map((name) => element(name)))).toHaveLength(5);
  });

  test("never presses controls that delete, send, pay, sign out or submit", () => {
    const unsafe = [
      element("Delete"),
      element("Löschen"),
      element("Send"),
      element("Log out"),
      element("x", { attributes: { "data-method": "post" } }),
      element("y", { attributes: { class: "btn btn-danger" } }),
    ];
    expect(choosePresses(unsafe)).toMatchObject({ press: [], unsafe: { length: unsafe.length } });
    const others = [
      element("Save", { type: "submit", formId: "f" }),
      element("Page", { tagName: "a", attributes: { href: "/page" } }),
      element("Off", { disabled: true }),
      element("Name", { tagName: "input", interactionType: "input" }),
    ];
    expect(choosePresses(others)).toEqual({ press: [], unsafe: [] });
  });

  test("presses a submit button only if its name leads to the next step of a form", () => {
    const submit = { type: "submit", interactionType: "submit" } as const;
    expect(names([element("Next: guest", submit), element("Book", submit)])).toEqual(["Next: guest"]);
  });
});

describe("two states of a page", () => {
  const state = (elements: readonly HighlightedElement[], headings: readonly string[] = []) =>
    stateSketchOf(stateFeatures({ elements, headings }));

  test("are equal if only rows, numbers or values differ", () => {
    expect(isSameState(state(rows(5)), state(rows(9)))).toBe(true);
    expect(
      isSameState(state([element("Page 1")], ["Orders (3)"]), state([element("Page 2")], ["Orders (4)"])),
    ).toBe(true);
  });

  test("are different if another panel, heading or tab is shown", () => {
    const tab = (selected: boolean) => element("Team", { role: "tab", selected });
    expect(isSameState(state([tab(false)]), state([tab(true)]))).toBe(false);
    expect(
      isSameState(state([element("Open")], ["Orders"]), state([element("Open")], ["Orders", "Details"])),
    ).toBe(false);
    expect(isSameState(state([element("Open")]), state([element("Open"), element("Close")]))).toBe(false);
  });

  test("are different if a list of entries, such as a menu, is shown", () => {
    const page = Array.from({ length: 60 }, (_, at) =>
      element(`Tool ${"I".repeat(at)}`, { xpath: `/html/body/main/button[${at + 1}]` }),
    );
    expect(isSameState(state(page), state([...page, ...rows(5)]))).toBe(false);
  });

  test("are different if their drawers over the page differ only in the name of a button", () => {
    const page = Array.from({ length: 60 }, (_, at) =>
      element(`Tool ${"I".repeat(at)}`, {
        xpath: `/html/body/main/button[${at + 1}]`,
        in_viewport: true,
        covered: "div.layer",
      }),
    );
    const drawer = (name: string) => [
      ...page,
      element(name, { xpath: "/html/body/div[2]/button", in_viewport: true }),
      ...Array.from({ length: 6 }, (_, at) =>
        element("Delete", { xpath: `/html/body/div[${at + 3}]/button`, in_viewport: true }),
      ),
    ];
    expect(isSameState(state(drawer("Add connection")), state(drawer("Add connection")))).toBe(true);
    expect(isSameState(state(drawer("Add connection")), state(drawer("Add user")))).toBe(false);
  });
});
