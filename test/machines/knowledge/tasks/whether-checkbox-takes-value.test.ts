/** Tests which values of a task may be meant for a checkbox of a form. */
import { expect, test } from "bun:test";
import type { TaskField } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";
import { takesValue } from "../../../../machines/knowledge/tasks/whether-checkbox-takes-value.ts";

const field = (role: string): TaskField => ({
  name: "Category",
  label: "Category",
  type: "",
  constraints: {},
  action: {
    id: ["map", "a1"],
    knowledge_id: "map",
    action_id: "a1",
    action_type: "click",
    name: "Category",
    target: JSON.stringify({ role, name: "Category", selector: "button", xpath: "//button", attributes: {} }),
  },
});

test.each([true, false, "yes", "No", "off", "", "category", 1])("a checkbox takes the value %p", (value) => {
  expect(takesValue(field("checkbox"), value)).toBe(true);
});

test.each(["Juice", "6.5", "Pear Lane Farm"])(
  "a checkbox does not take the value %p, a text field does",
  (value) => {
    expect(takesValue(field("checkbox"), value)).toBe(false);
    expect(takesValue(field("switch"), value)).toBe(false);
    expect(takesValue(field("textbox"), value)).toBe(true);
  },
);
