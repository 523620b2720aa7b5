/** Tests which column of a table has the names of its objects. */
import { expect, test } from "bun:test";
import { readTexts } from "../../../../actors/reading/index.ts";
import { rowsOfObject } from "../../../../machines/knowledge/tasks/control-that-removes-object.ts";
import { isInNameColumn } from "../../../../machines/knowledge/tasks/name-column-of-table.ts";
import { editedObject } from "../../../../machines/knowledge/tasks/removal-target.ts";

const page = (heads: readonly string[], cells: readonly string[]) => {
  const row = (tag: string, texts: readonly string[]) =>
    `<tr>${texts.map((text) => `<${tag}><div>${text}</div></${tag}>`).join("")}</tr>`;
  const html = `<main><table><thead>${row("th", heads)}</thead><tbody>${row("td", cells)}${row(
    "td",
    cells.map((text) => `${text} 2`),
  )}</tbody></table></main>`;
  return {
    url: "http://site.example/workshops",
    title: "Workshops",
    headings: [],
    elements: [],
    ...readTexts(html),
  };
};
const CELLS = ["", "North field", "gloves", "12", "January 16", "Winter pruning"];
const rowsIn = (last: string) => {
  const target = editedObject('edit the workshop "Winter pruning"');
  if (!target) throw new Error("The task names no object.");
  return rowsOfObject(page(["", "Location", "Notes", "Seats", "Starts At", last], CELLS), target);
};

test("the name of an object is found in the last column if the head of this column says so (Title)", () => {
  expect(rowsIn("Title")).toHaveLength(1);
});

test("the name of an object is found in the column whose head is the word for its kind (Workshop)", () => {
  expect(rowsIn("Workshop")).toHaveLength(1);
});

test("the head of the column with the checkboxes may be a plain cell (td), and the cell a head (th), as in WordPress", () => {
  const html = `<main><table><thead><tr><td>All</td><th>Author</th><th>Comment</th></tr></thead><tbody>
    <tr><th>1</th><td>Ada</td><td>Fine walk</td></tr><tr><th>2</th><td>Bo</td><td>Ada</td></tr></tbody></table></main>`;
  const { texts } = readTexts(html);
  const found = texts.filter(({ text }) => text === "Ada" || text === "Fine walk");
  expect(
    found.map(({ xpath }) => isInNameColumn(texts, xpath.replace(/\/td.*$/, ""), xpath, ["comment"])),
  ).toEqual([false, true, true]);
});

test("a text in the last column does not count as the name of an object if the head of this column names something else (Remarks)", () => {
  expect(rowsIn("Remarks")).toHaveLength(0);
});

test("the name of an object is found in its column if each row begins with a head (th) for the number of the object", () => {
  const html = `<main><table><thead><tr><th>No.</th><th>Name</th><th>State</th></tr></thead><tbody>
    <tr><th>1</th><td>Ada</td><td>open</td></tr><tr><th>2</th><td>open</td><td>Ada</td></tr></tbody></table></main>`;
  const { texts } = readTexts(html);
  const isName = (wanted: string) =>
    texts
      .filter(({ text, xpath }) => text === wanted && xpath.includes("/td"))
      .map(({ xpath }) => isInNameColumn(texts, xpath.replace(/\/td.*$/, ""), xpath));
  expect(isName("Ada")).toEqual([true, false]);
  expect(isName("open")).toEqual([false, true]);
});
