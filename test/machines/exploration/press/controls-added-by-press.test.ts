/** Tests which controls and forms a press (click) of an exploration has added to a page. */
import { expect, test } from "bun:test";
import {
  controlsAddedByPress,
  opensForm,
} from "../../../../machines/exploration/press/controls-added-by-press.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

interface Given extends Partial<HighlightedElement> {
  readonly xpath: string;
}

function element({ xpath, ...given }: Given): HighlightedElement {
  return {
    highlight_index: 1,
    tagName: "button",
    type: "button",
    interactionType: "click",
    selector: `#x${xpath.length}`,
    xpath,
    attributes: {},
    box: { x: 0, y: 0, width: 1, height: 1 },
    in_viewport: true,
    frame: [],
    segment: 0,
    ...given,
  };
}

const button = (name: string, xpath: string, over = {}) => element({ xpath, textContent: name, ...over });
const field = (label: string, xpath: string, over = {}) =>
  element({ xpath, tagName: "input", type: "text", interactionType: "input", labelText: label, ...over });

const page = [
  button("New project", "/html/body/main/button"),
  field("Filter", "/html/body/main/input"),
  button("Apply", "/html/body/main/div/button"),
];
const covered = page.map((one) => ({ ...one, covered: "div.overlay" }));
const dialog = [
  field("Name", "/html/body/div/div[1]/input", { required: true }),
  element({
    xpath: "/html/body/div/div[2]/div",
    tagName: "div",
    type: "",
    role: "combobox",
    labelText: "Kind",
    textContent: "Release",
  }),
  field("Kind", "/html/body/div/div[2]/div/input", { attributes: { readonly: "" } }),
  field("Plan", "/html/body/div/div[3]/select", {
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    options: ["", "Free", "Family"],
  }),
  button("Cancel", "/html/body/div/button[1]"),
  button("Create project", "/html/body/div/button[2]", { disabled: true, covered: "div.actions" }),
];

test("fields of a dialog in a shadow root are one form, although other roots have fields with the same paths", () => {
  const inRoot = (host: string, path: string): string => `/html/body/${host}/#shadow-root/${path}`;
  const menu = [
    button("Areas", inRoot("app-menu", "a")),
    button("Create area", inRoot("app-page", "button")),
  ];
  const behind = menu.map((one) => ({ ...one, covered: "app-dialog" }));
  const form = [
    field("Name", inRoot("app-dialog", "app-field[1]/#shadow-root/input")),
    field("Floor", inRoot("app-dialog", "app-field[2]/#shadow-root/input")),
    button("Cancel", inRoot("app-dialog", "app-button[1]/#shadow-root/button")),
    button("Create area", inRoot("app-dialog", "app-button[2]/#shadow-root/button")),
  ];
  const controls = controlsAddedByPress({ elements: menu }, { elements: [...behind, ...form] });
  expect(controls?.forms).toMatchObject([{ fields: ["Name", "Floor"], submit: "Create area" }]);
});

test("the button of a dialog's form is the one in the dialog, although the drawer behind the dialog has a button with the same name", () => {
  const drawer = [
    button("x", "/html/body/div[2]/div/div[1]/button"),
    button("Add user", "/html/body/div[2]/div/div[2]/button"),
  ];
  const over = [
    button("x", "/html/body/div[3]/div/div[1]/button"),
    field("Email", "/html/body/div[3]/div/div[2]/p/input"),
    button("Add user", "/html/body/div[3]/div/div[2]/button"),
  ];
  const behind = drawer.map((one) => ({ ...one, covered: "div.over" }));
  const controls = controlsAddedByPress({ elements: drawer }, { elements: [...behind, ...over] });
  expect(controls?.forms).toMatchObject([{ fields: ["Email"], submit: "Add user" }]);
});

const added = (before: readonly HighlightedElement[], after: readonly HighlightedElement[]) =>
  controlsAddedByPress({ elements: before }, { elements: after });

test("fields of a dialog without a form element are one form, which its last button sends", () => {
  const { forms, inputs, buttons } = added(page, [...covered, ...dialog]) ?? {};
  expect(forms).toMatchObject([
    {
      fields: ["Name", "Kind", "Plan"],
      submit: "Create project",
      control: { role: "button", attributes: { tag: "button", fields: "Name, Kind, Plan" } },
    },
  ]);
  expect(inputs).toMatchObject([
    { name: "Name", constraints: { required: true } },
    { name: "Kind", role: "combobox", attributes: { tag: "div" } },
    { name: "Plan", constraints: { options: ["Free", "Family"] } },
  ]);
  expect(buttons?.map(({ name }) => name)).toEqual(["Cancel", "Create project"]);
});

test("a form element in a dialog is sent by its own button, or by the button beside it if it has none", () => {
  const form = [
    field("Name", "/html/body/div/form/input"),
    button("Cancel", "/html/body/div/button[1]"),
    button("Save", "/html/body/div/button[2]"),
  ];
  expect(added(page, [...covered, ...form])?.forms).toMatchObject([
    { fields: ["Name"], submit: "Save", control: { role: "button" } },
  ]);
  const own = [
    field("Name", "/html/body/div/form[2]/input"),
    button("Go on", "/html/body/div/form[2]/button", { interactionType: "submit", type: "submit" }),
    button("Cancel", "/html/body/div/button"),
  ];
  expect(added(page, [...covered, ...own])?.forms).toMatchObject([
    { fields: ["Name"], submit: "Go on", control: { role: "form", xpath: "/html/body/div/form[2]" } },
  ]);
});

