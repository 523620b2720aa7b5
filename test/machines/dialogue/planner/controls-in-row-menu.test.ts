/** Tests plans for controls that are in the menu of a row. */
import { describe, expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const menu = { type: "button", attributes: { "aria-haspopup": "menu" } };
const row = (name: string, more: string) => [
  element({
    tagName: "a",
    textContent: name,
    interactionType: "navigate",
    attributes: { href: "#/x" },
    row: more,
  }),
  button("", { ...menu, around: `${name} ${more}` }),
];
const page = [
  button("New user", { type: "button" }),
  button("Delete selected", { type: "button" }),
  field("Search", { type: "search" }),
  ...row("Hugo Weber", "hugo Reader"),
  ...row("Greta Lindholm", "greta Reader"),
  ...row("dark-mode", "Release"),
];
const shown = (task: string) =>
  planned(task, page).plan.steps.map(({ description, risk }) =>
    risk === "high" ? `${description}!` : description,
  );

test.each([
  ["Delete the user Hugo Weber", ["Open the menu of Hugo Weber", 'Click "Delete user"!']],
  ["Edit the user Greta", ["Open the menu of Greta", 'Click "Edit user"']],
  ["Reset the password of Greta", ["Open the menu of Greta", 'Click "Reset password"!']],
  ["Borra el usuario Hugo Weber", ["Open the menu of Hugo Weber", 'Click "Borra usuario"!']],
  ["Archive the flag dark-mode", ["Open the menu of dark-mode", 'Click "Archive flag"']],
])(
  "the task %p opens the menu of the row that it names, and clicks the control in the menu",
  (task, steps) => {
    expect([shown(task), planned(task, page).questions]).toEqual([steps, []]);
  },
);

test.each([
  "Delete Max Planck",
  "Edit the user",
  "Move Hugo Weber to Group 5",
  "Change the phone number of Hugo Weber",
])("the task %p opens no row menu, because it names no row or needs more than a click", (task) => {
  expect(shown(task).filter((step) => step.startsWith("Open the menu"))).toEqual([]);
});

test('a task with a verb and a noun ("Delete the user") also finds a menu item that has only the verb', () => {
  const [, item] = planned("Delete the user Hugo Weber", page).plan.steps;
  expect(item).toMatchObject({ deferred: true, target: { name: "Delete user", also: ["Delete"] } });
});

test("a task opens no row menu if the row itself shows a control with the verb", () => {
  const own = page.flatMap((one) =>
    one.textContent === "Greta Lindholm"
      ? [one, button("Delete", { around: "Greta Lindholm greta Reader" })]
      : [one],
  );
  const [step] = planned("Delete Greta Lindholm", own).plan.steps;
  expect(step?.description).toBe('Click "Delete"');
});

test.each(["Delete the comment of Greta", "Delete Greta's comment", "Delete the comment by Greta Lindholm"])(
  "the task %p about a part of an entry never deletes the entry",
  (task) => {
    const rows = page.flatMap((one) =>
      one.textContent === "Greta Lindholm"
        ? [one, button("Delete", { around: "Greta Lindholm greta Reader" })]
        : [one],
    );
    expect(planned(task, rows).plan.steps).toEqual([]);
    expect(planned(task, rows).questions).not.toEqual([]);
    // The target of this step must have no other name (`also`) such as "Delete" alone, because a control with that
    // name would delete the whole entry.
    const [, item] = planned(task, page).plan.steps;
    expect(item?.target?.also).toBeUndefined();
  },
);

test("a task deletes a part of an entry (a comment) by a control under a heading that names the part (Comments)", () => {
  const place = { headings: ["Comments"], caption: [] };
  const rows = ["Hugo", "Greta"].map((name) => button("Delete", { around: `${name} Nice!`, ...{ place } }));
  expect(planned("Delete the comment of Greta", rows).plan.steps.map(({ targetId }) => targetId)).toEqual([
    rows[1]?.highlight_index ?? 0,
  ]);
});

describe("in a list of cards whose menus are buttons with three dots", () => {
  const card = (name: string, tag: string) => [
    element({ tagName: "div", textContent: `${name} Last updated 2 days ago`, interactionType: "click" }),
    element({
      tagName: "span",
      textContent: tag,
      interactionType: "click",
      attributes: { class: "x-tag sm" },
    }),
    button("", { type: "button", icon: "ellipsis vertical", row: `${name} Last updated 2 days ago` }),
  ];
  const cards = [
    button("Create workflow", { type: "button" }),
    ...card("Old newsletter export", "archive-me"),
    ...card("Tide report", "harbour"),
  ];

  test.each([
    [
      "Archive the workflow Old newsletter export",
      ["Open the menu of Old newsletter export", 'Click "Archive workflow"'],
    ],
    ["Archive the workflow Tide report", ["Open the menu of Tide report", 'Click "Archive workflow"']],
  ])("the task %p opens the menu of its card, and never clicks a tag with the verb", (task, steps) => {
    const { plan, questions } = planned(task, cards);
    expect([plan.steps.map(({ description }) => description), questions]).toEqual([steps, []]);
  });
});
