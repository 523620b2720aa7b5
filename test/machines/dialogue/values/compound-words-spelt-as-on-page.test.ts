/** Tests tasks whose compound words the page writes in another way. */
import { expect, test } from "bun:test";
import { speltAsOnPage } from "../../../../machines/dialogue/values/compound-words-spelt-as-on-page.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, field } from "../support/test-page-elements.ts";

const names = (...texts: readonly string[]) => texts.map((text) => button(text));
const shown = (task: string, page: ReturnType<typeof names>) =>
  planned(task, page).plan.steps.map(({ description }) => description);

test.each([
  ["Open the testplan", ["Test plan", "Test run"], "Open the test plan"],
  ["Open the TestPlan", ["Test plan", "Test run"], "Open the Test Plan"],
  ["Open the testplans", ["Test plans"], "Open the test plans"],
  ["Show the time sheet", ["Timesheet", "Time off"], "Show the timesheet"],
  ["Show the time-sheets", ["Timesheets"], "Show the timesheets"],
  ["Open the test plan", ["TestPlan"], "Open the test plan"],
  ["Open the testplan", ["Plan", "Test"], "Open the testplan"],
  ['Open "testplan"', ["Test plan"], 'Open "testplan"'],
])(
  "the compound words of a task are spelt as on the page: %p with the names %p becomes %p",
  (task, page, read) => {
    expect(speltAsOnPage(task, names(...page)).toLowerCase()).toBe(read.toLowerCase());
  },
);

test.each([
  ["Open the testplan", names("Test plan", "Test run"), 'Click "Test plan"'],
  ["Create a testplan", names("New Test Plan", "New Test Run"), 'Click "New Test Plan"'],
  ["Show the timesheet", names("Time sheet", "Time off"), 'Click "Time sheet"'],
  ["Delete the web hook", names("Delete webhook", "Delete web page"), 'Click "Delete webhook"'],
])("the control with the words in another spelling is chosen for %p", (task, page, step) => {
  expect(shown(task, page)).toEqual([step]);
});

test("a value is entered with the spelling of the task, even if the page spells the same words in another way", () => {
  const page = [field("Title"), button("TestPlan"), button("Testplan archive")];
  expect(shown("Set the title to test plan", page)).toEqual(['Type "test plan" into "Title"']);
});