test("fields that a press adds to a page without a dialog are no form, because no button is known to send them", () => {
  expect(added(page, [...page, ...dialog])?.forms).toEqual([]);
});

test("a dialog with several buttons has no form if no name says that a button sends the fields", () => {
  const unclear = [
    field("Word", "/html/body/div/input"),
    button("Left", "/html/body/div/button[1]"),
    button("Right", "/html/body/div/button[2]"),
  ];
  expect(added(page, [...covered, ...unclear])?.forms).toEqual([]);
});

test("rows that load behind a dialog do not belong to its form", () => {
  const row = (at: number) =>
    element({
      xpath: `/html/body/main/ul/li[${at}]/input`,
      tagName: "input",
      type: "checkbox",
      labelText: `Row ${at}`,
    });
  const forms = added(page, [...covered, row(1), row(2), ...dialog])?.forms;
  expect(forms).toMatchObject([{ fields: ["Name", "Kind", "Plan"], submit: "Create project" }]);
});

test("after a press that opens another address, all controls and `<form>` elements of that page count as added, but no forms without such an element", () => {
  const form = field("Name", "/html/body/main/form/input");
  const { forms, inputs } = added([], [...page, form]) ?? {};
  expect(forms?.map(({ fields }) => fields)).toEqual([["Name"]]);
  expect(inputs?.map(({ name }) => name)).toEqual(["Filter", "Name"]);
});

test("no controls count as added if the page shows no new control after a press", () => {
  expect(added(page, page)).toBeUndefined();
});

test("a press counts as opening a form only if a dialog with fields appears", () => {
  const opens = (after: readonly HighlightedElement[]) =>
    opensForm({ elements: page }, { elements: [...after] });
  expect(opens([...covered, ...dialog])).toBe(true);
  expect(opens([...covered, button("OK", "/html/body/div/button")])).toBe(false);
  expect(opens([...page, field("Note", "/html/body/main/textarea")])).toBe(false);
});

test("a control has the attributes by which it is found again, and none that may contain a secret", () => {
  const attributes = {
    id: "copy",
    "data-clipboard-text": "secret",
    "aria-valuetext": "secret",
    value: "secret",
  };
  const { buttons, inputs } =
    added(page, [
      ...page,
      button("Copy", "/html/body/div/button", { attributes }),
      field("Token", "/html/body/div/input", { attributes: { ...attributes, name: "token" } }),
    ]) ?? {};
  expect(buttons?.map((one) => one.attributes)).toEqual([{ id: "copy", tag: "button", type: "button" }]);
  expect(inputs?.map((one) => one.attributes)).toEqual([
    { id: "copy", name: "token", tag: "input", type: "text" },
  ]);
});

test("a required field of a dialog that has a value need not be given one", () => {
  const filled = field("Latitude", "/html/body/div/input[1]", { required: true, value: "47.1" });
  const empty = field("Name", "/html/body/div/input[2]", { required: true, value: "" });
  const inputs = added(page, [...covered, filled, empty])?.inputs ?? [];
  expect(inputs.map(({ name, constraints }) => [name, constraints])).toEqual([
    ["Latitude", { required: true, has_value: true }],
    ["Name", { required: true }],
  ]);
});

test("the forms of a page with very many fields contain only as many fields as the limit permits", () => {
  const many = Array.from({ length: 300 }, (_, at) =>
    field(`Field ${at}`, `/html/body/main/form/div[${at + 1}]/input`),
  );
  const { forms, inputs } = added([], many) ?? {};
  expect(inputs?.length).toBeLessThan(many.length);
  expect(forms?.map(({ fields }) => fields.length)).toEqual([inputs?.length ?? 0]);
});

test("a text field of a form is kept, although a checkbox or a list in the form has the same label", () => {
  const form = [
    field("Email", "/html/body/div/p[1]/input"),
    element({
      xpath: "/html/body/div/p[2]/input",
      tagName: "input",
      type: "checkbox",
      labelText: "Email",
    }),
    field("Kind", "/html/body/div/p[3]/input"),
    element({
      xpath: "/html/body/div/p[4]/div",
      tagName: "div",
      type: "",
      role: "combobox",
      labelText: "Kind",
    }),
  ];
  const inputs = added(page, [...covered, ...form])?.inputs ?? [];
  expect(inputs.map(({ name, attributes: { tag, type } }) => [name, type ?? tag])).toEqual([
    ["Email", "text"],
    ["Email", "checkbox"],
    ["Kind", "text"],
    ["Kind", "div"],
  ]);
});

test("a choice of drawn radio buttons need not be made if one of them is chosen", () => {
  const radio = (name: string, at: number, checked: boolean) =>
    element({
      ...{ xpath: `/html/body/div/div[${at}]/button`, role: "radio", labelText: name },
      ...{ required: true, checked },
    });
  const constraintsOf = (checked: boolean) => {
    const dialogOfKey = [
      ...covered,
      field("Label", "/html/body/div/input", { required: true }),
      ...[radio("All", 2, checked), radio("Read only", 3, false)],
      button("Create key", "/html/body/div/button"),
    ];
    const inputs = added(page, dialogOfKey)?.inputs ?? [];
    return inputs.filter(({ role }) => role === "radio").map(({ constraints }) => constraints?.has_value);
  };
  expect(constraintsOf(true)).toEqual([true, true]);
  expect(constraintsOf(false)).toEqual([undefined, undefined]);
});
