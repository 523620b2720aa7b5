/** Tests plans on lists that show the controls of a row only while the pointer is over the row. */
import { expect, test } from "bun:test";
import {
  leavesRowOfThing,
  planToPointAtRow,
  pressesControlOfOtherRow,
} from "../../../../machines/dialogue/planner/controls-of-row-under-pointer.ts";
import { thingOfTask } from "../../../../machines/dialogue/planner/plans-that-lead-to-thing.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, list } from "../support/test-page-elements.ts";

const HIDDEN = "Edit Delete View";
/** The row of a user as in WordPress: name and role are text, and only the row under the pointer shows its controls. */
const row = (at: number, login: string, name: string, shown: readonly HighlightedElement[] = []) => {
  const path = `/html/body/form/table/tbody/tr[${at}]`;
  const text = `Select ${login} ${login} ${HIDDEN} ${name}`;
  const tick = { tagName: "input", type: "checkbox", labelText: `Select ${login}`, row: text };
  const link = { tagName: "a", textContent: login, interactionType: "navigate" as const };
  return [
    element({ ...tick, xpath: `${path}/th/input` }),
    element({ ...link, xpath: `${path}/td[1]/strong/a`, attributes: { href: `/users/${at}` } }),
    ...shown.map((one, index) => ({ ...one, xpath: `${path}/td[1]/div/span[${index + 1}]/a`, row: text })),
  ];
};
const link = (textContent: string, href: string) =>
  element({ tagName: "a", textContent, interactionType: "navigate", attributes: { href } });
const shown = () => [link("Edit", "/users/2/edit"), link("Delete", "/users/2/delete")];
/** The pointer rests on the second row. */
const users = () => [...row(1, "edda", "Edda Lund"), ...row(2, "tamsin", "Tamsin Rudge", shown())];

const press = (task: string, page: readonly HighlightedElement[], name: string) => {
  const target = page.find(({ textContent }) => textContent === name);
  const { plan } = planned(`Click "${name}"`, page);
  expect(plan.steps.map(({ targetId }) => targetId)).toEqual([target?.highlight_index ?? null]);
  return pressesControlOfOtherRow(task, plan, page);
};

test.each([
  ["Change the role of Edda Lund to Author", "Edit", true],
  ["Delete the user Edda Lund", "Delete", true],
  ["Delete the user", "Delete", true],
  ["Change the role of Tamsin Rudge to Author", "Edit", false],
  ["Delete tamsin", "Delete", false],
  ["Delete the second user", "Delete", false],
])(
  "a control that only the row under the pointer shows is pressed if the task means this row: %p",
  (task, name, isOther) => {
    expect(press(task, users(), name)).toBe(isOther);
  },
);

test("a control that no other row has, also not as hidden text, may be meant", () => {
  const path = "/html/body/table/tbody/tr";
  const jobs = [
    { ...link("Job 1", "/jobs/1"), xpath: `${path}[1]/td[1]/a`, row: "Job 1 done" },
    { ...link("Job 2", "/jobs/2"), xpath: `${path}[2]/td[1]/a`, row: "Job 2 running Halt" },
    { ...button("Halt"), xpath: `${path}[2]/td[2]/button`, row: "Job 2 running Halt" },
  ];
  expect(press("Halt the job", jobs, "Halt")).toBe(false);
});

test("a control is not meant if the pointer has shown several controls of one row, also if no text names them", () => {
  const page = [...row(1, "edda", "Edda Lund"), ...row(2, "tamsin", "Tamsin Rudge", shown())].map(
    ({ row: text, ...one }) => one,
  );
  expect(press("Delete the user", page, "Delete")).toBe(true);
});

test("a list that is not in the row of the thing is not a field of the thing", () => {
  const role = list("Change role to…", ["Author", "Editor"]);
  const page = [role, button("Change"), ...users()];
  const { plan } = planned("Change the role to Author", page);
  expect(plan.steps.map(({ targetId }) => targetId)).toContain(role.highlight_index);
  const thing = thingOfTask("Change the role of Edda Lund to Author");
  expect(thing && leavesRowOfThing(thing, plan, page)).toBe(true);
  expect(thing && leavesRowOfThing(thing, plan, [role, button("Change")])).toBe(false);
});

test("the pointer is moved to the only row of the thing whose controls are hidden", () => {
  const task = "Change the role of Edda Lund to Author";
  const asked = (page: readonly HighlightedElement[]) => {
    const result = planned(task, page);
    expect([result.plan.steps.length, result.questions.length > 0]).toEqual([0, true]);
    return planToPointAtRow(task, result, page)?.steps.map(({ action, target }) => [action, target?.name]);
  };
  expect(asked(users())).toEqual([["hover", "Select edda"]]);
  expect(asked([...row(1, "edda", "Edda Lund"), ...row(2, "tamsin", "Tamsin Rudge")])).toEqual([
    ["hover", "Select edda"],
  ]);
  expect(asked([...users(), ...row(3, "edda2", "Edda Lund")])).toBeUndefined();
  expect(asked(row(2, "tamsin", "Tamsin Rudge", shown()))).toBeUndefined();
});
