/** Tests that a required field which the page has filled needs no value of a task. */
import { expect, test } from "bun:test";
import { readPage } from "../../../../actors/reading/index.ts";
import { actionsOf } from "../../../../machines/knowledge/screens/page-to-screen.ts";
import { formTasks } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";

const FIELDS = `
  <input name="code" required> <input name="uses" required value="1"> <textarea name="note" required>Hi</textarea>
  <textarea name="remark" required></textarea>
  <select name="kind" required><option value="">Choose</option><option>Big</option></select>
  <select name="size" required><option>Small</option><option>Big</option></select>
  <select name="place" required><option value="">Choose</option><option selected>North</option></select>
  <input type="radio" name="way" value="a" required> <input type="radio" name="way" value="b" checked>
  <input type="radio" name="day" value="a" required> <input type="checkbox" name="terms" required>
  <input type="checkbox" name="mail" required checked> <input name="free" value="x">`;

test("a required field counts as filled if the page gives it a text, a check mark or a selected option", () => {
  const html = `<form method="post" action="/add">${FIELDS}<button>Save</button></form>`;
  const { controls, headings } = readPage({ url: "http://site.example/add", html });
  const page = {
    id: ["map", "k"] as const,
    knowledge_id: "map",
    headings,
    controls: JSON.stringify(controls),
  };
  const [task] = formTasks(actionsOf(page));
  const filled = task?.fields.flatMap(({ name, constraints }) => (constraints.has_value ? [name] : []));
  expect(filled).toEqual(["uses", "note", "size", "place", "way", "mail"]);
  expect(JSON.stringify(controls)).not.toContain("Hi");
});

test("a required field counts as filled if Cairn's browser marks it, because a script has set its value", () => {
  const html =
    '<form method="post" action="/add"><input name="a" required><input name="b" required data-cairn-filled></form>';
  const { controls } = readPage({ url: "http://site.example/add", html });
  expect(controls.inputs.map(({ constraints }) => constraints?.has_value)).toEqual([undefined, true]);
});
