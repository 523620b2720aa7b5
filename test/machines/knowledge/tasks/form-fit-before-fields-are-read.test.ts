/** Tests the estimate of how well a form fits a task, which is made before its fields are read. */
import { expect, test } from "bun:test";
import {
  taskWords,
  withKnownParts,
} from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import {
  bestPossibleFit,
  formTasks,
  knownForm,
  taskFit,
} from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";
import type { ActionRecord } from "../../../../machines/records/map-records.ts";

const action = (
  action_type: string,
  name: string,
  attributes: Readonly<Record<string, string>>,
): ActionRecord => ({
  id: ["map", `page.${action_type}_${name}`],
  knowledge_id: "map",
  action_id: `page.${action_type}_${name}`,
  action_type,
  name,
  target: JSON.stringify({ role: "", name, selector: "", xpath: "(//form)[1]", attributes }),
});
const form = action("submit_form", "Form", {
  tag: "form",
  action: "/rooms",
  method: "post",
  fields: "a, b",
  submit: "Save",
});
const fields = (type: string) => [
  action("input", "Capacity", { tag: "input", name: "a", type: "text" }),
  action("input", "Key", { tag: "input", name: "b", type }),
];
const fitWithoutFields = (target: string, words = taskWords(target)) => {
  const known = knownForm(form, PAGE);
  if (!known) throw new Error("The form has no fields.");
  return bestPossibleFit(known, target, words);
};
const PAGE = { name: "Rooms of the house", url: "http://site.example/house/rooms" };

test("a form whose fields are not read yet fits a task at least as well as it would with any fields", () => {
  for (const target of [
    "create a room",
    "capacity of rooms",
    "log in to rooms",
    "room 17",
    "rooms upload",
    "search",
  ]) {
    const words = taskWords(target);
    for (const type of ["text", "password", "file", "search"]) {
      const [task] = formTasks([form, ...fields(type)]);
      if (!task) throw new Error("The form has no task.");
      const isPossible = fitWithoutFields(target, words).fit > 0;
      const fits = taskFit(task, target, words, PAGE).fit > 0;
      expect([target, type, fits && !isPossible]).toEqual([target, type, false]);
      const byId = fitWithoutFields(task.task_id);
      expect([task.task_id, byId.fit]).toEqual([task.task_id, 2]);
    }
  }
});

test("a form that only opens another address or filters a list creates nothing, unless its button says so", () => {
  const page = { name: "Vouchers", url: "http://site.example/vouchers/" };
  const fitOf = (target: string, changes: Readonly<Record<string, string>>) => {
    const attributes = { tag: "form", method: "get", action: "/vouchers/go", fields: "code", submit: "Go!" };
    const submit = action("submit_form", "Form", { ...attributes, ...changes });
    const [task] = formTasks([
      submit,
      action("input", "Voucher code", { tag: "input", name: "code", type: "text" }),
    ]);
    if (!task) throw new Error("The form has no task.");
    return taskFit(task, target, taskWords(target), page).fit > 0;
  };
  expect(fitOf("create a voucher", {})).toBe(false);
  expect(fitOf("create a voucher", { submit: "Create voucher" })).toBe(true);
  expect(fitOf("create a voucher", { method: "post" })).toBe(true);
  // The form is sent to the address of its own page, so a script probably sends it. It may create a voucher.
  expect(fitOf("create a voucher", { action: page.url })).toBe(true);
  expect(fitOf("create a voucher", { action: page.url, submit: "Filter" })).toBe(false);
  expect(fitOf("voucher", {})).toBe(true);
});

test("a form that only sends a thing from another page (Send a voucher, on a waiting list) does not fit a task to create that thing", () => {
  const fitOf = (target: string, page: { name: string; url: string }) => {
    const attributes = { tag: "form", method: "post", action: "", fields: "text", submit: "Send a voucher" };
    const submit = action("submit_form", "Form", attributes);
    const [task] = formTasks([submit, action("input", "Text", { tag: "input", name: "text", type: "text" })]);
    if (!task) throw new Error("The form has no task.");
    return taskFit(task, target, taskWords(target), page).fit > 0;
  };
  const list = { name: "Waiting list", url: "http://site.example/waitinglist/" };
  expect(fitOf("create a voucher", list)).toBe(false);
  expect(fitOf("send a voucher", list)).toBe(true);
  expect(fitOf("create a voucher", { name: "New voucher", url: "http://site.example/vouchers/add" })).toBe(
    true,
  );
});

test("a form about another thing does not fit a task, whatever its fields are", () => {
  for (const target of ["create an invoice", "delete the room", "invoice 4"]) {
    const { fit } = fitWithoutFields(target);
    expect([target, fit]).toEqual([target, 0]);
  }
});

test("a form whose page is named 'Create new TestPlan' fits the task 'create a test plan'", () => {
  const page = { name: "Create new TestPlan", url: "http://site.example/plan/new/" };
  const submit = action("submit_form", "Form", { tag: "form", method: "post", fields: "a", submit: "Save" });
  const [task] = formTasks([submit, action("input", "Name", { tag: "input", name: "a", type: "text" })]);
  if (!task) throw new Error("The form has no task.");
  const fitOf = (target: string) => taskFit(task, target, taskWords(target), page).fit;
  expect(fitOf("create a test plan")).toBe(1);
  expect(fitOf("create a TestPlan")).toBe(1);
  expect(fitOf("create a test case")).toBe(0);
});

test("a compound word of a task is split only into words that occur on the map", () => {
  const known = new Set(["test", "plan", "github"]);
  const split = (target: string) => withKnownParts(taskWords(target), (word) => known.has(word));
  expect(split("create a testplan")).toMatchObject({ things: ["test", "plan"], head: "plan" });
  expect(split("create a testcase")).toMatchObject({ things: ["testcase"], head: "testcase" });
  expect(split("create a GitHub integration").things).toContain("github");
});

test("an editor that replaces a text area counts as the field with the name of this text area", () => {
  const submit = action("submit_form", "Form", {
    tag: "form",
    method: "post",
    fields: "text",
    submit: "Save",
  });
  const editor = action("input", "Remark", { tag: "textarea", edited: "text" });
  const [task] = formTasks([submit, editor]);
  expect(task?.fields).toMatchObject([{ name: "text", label: "Remark", action: editor }]);
});
