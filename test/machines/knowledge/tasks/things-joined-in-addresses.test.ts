/** Tests tasks about a thing of two words that an address joins, such as "membership type" at `/membershiptype/add`. */
import { expect, test } from "bun:test";
import { taskWords } from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
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

/** Returns how well the form at an address fits a task. The title of the page names only its section. */
function fitAt(path: string, target: string, submit = "Save"): number {
  const [form] = formTasks([
    action("submit_form", "Form", { tag: "form", method: "post", action: "", fields: "a", submit }),
    action("input", "Name", { tag: "input", name: "a", type: "text" }),
  ]);
  if (!form) throw new Error("The form has no task.");
  const page = { name: "Organizer", url: `https://app.example${path}` };
  return taskFit(form, target, taskWords(target), page).fit;
}

test.each([
  ["/harbour/membershiptype/add", "create a membership type"],
  ["/harbour/membershiptype/add", "add a new membership type"],
  ["/admin/oauth/accesstoken/add/", "create an access token"],
  ["/harbour/checkinlists/add", "create a checkin list"],
])("the form at %s fits the task to %s", (path, target) => {
  expect(fitAt(path, target)).toBe(1);
});

test.each([
  ["/harbour/membershiptype/add", "create a device type"],
  ["/harbour/membershiptype/add", "create a membership"],
  ["/harbour/membershiptype/5/edit", "create a membership type"],
])("the form at %s does not fit the task to %s", (path, target) => {
  expect(fitAt(path, target)).toBe(0);
});
