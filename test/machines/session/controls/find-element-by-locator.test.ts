/**
 * Tests which element of a page a locator matches, and when it matches none. A locator describes an element
 * without an index.
 */
import { describe, expect, test } from "bun:test";
import { parseAction } from "../../../../machines/session/actions/parse-action.ts";
import { type Locator, locate } from "../../../../machines/session/controls/find-element-by-locator.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

const PAGE = "https://shop.test/orders/";

function element(index: number, given: Partial<HighlightedElement>): HighlightedElement {
  return {
    highlight_index: index,
    tagName: "button",
    type: "submit",
    interactionType: "click",
    selector: `button:nth-of-type(${index})`,
    xpath: "",
    attributes: {},
    box: { x: 0, y: 0, width: 10, height: 10 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...given,
  };
}

const link = (index: number, textContent: string, href: string) =>
  element(index, { tagName: "a", type: "", interactionType: "navigate", textContent, attributes: { href } });

const meant = (locator: Locator, elements: readonly HighlightedElement[]) => locate(locator, elements, PAGE);

describe("a locator with a role and a name", () => {
  const page = [
    element(1, { textContent: "Save" }),
    link(2, "Save", "/save"),
    element(3, { tagName: "input", type: "text", interactionType: "input", labelText: "City *" }),
    element(4, { textContent: "Delete" }),
    element(5, { textContent: "Delete" }),
  ];

  test("matches the only element that has both", () => {
    expect(meant({ role: "button", name: "Save" }, page)).toEqual({ index: 1 });
    expect(meant({ role: "link", name: "save" }, page)).toEqual({ index: 2 });
    expect(meant({ role: "textbox", name: "City" }, page)).toEqual({ index: 3 });
    expect(meant({ label: "City" }, page)).toEqual({ index: 3 });
  });

  test("matches the field, not the button of the same name, for an action that types", () => {
    const search = [
      element(1, { tagName: "input", type: "text", interactionType: "input", labelText: "Search" }),
      element(2, { textContent: "Search", ariaLabel: "Search" }),
    ];
    for (const named of [{ label: "search" }, { name: "Search" }]) {
      expect(meant({ ...named, typed: true }, search)).toEqual({ index: 1 });
      expect(meant(named, search)).toMatchObject({ code: "element_ambiguous" });
    }
  });

  test("matches clickable parts of a table by the role that their HTML tag implies", () => {
    const table = [
      element(1, { tagName: "th", type: "th", textContent: "Name" }),
      element(2, { tagName: "td", type: "td", textContent: "Name" }),
      element(3, { tagName: "tr", type: "tr", role: "button", textContent: "Name" }),
    ];
    expect(meant({ role: "columnheader", name: "Name" }, table)).toEqual({ index: 1 });
    expect(meant({ role: "cell", name: "Name" }, table)).toEqual({ index: 2 });
    expect(meant({ role: "row", name: "Name" }, table)).toMatchObject({ code: "element_not_found" });
  });

  test("matches none if several elements have both, and lists them as candidates", () => {
    expect(meant({ role: "button", name: "Delete" }, page)).toMatchObject({
      code: "element_ambiguous",
      candidates: [{ highlight_index: 4 }, { highlight_index: 5 }],
    });
  });

  test("matches none if no element has both, and lists similar ones as candidates", () => {
    expect(meant({ role: "button", name: "Delete all" }, page)).toMatchObject({
      code: "element_not_found",
      candidates: [{ highlight_index: 4 }, { highlight_index: 5 }],
    });
  });
});

describe("a fingerprint from a map", () => {
  test("of an element that has only an icon matches it by the icon", () => {
    const fingerprint = { role: "button", name: "ellipsis v", tag: "button", attributes: { id: "more" } };
    const page = [
      element(1, { icon: "bars", attributes: { id: "menu" } }),
      element(2, { icon: "ellipsis v", attributes: { id: "more" } }),
    ];
    expect(meant({ fingerprint }, page)).toEqual({ index: 2 });
    expect(meant({ role: "button", name: "ellipsis v" }, page)).toEqual({ index: 2 });
  });

  test("of a link matches the link with the same address, whatever its current name", () => {
    const fingerprint = { role: "link", name: "Invoices", tag: "a", attributes: { href: "../invoices" } };
    expect(meant({ fingerprint }, [link(1, "Invoices", "/other"), link(2, "Bills", "/invoices")])).toEqual({
      index: 2,
    });
    // Two links have the wanted text, as in a menu and a footer. They have the same address, so the first
    // link is used.
    const twice = [link(1, "Invoices", "/invoices"), link(2, "Invoices", "/invoices")];
    expect(meant({ fingerprint }, twice)).toEqual({ index: 1 });
  });

  test("of a link does not match a link with the same name to another route of a single-page application", () => {
    const fingerprint = { role: "link", name: "Settings", attributes: { href: "#/security/settings" } };
    const located = meant({ fingerprint }, [link(1, "Settings", "#/server/settings")]);
    expect(located).toMatchObject({ code: "element_ambiguous" });
  });

  test("of a link does not match a link to another address", () => {
    const fingerprint = { role: "link", name: "Next", attributes: { href: "/orders?page=2" } };
    expect(meant({ fingerprint }, [link(1, "Next", "/users")])).toMatchObject({ code: "element_ambiguous" });
    expect(meant({ fingerprint }, [link(1, "Next", "/orders?page=2&sid=7")])).toEqual({ index: 1 });
  });

  test("that was taken from one of several equal elements matches no element, even if the page now has only one of them", () => {
    const fingerprint = { role: "button", name: "Delete", alone: false };
    const left = [element(7, { textContent: "Delete" })];
    expect(meant({ fingerprint }, left)).toMatchObject({
      code: "element_ambiguous",
      candidates: [{ highlight_index: 7 }],
    });
    expect(meant({ fingerprint: { ...fingerprint, alone: true } }, left)).toEqual({ index: 7 });
  });

  test("of one of several equal elements matches the element with the same identifier, unless the identifier is only a number", () => {
    const page = [
      element(1, { textContent: "Delete", attributes: { id: "delete-anna" } }),
      element(2, { textContent: "Delete", attributes: { id: "delete-0" } }),
    ];
    const bound = (id: string) =>
      meant({ fingerprint: { role: "button", name: "Delete", alone: false, attributes: { id } } }, page);
    expect(bound("delete-anna")).toEqual({ index: 1 });
    expect(bound("delete-0")).toMatchObject({ code: "element_ambiguous" });
  });

  test("of a field with a digit in its identifier matches it, unless the other equal fields may be rows of the same list", () => {
    const fields = (...names: readonly string[]) =>
      names.map((name, at) =>
        element(at + 1, {
          tagName: "input",
          type: "text",
          interactionType: "input",
          labelText: "English",
          attributes: { name },
        }),
      );
    const fingerprint = { role: "textbox", name: "English", alone: false, attributes: { name: "name_0" } };
    expect(meant({ fingerprint }, fields("description_0", "name_0"))).toEqual({ index: 2 });
    const [area, name] = fields("description_0", "name_0");
    if (!area || !name) throw new Error("There are two fields.");
    expect(meant({ fingerprint }, [{ ...area, tagName: "textarea" }, name])).toEqual({ index: 2 });
    for (const page of [fields("name_0", "name_1"), fields("name_0")])
      expect(meant({ fingerprint }, page)).toMatchObject({ code: "element_ambiguous" });
  });
});

describe("the parameters of an action", () => {
  test("accept a locator instead of an index", () => {
    expect(parseAction("click", { role: "button", name: "Save" })).toMatchObject({
      params: { index: 0 },
      locators: { index: { role: "button", name: "Save" } },
    });
    expect(parseAction("input", { label: "City", text: "Vienna" })).toMatchObject({
      params: { index: 0, text: "Vienna" },
      locators: { index: { label: "City" } },
    });
    const fields = [
      { role: "textbox", name: "City", value: "Vienna" },
      { label: "Name", value: "Ann" },
    ];
    expect(parseAction("fill_form", { fields })).toMatchObject({
      params: {
        fields: [
          { index: 0, value: "Vienna" },
          { label: "Name", value: "Ann" },
        ],
      },
      locators: { "fields.0.index": { role: "textbox", name: "City" } },
    });
  });

  test("accept `text` in place of `value` in the action fill_form, if another parameter names the field", () => {
    const fields = [
      { label: "Name", text: "Ann" },
      { index: 3, text: "Graz" },
      { role: "textbox", name: "Street", text: "Main Street 1" },
      { text: "Terms", value: true },
    ];
    expect(parseAction("fill_form", { fields })).toMatchObject({
      params: {
        fields: [
          { label: "Name", value: "Ann" },
          { index: 3, value: "Graz" },
          { index: 0, value: "Main Street 1" },
          { index: 0, value: true },
        ],
      },
      locators: {
        "fields.2.index": { role: "textbox", name: "Street" },
        "fields.3.index": { text: "Terms" },
      },
    });
    expect(() => parseAction("fill_form", { fields: [{ label: "Name" }] })).toThrow(
      "params.fields.0.value: a text, a number, true or false, or a list of options is needed",
    );
  });

  test("accept a locator for the target of the action drag_drop too", () => {
    expect(parseAction("drag_drop", { role: "listitem", name: "Card", to: { text: "Done" } })).toMatchObject({
      params: { index: 0, to_index: 0 },
      locators: { index: { role: "listitem", name: "Card" }, to_index: { text: "Done" } },
    });
    expect(() => parseAction("drag_drop", { index: 1, to: { colour: "red" } })).toThrow(
      "locator of drag_drop",
    );
  });

  test("contain no locator if they have an element index", () => {
    expect(() => parseAction("click", { index: 4, role: "button" })).toThrow('click has no parameter "role"');
  });

  test("are accepted unchanged from the answer of a map", () => {
    const parameters = {
      selector: "nav a",
      xpath: "/html/body/a",
      text: "Orders",
      fingerprint: { role: "link", name: "Orders", tag: "a", href: "/orders" },
    };
    expect(parseAction("click", parameters)).toMatchObject({
      locators: {
        index: { fingerprint: { role: "link", name: "Orders", tag: "a", attributes: { href: "/orders" } } },
      },
    });
  });

  test("are refused with a valid example if they are wrong", () => {
    expect(() => parseAction("click", {})).toThrow('Example: {"index":4}');
    expect(() => parseAction("select_dropdown", { index: 1 })).toThrow(
      'Example: {"index":4,"text":"Austria"}',
    );
  });
});

describe("a locator with the name Save", () => {
  const check = (index: number, xpath: string) => element(index, { icon: "check", xpath });
  const bar = check(1, "/html/body/div/header/div[2]/button");

  test("matches the icon button in the title bar if nothing has the name", () => {
    expect(meant({ role: "button", name: "Save" }, [bar])).toEqual({ index: 1 });
    expect(meant({ role: "button", name: "Save" }, [bar, element(2, { textContent: "Save" })])).toEqual({
      index: 2,
    });
  });

  test.each([
    ["in the head of a card", [check(1, "/html/body/main/article/header/button")]],
    ["in a row", [check(1, "/html/body/main/div/button")]],
    ["of which the page has two", [bar, check(2, "/html/body/div/header/button")]],
    ["that shows another icon", [element(1, { icon: "delete", xpath: bar.xpath })]],
  ])("does not match an icon button %s", (_, page) => {
    expect(meant({ role: "button", name: "Save" }, page)).toHaveProperty("code");
  });
});

test("a description with a caption matches the only field that this caption names", () => {
  const drawn = (index: number, around: string) =>
    element(index, {
      tagName: "input",
      type: "text",
      interactionType: "input",
      placeholder: "Select an item...",
      around,
    });
  const page = [drawn(1, "Category"), drawn(2, "Status")];
  const described = { role: "textbox", name: "Select an item...", tag: "input", alone: false };
  expect(meant({ fingerprint: { ...described, caption: "Status" } }, page)).toEqual({ index: 2 });
  expect(meant({ fingerprint: described }, page)).toHaveProperty("code", "element_ambiguous");
});
