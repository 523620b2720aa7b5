/** Tests the conversion of a recording to a task, in which typed texts become variables. */
import { expect, test } from "bun:test";
import { recordedTask } from "../../../../machines/knowledge/tasks/recording-to-task.ts";
import { simpleSelector } from "../../../../machines/knowledge/tasks/simple-css-selector.ts";

test("a recording whose steps have locators is converted to a task with controls and variables", () => {
  const url = "https://app.example.com/invite";
  const step = (action: string, params: Record<string, unknown>) => ({
    action,
    params,
    targets: {},
    needs: [],
    url,
  });
  const task = recordedTask(
    {
      name: "Invite",
      steps: [
        step("input", { selector: "input[name=email]", text: "a@b.example" }),
        step("input", { label: "Note", text: "Hello" }),
        step("click", { role: "button", name: "Send" }),
        step("scroll", { direction: "down" }),
      ],
    },
    "source",
  );
  expect(task?.variables.map(({ name, label, example }) => [name, label, example])).toEqual([
    ["email", "email", "a@b.example"],
    ["note", "Note", "Hello"],
  ]);
  expect(task?.steps.map(({ action }) => action.parameters)).toEqual([
    { text: "{{email}}" },
    { text: "{{note}}" },
    {},
    { direction: "down" },
  ]);
  expect(task?.steps.map(({ control }) => control && [control.role, control.name, control.selector])).toEqual(
    [["", "", "input[name=email]"], ["", "Note", ""], ["button", "Send", ""], undefined],
  );
});

test.each([
  ["input[name=email]", { tag: "input", attributes: { name: "email" } }],
  ["#send", { tag: undefined, attributes: { id: "send" } }],
  [
    "button[type=\"submit\"][data-testid='go']",
    { tag: "button", attributes: { type: "submit", "data-testid": "go" } },
  ],
  ["form > button", undefined],
  [".primary", undefined],
  ["a:hover", undefined],
  ["", undefined],
])("the selector %p is parsed to its tag, its id and its attributes", (selector, expected) => {
  expect(simpleSelector(selector)).toEqual(expected);
});
