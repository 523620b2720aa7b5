/** Tests which fields of forms a page reader lists: fields without a name, and fields of closed dialogs. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";
import { actionsOf } from "../../../../machines/knowledge/screens/page-to-screen.ts";
import { formTasks } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";

const read = (html: string) => {
  const { controls, headings } = readPage({ url: "http://site.example/add", html });
  const id = ["map", "k"] as const;
  const tasks = formTasks(
    actionsOf({ id, knowledge_id: "map", headings, controls: JSON.stringify(controls) }),
  );
  return { controls, tasks };
};
const fieldsOf = (html: string) =>
  read(html).tasks.map(({ fields }) =>
    fields.map(({ name, label, constraints, action }) => [
      name,
      label,
      constraints.required === true,
      action !== undefined,
    ]),
  );

test("a field without a name is named by the text before it in its own box", () => {
  const dates = ["Start", "End"].map(
    (text) => `<div><div class="mb-2">${text} date</div><input type="datetime-local" required></div>`,
  );
  const html = `<form><input name="title"><p>Range</p><div class="row">${dates.join("")}</div></form>`;
  expect(fieldsOf(html)).toEqual([
    [
      ["title", "title", false, true],
      ["Start date", "Start date", true, true],
      ["End date", "End date", true, true],
    ],
  ]);
});

test("the text in a rich text editor is not its name, which is the text before it", () => {
  const editor = '<div><div contenteditable="true"><p>Overflow store by the slip</p></div></div>';
  const html = `<form><input name="code"><div><label>Description</label>${editor}</div><button>Save</button></form>`;
  expect(fieldsOf(html)[0]?.map(([name]) => name)).toEqual(["code", "Description"]);
});

test("the editable element of a code editor is named by the text before the editor", () => {
  const editor = '<div><div><div><div contenteditable="true" role="textbox"></div></div></div></div>';
  const html = `<form><input name="url"><div><p>Body template</p>${editor}</div><button>Save</button></form>`;
  expect(fieldsOf(html)[0]?.map(([name]) => name)).toEqual(["url", "Body template"]);
});

test.each([
  ["the box has several fields", "<p>Range</p><input><input>"],
  ["two fields have the same text", "<div><b>Part</b><input></div><div><b>Part</b><input></div>"],
  ["the text is a description", `<div><p>${"Long words. ".repeat(9)}</p><input></div><input>`],
])("a field without a name keeps its number as a name if %s", (_, inner) => {
  expect(fieldsOf(`<form>${inner}</form>`)[0]?.map(([name]) => name)).toEqual(["field 1", "field 2"]);
});

const closed = 'data-cairn-hidden class="modal fade"';
const dialog = (attributes: string) =>
  `<div ${attributes}><input id="host" required><button>Save</button></div>`;

test.each([
  ["style sheets hide", closed],
  ["its style hides", 'class="modal" style="display: none"'],
  ["is hidden from assistive technology", 'role="dialog" aria-hidden="true"'],
])(
  "the form of a dialog that %s is no form of the page if only a script opens the dialog",
  (_, attributes) => {
    expect(read(`<h1>Proxies</h1><form>${dialog(attributes)}</form>`).tasks).toEqual([]);
  },
);

test("a form has no fields and no button of a closed dialog inside of it", () => {
  const html = `<form><input name="url">${dialog(closed)}<button>Add monitor</button></form>`;
  const [task] = read(html).tasks;
  expect(task?.fields.map(({ name }) => name)).toEqual(["url"]);
  expect(read(html).controls.forms[0]?.submit).toBe("Add monitor");
});

test.each(['<button data-bs-target="#add">Add</button>', '<a href="#add">Add</a>'])(
  "the form of a closed dialog belongs to the page if a control names the dialog: %s",
  (control) => {
    const html = `${control}<form>${dialog(`id="add" ${closed}`)}</form>`;
    expect(read(html).tasks.map(({ fields }) => fields.map(({ name }) => name))).toEqual([["host"]]);
  },
);
