/** Tests tasks that add an entry to a list by a field without a button, such as "What needs to be done?". */
import { expect, test } from "bun:test";
import { stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const tick = (labelText: string) =>
  element({ tagName: "input", type: "checkbox", interactionType: "click", labelText, checked: false });
/** A page with to-dos, like that of TodoMVC. */
const toDos = [
  field("", { placeholder: "What needs to be done?" }),
  tick("Buy a new lightbulb"),
  tick("Call the plumber"),
  button("Clear completed"),
];
/** A shopping list, like that of Home Assistant. */
const shopping = [field("Add item"), tick("Bread"), button("Remove completed items")];

test.each([
  ['Add "buy dish soap"', "buy dish soap"],
  ['Add the task "buy dish soap"', "buy dish soap"],
  ['Create a to-do called "buy dish soap"', "buy dish soap"],
  ["Put 'call the landlord' on the list", "call the landlord"],
  ["Add oat milk to my shopping list", "oat milk"],
  ["Add a task: buy milk, bread and eggs", "buy milk, bread and eggs"],
  ["Füge eine Aufgabe hinzu: Milch", "Milch"],
  ['Füge "Milch" hinzu', "Milch"],
  ["Setze Milch auf die Einkaufsliste", "Milch"],
  ["Ajoute du lait à la liste", "du lait"],
])("an entry is typed into the field that adds entries, and Enter is pressed: %s", (task, text) => {
  for (const page of [toDos, shopping])
    expect(stepsOf(task, page)).toEqual([`input 0 ${text}`, "send_keys -1 Enter"]);
});

test("a field with a button that adds the entry, or a search field, is not sent by Enter", () => {
  const withButton = [field("Add item"), button("Add"), tick("Bread")];
  expect(stepsOf('Add "oat milk"', withButton)).not.toContain("send_keys -1 Enter");
  const search = [field("", { placeholder: "Search items" }), tick("Bread")];
  expect(stepsOf('Add "oat milk"', search)).not.toContain("send_keys -1 Enter");
});
