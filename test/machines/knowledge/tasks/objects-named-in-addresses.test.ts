/** Tests tasks about an object whose name is the last segment of its address, such as "Weather" at `/tags/weather`. */
import { expect, test } from "bun:test";
import {
  addressWords,
  taskWords,
} from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { formTasks, taskFit } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";
import type { ActionRecord } from "../../../../machines/records/map-records.ts";

const action = (action_type: string, name: string, attributes: Record<string, string>): ActionRecord => ({
  id: ["map", `page.${action_type}`],
  knowledge_id: "map",
  action_id: `page.${action_type}`,
  action_type,
  name,
  target: JSON.stringify({ role: "", name, selector: "", xpath: "(//form)[1]", attributes }),
});

/** Returns how well the form at an address fits a task. The title of the page is the name of its object. */
function fitAt(address: string, name: string, target: string): number {
  const attributes = { tag: "form", method: "post", action: "", fields: "a", submit: "Save" };
  const [form] = formTasks([
    action("submit_form", "Form", attributes),
    action("input", "Description", { tag: "input", name: "a", type: "text" }),
  ]);
  if (!form) throw new Error("The form has no task.");
  return taskFit(form, target, taskWords(target), { name, url: `https://app.example${address}` }).fit;
}

test.each([
  ["/tags/weather/", "Weather", 'edit the tag "Weather"'],
  ["/admin/#/tags/weather/", "Weather", 'edit the tag "Weather"'],
  ["/admin/#/members/6b0ad4d24569d0449cfaf771/", "Ada Byron", 'edit the member "Ada Byron"'],
  ["/groups/night-shift/edit", "Night Shift", 'edit the group "Night Shift"'],
])("the form at %s of %s fits the task: %s", (address, name, target) => {
  expect(fitAt(address, name, target)).toBe(1);
});

test.each([
  ["/tags/news/", "News", 'edit the tag "Weather"'],
  ["/admin/#/posts/weather/", "Weather", 'edit the tag "Weather"'],
  ["/tags/weather/", "Weather", "create a tag"],
])("the form at %s of %s does not fit the task: %s", (address, name, target) => {
  expect(fitAt(address, name, target)).toBe(0);
});

test("a client-side route names the operation and the thing of a page", () => {
  expect(addressWords("https://app.example/admin/#/tags/new")).toMatchObject({
    last: ["tag"],
    operation: "create",
    isObject: false,
  });
  expect(addressWords("https://app.example/admin/#/orders/17")).toMatchObject({
    last: ["order"],
    isObject: true,
  });
});
