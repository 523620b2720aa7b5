/**
 * Tests values that belong to a field because words for this field are directly beside them in the task: "from" and
 * "to" for a start and a destination, and the whole label of a field before a number.
 */
import { expect, test } from "bun:test";
import { stepsOf } from "../support/plan-task-for-tests.ts";
import { button, field, list } from "../support/test-page-elements.ts";

const numberField = (labelText: string) => field(labelText, { type: "number" });

test.each([
  ["Von Köln nach Bremen suchen", ["Von", "Nach", "Suchen"], "Köln"],
  ["Search from Köln to Bremen", ["From", "To", "Search"], "Köln"],
  ["Cherche de Köln à Bremen", ["Départ", "Arrivée", "Chercher"], "Köln"],
] as const)(
  "a start and a destination fill their two fields: %s",
  (task, [start, destination, press], from) => {
    const page = [field(start), field(destination), field("Code"), button(press)];
    const steps = stepsOf(task, page);
    expect(steps).toContain(`input 0 ${from}`);
    expect(steps).toContain("input 1 Bremen");
  },
);

test("a start and a destination are not entered if the page has a field for the start only", () => {
  expect(stepsOf("Search from Köln to Bremen", [field("From"), button("Search")])).not.toContain(
    "input 0 Köln",
  );
});

test("a number is typed into the field whose whole label stands directly before the number in the task", () => {
  const page = [
    list("Kind", ["Train", "Hotel"]),
    numberField("Amount (€)"),
    field("Cost centre"),
    button("Add expense"),
  ];
  const steps = stepsOf("Hotel, 128.50 euros, cost centre 4410", page);
  expect(steps).toContain("input 1 128.50");
  expect(steps).toContain("input 2 4410");
});

const inForm = (path: string) => ({
  xpath: `/html/body/section[1]/${path}`,
  place: { headings: ["Plan a route"], caption: [], column: "" },
});
const tick = (labelText: string, path: string) =>
  field(labelText, { type: "checkbox", interactionType: "click", checked: false, ...inForm(path) });

test("the pronoun in 'add it to my expenses' is not entered as a value", () => {
  const page = [
    list("Kind", ["Train", "Hotel"]),
    numberField("Amount (€)"),
    field("Cost centre"),
    button("Add expense"),
  ];
  expect(stepsOf("Hotel, 128.50 euros, cost centre 4410, add it to my expenses", page)).toEqual([
    "select_dropdown 0 Hotel",
    "input 1 128.50",
    "input 2 4410",
    "click 3",
  ]);
});

test("the button of a form is pressed after its fields are filled, even if the task names the button first", () => {
  const page = [
    field("From", inForm("p[1]/input")),
    field("To", inForm("p[2]/input")),
    field("Battery at the start (%)", { type: "number", ...inForm("p[3]/input") }),
    tick("Avoid motorways", "p[4]/input"),
    button("Calculate route", inForm("p[5]/button")),
  ];
  expect(
    stepsOf("Plan a route from Linz to Salzburg, battery at 80, without motorways, and calculate it", page),
  ).toEqual(["input 0 Linz", "input 1 Salzburg", "input 2 80", "click 3", "click 4"]);
});

test("'without' ticks a checkbox that leaves a thing out, and unticks one that includes it", () => {
  const isTicked = (checked: boolean, name: string) =>
    field(name, { type: "checkbox", interactionType: "click", checked });
  const out = [isTicked(false, "Insurance without excess"), button("Book")];
  expect(stepsOf("Take the insurance without excess", out)).toEqual(["click 0"]);
  const included = [isTicked(false, "Breakfast"), button("Save")];
  expect(stepsOf("A room without breakfast", included)).not.toContain("click 0");
});
