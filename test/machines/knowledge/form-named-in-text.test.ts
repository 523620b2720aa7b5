/** Tests which form of a map matches a text in which a caller names a target. */
import { expect, test } from "bun:test";
import { type FormTask, taskFit } from "../../../machines/knowledge/form-tasks.ts";
import type { ActionRecord } from "../../../machines/records/map-records.ts";

const task = (kind: FormTask["kind"], name: string, label: string): FormTask => ({
  task_id: name,
  name,
  kind,
  fields: [{ name: "q", label, type: "text", constraints: {}, action: undefined }],
  // The cast is safe: this test compares tasks with texts, and their submit action does not matter for this.
  submit: {} as ActionRecord,
  success_criteria: [],
});

test("a question about the topic of a screen does not match the site's search form, unless it asks for a search", () => {
  const search = task("search", "Search: Quick search", "Quick search");
  expect(taskFit(search, "read a csv file", "csv — CSV File Reading and Writing")).toBe(0);
  expect(taskFit(search, "search csv", "csv — CSV File Reading and Writing")).toBe(1);
});

test("a question with the name of a screen matches the form on that screen", () => {
  expect(taskFit(task("form", "Summary", "Summary"), "new ticket", "New ticket")).toBe(1);
});

test("a text that creates one thing does not match the form that creates another thing", () => {
  const team = task("form", "New team: Name, Create", "Name");
  expect(taskFit(team, "create a new room", "New team")).toBe(0);
  expect(taskFit(team, "create a new team", "New team")).toBe(1);
  expect(taskFit(task("form", "New room: Name, Create", "Name"), "create a new room", "New room")).toBe(1);
});
