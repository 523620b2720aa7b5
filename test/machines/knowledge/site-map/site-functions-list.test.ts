import { expect, test } from "bun:test";
import { actionsOf } from "../../../../machines/knowledge/screens/page-to-screen.ts";
import { describeForm, SiteFunctions } from "../../../../machines/knowledge/site-map/site-functions-list.ts";
import { functionalText } from "../../../../machines/knowledge/site-map/site-map-text.ts";
import type { Control, PageControls } from "../../../../machines/records/page-control-records.ts";
import { pageRow } from "../../../store/sample-store-rows.ts";

function field(name: string, label: string, type = "text", role = "textbox"): Control {
  const attributes = { tag: "input", type, ...(name === "" ? {} : { name }) };
  return { role, name: label, selector: `[name=${name}]`, xpath: `//*[@name="${name}"]`, attributes };
}

function choice(label: string): Control {
  const attributes = { tag: "select" };
  return { role: "combobox", name: label, selector: "select", xpath: "//select", attributes };
}

function button(name: string): Control {
  return { role: "button", name, selector: `#${name}`, xpath: `//button`, attributes: { tag: "button" } };
}

function offered(controls: Partial<PageControls>) {
  const whole: PageControls = { headings: [], buttons: [], inputs: [], forms: [], ...controls };
  return actionsOf(pageRow("p", { controls: JSON.stringify(whole) }));
}

/** The page contains the same search form twice, in the header and in the sidebar, as many sites do. */
const search = {
  inputs: [field("q", "Order number"), { ...field("q", "Order number"), xpath: "//aside//input" }],
  forms: ["/find", "/find"].map((path) => ({
    action: `https://a.example${path}`,
    method: "get",
    fields: ["q"],
  })),
};

function functions(): SiteFunctions {
  const all = new SiteFunctions();
  all.add("a", offered({ ...search, buttons: [button("Help"), button("Help")] }));
  all.add("b", offered({ ...search, buttons: [button("Help"), button("Save")] }));
  all.add(
    "c",
    offered({
      inputs: [
        field("user", "User"),
        field("secret", "Password", "password"),
        choice("Colour"),
        field("note", "Note"),
      ],
      forms: [{ action: "https://a.example/in", method: "post", fields: ["user", "secret"] }],
    }),
  );
  all.add(
    "d",
    offered({
      inputs: [field("street", "Street"), field("town", "Town"), field("scan", "Proof", "file", "file")],
      forms: [
        { action: "https://a.example/address", method: "post", fields: ["street", "town"] },
        { action: "https://a.example/proof", method: "post", fields: ["scan"] },
      ],
    }),
  );
  all.add(
    "f",
    offered({
      inputs: [field("title", "Title"), field("body", "Body"), field("added", "Attachment", "file", "file")],
      forms: [{ action: "https://a.example/notes", method: "post", fields: ["title", "body", "added"] }],
    }),
  );
  all.add("e", []);
  return all;
}

test("each function of a site, such as search or sign-in, is listed once under its kind, and a form with the labels of its fields", () => {
  const list = functions().list();
  expect(list.map(({ kind, name, screen_ids }) => [kind, name, screen_ids])).toEqual([
    ["search", "Search: Order number", ["a", "b"]],
    ["sign_in", "Sign in: User, Password", ["c"]],
    ["form", "Fill in and send: Street, Town", ["d"]],
    ["form", "Fill in and send: Title, Body, Attachment", ["f"]],
    ["upload", "Upload: Proof", ["d"]],
    ["choose", "Colour", ["c"]],
    ["enter", "Note", ["c"]],
    ["press", "Help", ["a", "b"]],
    ["press", "Save", ["b"]],
  ]);
  expect(list[1]).toMatchObject({
    action_type: "submit_form",
    tool_name: "submit_form",
    fields: ["User", "Password"],
    screens: 1,
  });
});

test("a form does not count as an upload for one file field, or as a sign-in for one password field, if it has many other fields", () => {
  const all = new SiteFunctions();
  const fieldsOf = (...given: readonly (readonly [string, string, string?])[]) =>
    given.map(([name, label, type]) => field(name, label, type, type === "file" ? "file" : undefined));
  const ticket = fieldsOf(["title", "Title"], ["text", "Text"], ["queue", "Queue"], ["scan", "File", "file"]);
  const project = fieldsOf(["id", "Id"], ["name", "Name"], ["code", "Code", "password"], ["mail", "Mail"]);
  for (const [screen, inputs] of [
    ["ticket", ticket],
    ["project", project],
  ] as const) {
    const names = inputs.map(({ attributes }) => attributes.name ?? "");
    const forms = [{ action: `https://a.example/${screen}`, method: "post", fields: names }];
    all.add(screen, offered({ inputs, forms }));
  }
  expect(all.list().map(({ kind, name }) => [kind, name])).toEqual([
    ["form", "Fill in and send: Id, Name, Code, Mail"],
    ["form", "Fill in and send: Title, Text, Queue, File"],
  ]);
});

