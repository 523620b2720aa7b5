/** Tests the tasks and functions of forms in dialogs, which are sent to no address. */
import { expect, test } from "bun:test";
import { taskWords } from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { actionsOfState } from "../../../../machines/knowledge/screens/page-to-screen.ts";
import { SiteFunctions } from "../../../../machines/knowledge/site-map/site-functions-list.ts";
import { formTasks, taskFit } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";
import type { Control } from "../../../../machines/records/page-control-records.ts";

const field: Control = {
  role: "textbox",
  name: "Name",
  selector: "input",
  xpath: "/html/body/div/input",
  attributes: { tag: "input", type: "text" },
};
/** Returns the actions of a dialog with the field "Name" and one button. */
const dialog = (screenId: string, submit: string) => {
  const attributes = { tag: "button", fields: "Name", submit };
  const control = {
    role: "button",
    name: submit,
    selector: "button",
    xpath: "/html/body/div/button",
    attributes,
  };
  const forms = [{ action: "", method: "", fields: ["Name"], submit, control }];
  return actionsOfState("map", screenId, { buttons: [], inputs: [field], forms });
};

test("two dialogs with the same fields have two tasks with different ids", () => {
  const ids = ["projects.new", "teams.new"].flatMap((screenId) =>
    formTasks(dialog(screenId, "Create")).map(({ task_id }) => task_id),
  );
  expect(ids).toHaveLength(2);
  expect(ids[0]).not.toBe(ids[1]);
});

test("dialogs with the same fields are different functions of the site if their buttons have different names", () => {
  const all = new SiteFunctions();
  all.add("projects", dialog("projects.new", "Create project"));
  all.add("archive", dialog("archive.new", "Create project"));
  all.add("teams", dialog("teams.new", "Create team"));
  expect(all.list().map(({ fields, screens }) => [fields, screens])).toEqual([
    [["Name"], 2],
    [["Name"], 1],
  ]);
});

test("a dialog that creates a thing fits tasks for this thing, although one of its few fields is a picture", () => {
  const picture: Control = {
    ...field,
    role: "file",
    name: "Picture",
    attributes: { tag: "input", type: "file" },
  };
  const submit = {
    ...field,
    role: "button",
    name: "Add",
    attributes: { tag: "button", fields: "Name, Picture", submit: "Add" },
  };
  const forms = [{ action: "", method: "", fields: ["Name", "Picture"], submit: "Add", control: submit }];
  const [task] = formTasks(
    actionsOfState("map", "areas.new", { buttons: [], inputs: [field, picture], forms }),
  );
  const page = { name: "Settings: Create area", url: "http://site.example/areas" };
  const target = "add an area called Attic";
  expect(task && taskFit(task, target, taskWords(target, ["Attic"]), page)).toMatchObject({
    fit: 1,
    isOperation: true,
  });
});

test("options with equal names in several groups of a dialog stay options of their own group", () => {
  const option = (group: string, name: string): Control => ({
    ...field,
    role: "radio",
    name,
    attributes: { tag: "input", type: "radio", name: group.toLowerCase() },
    constraints: { group },
  });
  const groups = ["Orders", "Products", "Vouchers"];
  const inputs = groups.flatMap((group) => ["No access", "View"].map((name) => option(group, name)));
  const submit = {
    ...field,
    role: "button",
    name: "Save",
    attributes: { tag: "button", fields: groups.join(", ").toLowerCase(), submit: "Save" },
  };
  const forms = [
    {
      action: "",
      method: "",
      fields: groups.map((one) => one.toLowerCase()),
      submit: "Save",
      control: submit,
    },
  ];
  const [task] = formTasks(actionsOfState("map", "teams.new", { buttons: [], inputs, forms }));
  expect(task?.fields.map(({ label, constraints }) => [label, constraints.options])).toEqual(
    groups.map((group) => [group, ["No access", "View"]]),
  );
});

test.each([
  "http://site.example/?controller=TaskModification&action=edit&task_id=4",
  "http://site.example/index.php?module=Tasks&action=update&record=8a4f12",
])("a form at the address %s edits the object of its parameter, and never creates another one", (url) => {
  const [task] = formTasks(dialog("tasks.due", "Save"));
  const page = { name: "Board: Default filters, My tasks due tomorrow", url };
  const fit = (target: string) => task && taskFit(task, target, taskWords(target), page).fit;
  expect(fit("create a task")).toBe(0);
  expect(fit("edit the task")).toBeGreaterThan(0);
  const board = { ...page, url: "http://site.example/?controller=Board&action=show&project_id=1" };
  expect(task && taskFit(task, "create a task", taskWords("create a task"), board).fit).toBeGreaterThan(0);
});
