/** Tests that the parts of a date field are one element, as dialogues and `fill_form` see it. */
import { expect, test } from "bun:test";
import { withWholeDates } from "../../../../machines/session/page/date-fields-of-several-parts.ts";
import { stepsOf } from "../../dialogue/support/plan-task-for-tests.ts";
import { button, element, field } from "../../dialogue/support/test-page-elements.ts";

const part = (name: string, most: number, xpath: string) =>
  element({
    ...{
      tagName: "div",
      type: "spinbutton",
      role: "spinbutton",
      interactionType: "input",
      labelText: name,
      xpath,
    },
    attributes: { "aria-valuemin": "1", "aria-valuemax": String(most) },
  });
const parts = (label: string, box: string, inner = "") => [
  part(`month, ${label}`, 12, `${box}/div[1]${inner}`),
  part(`day, ${label}`, 31, `${box}/div[2]${inner}`),
  part(`year, ${label}`, 9999, `${box}/div[3]${inner}`),
];

test.each([
  ["React Aria", ""],
  ["Material UI", "/span"],
])("the parts of a date in markup of %s are one field for a date", (_, inner) => {
  const page = [
    field("Title"),
    ...parts("Publish Date", "/form/div[2]", inner),
    ...parts("End", "/form/div[3]", inner),
  ];
  expect(withWholeDates(page).map(({ type, labelText }) => [type, labelText])).toEqual([
    [page[0]?.type ?? "", page[0]?.labelText],
    ["date", "Publish Date"],
    ["date", "End"],
  ]);
});

test("number fields of one box are no date", () => {
  const page = ["Rows", "Columns", "Depth"].map((name, at) => part(name, 12, `/div/div[${at + 1}]`));
  expect(withWholeDates(page)).toEqual(page);
});

test.each(["24 December 2026", "2026-12-24"])(
  "a dialogue enters the date %s into the whole field",
  (date) => {
    const page = withWholeDates([field("Title"), ...parts("Publish Date", "/form/div[2]"), button("Save")]);
    expect(stepsOf(`Set the publish date to ${date}`, page)).toEqual(["input 1 2026-12-24"]);
  },
);
