/** Tests which fields outside of any `<form>` a page reader lists as a form. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const controlsOf = (body: string) => readPage({ url: "http://site.example/settings", html: body }).controls;
const formsOf = (body: string) =>
  controlsOf(body).forms.map(({ fields, submit, control }) => [submit, fields, control?.role]);

const card = (name: string, label: string) =>
  `<div class="card"><div><label>${label} <input></label></div><div><button type="button">${name}</button></div></div>`;

test("the fields of each card are a form that the save button of the card sends", () => {
  expect(formsOf(`<main>${card("Save", "Name")}${card("Update settings", "Elevation")}</main>`)).toEqual([
    ["Save", ["Name"], "button"],
    ["Update settings", ["Elevation"], "button"],
  ]);
});

test("a save button in the head of a page sends the fields below it", () => {
  const body = `<main><header><h1>Profile</h1><button>Enregistrer</button></header><p><label>City <input></label></p></main>`;
  expect(formsOf(body)).toEqual([["Enregistrer", ["City"], "button"]]);
});

const iconButton = (icon: string) => `<button type="button" disabled><i data-icon="${icon}"></i></button>`;
const captioned = (name: string, field: string) =>
  `<div class="field"><div><span>${name}</span></div><div class="interface"><div><div>${field}</div></div></div></div>`;

test.each([
  ["a check mark", iconButton("check")],
  ["a floppy disk of Font Awesome", `<button><span class="fa fa-floppy-disk"></span></button>`],
  [
    "a check mark of Ionic",
    `<ion-toolbar><button><ion-icon name="checkmark"></ion-icon></button></ion-toolbar>`,
  ],
])("an icon button with %s in the title bar saves the fields below it", (_, button) => {
  const body = `<div><header><h1>New note</h1>${button}</header><main>${captioned("Title", "<input>")}</main></div>`;
  expect(formsOf(body)).toEqual([["Save", ["Title"], "button"]]);
});

test("fields that only a placeholder names are named by the text before them", () => {
  const drawn = `<input readonly placeholder="Select an item...">`;
  const { forms, inputs } = controlsOf(
    `<div><header>${iconButton("check")}</header><main>${captioned("Category", drawn)}${captioned("Status", drawn)}</main></div>`,
  );
  expect(forms.map(({ fields }) => fields)).toEqual([["Category", "Status"]]);
  expect(forms[0]?.control).toMatchObject({ name: "check", attributes: { submit: "Save" } });
  expect(inputs.map(({ constraints }) => constraints?.caption)).toEqual(["Category", "Status"]);
});

test.each([
  ["a bin", `<header>${iconButton("delete")}</header>`],
  ["a check mark outside of a title bar", `<div>${iconButton("check")}</div>`],
  ["a check mark in the head of a card", `<article><header>${iconButton("check")}</header></article>`],
])("an icon button with %s saves nothing", (_, head) => {
  expect(formsOf(`<div>${head}<main>${captioned("Title", "<input>")}</main></div>`)).toEqual([]);
});

test.each([
  ["of a card beside another save button", `<main>${card("Save", "Name")}<button>Save</button></main>`, 1],
  [
    "with two save buttons in one box",
    `<main><label>A <input></label><button>Save</button><button>Update</button></main>`,
    0,
  ],
  ["of a search box", `<main><label>Find <input type="search"></label><button>Save</button></main>`, 0],
  ["of a filter", `<main><label>Name <input></label><button>Apply</button></main>`, 0],
  ["whose button is for something else", `<main>${card("Save hours", "Name")}</main>`, 0],
  ["whose button is in a form", `<main><label>A <input></label><form><button>Save</button></form></main>`, 0],
  ["which only the page contains", `<div><label>A <input></label></div><div><button>Save</button></div>`, 0],
])(
  "only fields for new data that have one save button of their own are read as a form: fields %s",
  (_, body, forms) => {
    expect(controlsOf(body).forms.filter(({ control }) => control !== undefined)).toHaveLength(forms);
  },
);
