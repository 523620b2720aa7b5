/** Tests that an editor stands for the hidden text area that it replaces, in the HTML of rendered pages. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const read = (fields: string) =>
  readPage({
    url: "https://a.example/bugs/1",
    html: `<form method="post" action="/comment"><input name="title">${fields}<button>Save</button></form>`,
  }).controls;
const field = (extra = "") =>
  `<label for="id_text">Remark</label><textarea id="id_text" name="text" style="display: none;"${extra}></textarea>`;
const EDITORS = {
  simplemde: `${field()}<div class="editor-toolbar"><a title="Bold"></a></div><div class="CodeMirror"><div><textarea></textarea></div></div>`,
  summernote: `${field()}<div class="note-editor"><div><div class="note-editable" contenteditable="true"></div></div></div>`,
};

test.each(Object.entries(EDITORS))("the editor of %s has the name and label of its text area", (_, html) => {
  const { forms, inputs } = read(`<div>${html}</div>`);
  expect(forms).toMatchObject([{ fields: ["title", "text"] }]);
  expect(inputs.map(({ name, attributes }) => [name, attributes.edited])).toEqual([
    ["title", undefined],
    ["Remark", "text"],
  ]);
});

test("a text area counts as the editor of the preceding text area only if the preceding one is hidden and has a name", () => {
  const visible = read(
    `<div><textarea name="text"></textarea><div><div><textarea></textarea></div></div></div>`,
  );
  expect(visible.forms).toMatchObject([{ fields: ["title", "text", "field 3"] }]);
  const unnamed = read(
    `<div><textarea style="display: none"></textarea><div><div><textarea></textarea></div></div></div>`,
  );
  expect(unnamed.inputs.map(({ attributes }) => attributes.edited)).toEqual([undefined, undefined]);
});
