/** Tests the names that a page reader gives to buttons and fields in shadow roots of components. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const controlsOf = (body: string) => readPage({ url: "http://site.example/settings", html: body }).controls;

test("the button of a component has the caption that its slots show", () => {
  const button = `<x-button><template shadowrootmode="open"><button><slot name="icon"></slot><slot></slot></button></template><slot></slot></x-button>`;
  const body = `<main><label>City <input></label><x-progress><template shadowrootmode="open">${button}</template><i slot="icon">!</i>Save <b>changes</b></x-progress></main>`;
  expect(controlsOf(body).buttons.map(({ name }) => name)).toEqual(["Save changes"]);
  expect(controlsOf(body).forms).toMatchObject([{ submit: "Save changes", fields: ["City"] }]);
});

test("the caption of a component's button has the text of its slots in their places, and default texts of empty slots only", () => {
  const component = (root: string, content: string) =>
    `<x-button><template shadowrootmode="open"><button>${root}</button></template>${content}</x-button>`;
  const body = [
    component("<slot>Default</slot>", "Save"),
    component("<slot>Default</slot>", ""),
    component("Add <slot></slot> now", "<b>order</b>"),
  ].join("");
  const { buttons } = controlsOf(`<main>${body}</main>`);
  expect(buttons.map(({ name }) => name)).toEqual(["Save", "Default", "Add order now"]);
});

test("labels name the fields of their own shadow root, although other roots have the same ids", () => {
  const input = (inner: string) => `<x-field><template shadowrootmode="open">${inner}</template></x-field>`;
  const body = ["Name", "Elevation"].flatMap((label) => [
    input(`<label><span id="label">${label}</span><input aria-labelledby="label"></label>`),
    input(`<label for="input">${label} again</label><input id="input">`),
  ]);
  const names = controlsOf(`<main>${body.join("")}</main>`).inputs.map(({ name }) => name);
  expect(names).toEqual(["Name", "Name again", "Elevation", "Elevation again"]);
});