test("a form with several fields that is sent by POST does not count as a search, although a widget in it has a search field", () => {
  const inputs = [
    field("name", "Team name"),
    field("note", "Note"),
    field("lead", "Lead"),
    field("events", "Events", "search", "searchbox"),
  ];
  const kindOf = (method: string, sent: { submit?: string } = { submit: "Go" }) => {
    const all = new SiteFunctions();
    const fields = inputs.map(({ attributes }) => attributes.name ?? "");
    all.add("team", offered({ inputs, forms: [{ action: "https://a.example/", method, fields, ...sent }] }));
    return all.list().find(({ action_type }) => action_type === "submit_form")?.kind;
  };
  expect([kindOf("post"), kindOf("get")]).toEqual(["form", "search"]);
  // A form with several text fields and without a submit button can only be sent by a script, as the form of a member
  // in Ghost.
  expect(kindOf("get", {})).toEqual("form");
});

test("a task is offered for a form that only a script sends, although a widget in it has a search field", () => {
  const forms = [{ action: "https://a.example/", method: "get", fields: ["name", "email", "tags"] }];
  const [form] = offered({ inputs: [], forms }).filter(({ action_type }) => action_type === "submit_form");
  if (!form) throw new Error("The page has no form.");
  const fields = [
    { name: "name", label: "Name", type: "text" },
    { name: "email", label: "Email", type: "text" },
    { name: "tags", label: "", type: "search" },
  ];
  expect(describeForm(form, fields).kind).toBe("form");
  expect(describeForm(form, fields.slice(1)).kind).toBe("search");
});

test("a form whose button saves does not count as a search, although a person is searched in one of its fields", () => {
  const all = new SiteFunctions();
  const inputs = [field("", "Search users"), choice("Role")];
  const form = (submit: string, fields: readonly string[]) => ({ action: "", method: "", fields, submit });
  all.add("a", offered({ inputs, forms: [form("Save", ["Search users", "Role"])] }));
  all.add("b", offered({ inputs, forms: [form("Go", ["Search users"])] }));
  expect(
    all.list().flatMap(({ action_type, kind }) => (action_type === "submit_form" ? [kind] : [])),
  ).toEqual(["search", "form"]);
});

test("the list of a site's functions can be written as text, with the screens of each function", () => {
  const list = functions()
    .list()
    .filter(({ kind }) => kind === "press" || kind === "search");
  const titles: Readonly<Record<string, string>> = { a: "Start", b: "Orders" };
  expect(functionalText(list, (id) => titles[id], 2)).toBe(
    [
      "Search",
      "└─ Search: Order number  on every screen",
      "Press",
      "├─ Help  on every screen",
      "└─ Save  on Orders",
    ].join("\n"),
  );
});

test("a control without a label is named by its HTML name, its id or its selector", () => {
  const all = new SiteFunctions();
  all.add(
    "a",
    offered({
      inputs: [field("filter", "")],
      buttons: [button(""), { ...button(""), selector: "nav > button" }],
    }),
  );
  expect(all.list().map(({ kind, name }) => [kind, name])).toEqual([
    ["enter", "textbox filter"],
    ["press", "button #"],
    ["press", "button nav > button"],
  ]);
});

test("controls without a name in one column of a table are listed as one function of the site", () => {
  const box = (row: number, column: number): Control => ({
    role: "checkbox",
    name: "",
    selector: `#books > tbody > tr:nth-of-type(${row}) > td:nth-of-type(${column}) > input`,
    xpath: `//tr[${row}]/td[${column}]/input`,
    attributes: { tag: "input", type: "checkbox" },
  });
  const all = new SiteFunctions();
  all.add("a", offered({ inputs: [box(1, 2), box(2, 2), box(1, 3), box(2, 3)] }));
  expect(all.list().map(({ name }) => name)).toEqual([
    "checkbox #books > tbody > tr > td:nth-of-type(2) > input",
    "checkbox #books > tbody > tr > td:nth-of-type(3) > input",
  ]);
});
