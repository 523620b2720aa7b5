/** Tests that a hidden select stands for the drawn field that replaces it, in the HTML of rendered pages. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const read = (fields: string) =>
  readPage({
    url: "https://a.example/lamps/add",
    html: `<form method="post"><label>Title <input name="title"></label>${fields}<button>Save</button></form>`,
  }).controls;
const LABEL = '<label for="kind">Kind</label>';
const OPTIONS = '<option value="1">Desk</option><option value="2">Floor</option>';

/** Markup that each library draws in a browser. */
const DRAWN = {
  "select2 4": `${LABEL}<select id="kind" name="kind" class="select2-hidden-accessible" tabindex="-1" aria-hidden="true">${OPTIONS}</select><span class="select2 select2-container" dir="ltr"><span class="selection"><span class="select2-selection select2-selection--single" role="combobox" aria-haspopup="true" aria-expanded="false" tabindex="0" aria-labelledby="select2-kind-container"><span class="select2-selection__rendered" id="select2-kind-container" role="textbox" aria-readonly="true" title="Desk"><span class="select2-selection__clear">×</span>Desk</span></span></span></span>`,
  "select2 4 with several choices": `${LABEL}<select id="kind" name="kind" multiple class="select2-hidden-accessible" tabindex="-1" aria-hidden="true">${OPTIONS}</select><span class="select2 select2-container"><span class="selection"><span class="select2-selection select2-selection--multiple" role="combobox" aria-haspopup="true" tabindex="-1"><ul class="select2-selection__rendered"><li class="select2-search select2-search--inline"><input class="select2-search__field" type="search" role="textbox" aria-autocomplete="list" placeholder="Select Value"></li></ul></span></span></span>`,
  "select2 3": `${LABEL}<div class="select2-container" id="s2id_kind"><a href="javascript:void(0)" class="select2-choice" tabindex="-1"><span class="select2-chosen" id="select2-chosen-1">Desk</span></a><label for="s2id_autogen1" class="select2-offscreen"></label><input class="select2-focusser select2-offscreen" type="text" aria-haspopup="true" role="button" aria-labelledby="select2-chosen-1" id="s2id_autogen1"><div class="select2-drop select2-display-none"><input type="text" class="select2-input" role="combobox" id="s2id_autogen1_search"></div></div><select id="kind" name="kind" class="select2-offscreen" tabindex="-1">${OPTIONS}</select>`,
  Chosen: `${LABEL}<select id="kind" name="kind" style="display: none;">${OPTIONS}</select><div class="chosen-container chosen-container-single" id="kind_chosen"><a class="chosen-single"><span>Desk</span></a><div class="chosen-drop"><div class="chosen-search"><input class="chosen-search-input" type="text" autocomplete="off"></div><ul class="chosen-results"></ul></div></div>`,
  "Choices.js": `${LABEL}<div class="choices" data-type="select-one" tabindex="0" role="combobox" aria-autocomplete="list" aria-haspopup="true" aria-expanded="false"><div class="choices__inner"><select id="kind" name="kind" class="choices__input" hidden tabindex="-1">${OPTIONS}</select><div class="choices__list choices__list--single">Desk</div></div><div class="choices__list choices__list--dropdown"><input type="search" class="choices__input choices__input--cloned" autocomplete="off" aria-label="Kind"></div></div>`,
};

test.each(Object.entries(DRAWN))(
  "a select that %s has replaced by a drawn field is read as one field, with its label and options",
  (_, html) => {
    const { forms, inputs } = read(
      `<div>${html}</div><label for="note">Note</label><input id="note" name="note">`,
    );
    expect(forms).toMatchObject([{ fields: ["title", "kind", "note"] }]);
    expect(inputs.map(({ name, attributes }) => [name, attributes.tag])).toEqual([
      ["Title", "input"],
      ["Kind", "select"],
      ["Note", "input"],
    ]);
    expect(inputs[1]?.constraints?.options).toEqual(["Desk", "Floor"]);
  },
);

test("a drawn field with the label of its select stands for the select, with its name and options", () => {
  const { forms, inputs } = read(
    `<label for="kind-ts-control" id="kind-ts-label">Kind</label><select id="kind" name="kind" tabindex="-1" class="tomselected ts-hidden-accessible">${OPTIONS}</select><div class="ts-wrapper single"><div class="ts-control"><div class="item">Desk</div><input type="select-one" autocomplete="off" tabindex="0" role="combobox" aria-haspopup="listbox" aria-labelledby="kind-ts-label" id="kind-ts-control"></div><div class="ts-dropdown"><div role="listbox" tabindex="-1" aria-labelledby="kind-ts-label"></div></div></div>`,
  );
  expect(forms).toMatchObject([{ fields: ["title", "kind"] }]);
  expect(inputs.slice(1)).toMatchObject([
    {
      name: "Kind",
      attributes: { tag: "input", edited: "kind" },
      constraints: { options: ["Desk", "Floor"] },
    },
  ]);
});

test("a drawn field outside of a form belongs to its select, too", () => {
  const { controls } = readPage({
    url: "https://a.example/lamps/add",
    html: `<div>${DRAWN["select2 4"]}<button>Save</button></div>`,
  });
  expect(controls.forms).toMatchObject([{ fields: ["kind"] }]);
});

test("a hidden select is no field if no drawn field replaces it, or if this field has its own label or name", () => {
  const hidden = `${LABEL}<select id="kind" name="kind" style="display: none">${OPTIONS}</select>`;
  const names = (fields: string) => read(`<div>${fields}</div>`).inputs.map(({ name }) => name);
  expect(names(hidden)).toEqual(["Title"]);
  expect(names(`${hidden}<input name="other">`)).toEqual(["Title", "other"]);
  expect(names(`${hidden}<label for="own">Own</label><input id="own">`)).toEqual(["Title", "Own"]);
});

test("a labelled button that opens a list stands for the hidden select before it (React Aria)", () => {
  const { forms, inputs, buttons } = read(
    `<div><label id="l">Audience</label><div><div aria-hidden="true"><label>Audience<select tabindex="-1">${OPTIONS}</select></label></div><button type="button" id="b" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="v l"><span id="v">Desk</span></button></div></div>`,
  );
  expect(forms).toMatchObject([{ fields: ["title", "Audience"] }]);
  expect(inputs.slice(1)).toMatchObject([
    { role: "button", name: "Audience", constraints: { options: ["Desk", "Floor"] } },
  ]);
  expect(buttons.map(({ name }) => name)).toEqual(["Save"]);
});

test("a list that refers to its value and to its label is named by its label", () => {
  const names = (fields: string) => read(fields).inputs.map(({ name }) => name);
  expect(
    names(
      `<label id="a">Size</label><div role="combobox" tabindex="0" id="s" aria-haspopup="listbox" aria-labelledby="a s">Large</div>`,
    ),
  ).toEqual(["Title", "Size"]);
  expect(
    names(
      `<label id="a">Assignee</label><button type="button" id="s" aria-haspopup="listbox" aria-labelledby="a s">Ada</button><input type="hidden" name="assignee" value="1">`,
    ),
  ).toEqual(["Title", "Assignee"]);
  expect(
    names(
      `<button type="button" id="s" aria-label="Block" aria-haspopup="listbox" aria-labelledby="v s"><span id="v">Text</span></button>`,
    ),
  ).toEqual(["Title"]);
});
