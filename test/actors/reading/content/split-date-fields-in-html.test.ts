/** Tests that the parts of a date field are one field of a form, in the HTML of rendered pages. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";

const part = (id: string, most: number, inner: string) =>
  `<div role="spinbutton" id="${id}" aria-label="${id}, " aria-labelledby="${id} l" aria-valuemin="1" aria-valuemax="${most}" contenteditable="true" tabindex="0"><span aria-hidden="true">${inner}</span></div>`;
const PARTS = [part("month", 12, "mm"), part("day", 31, "dd"), part("year", 9999, "yyyy")];

test.each([
  ["React Aria", `<div role="presentation">${PARTS.join('<span aria-hidden="true">/</span>')}</div>`],
  ["Material UI", PARTS.map((one) => `<span>${one}</span>`).join("")],
])("the parts of a date in markup of %s are one field with the name of their group", (_, parts) => {
  const { forms, inputs } = readPage({
    url: "https://a.example/posts/add",
    html: `<form method="post"><label>Title <input name="title"></label>
      <div><span id="l">Publish Date</span><div role="group" aria-labelledby="l">${parts}
      <button type="button" id="c" aria-label="Calendar" aria-labelledby="c l" aria-haspopup="dialog"></button></div></div><button>Save</button></form>`,
  }).controls;
  expect(forms).toMatchObject([{ fields: ["title", "Publish Date"] }]);
  expect(inputs.slice(1)).toMatchObject([
    { role: "spinbutton", name: "month, Publish Date", attributes: { choice: "Publish Date" } },
  ]);
});
