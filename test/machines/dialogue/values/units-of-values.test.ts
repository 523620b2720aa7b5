/** Tests units of values, and changes of a number by a percentage or by an amount with a unit. */
import { describe, expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, field } from "../support/test-page-elements.ts";

const page = [
  field("Dry food in kg", { type: "range", value: "8", attributes: { min: "0", max: "20" } }),
  field("Adoption fee in €", { value: "180" }),
  field("Daily limit", { value: "500" }),
  field("Minutes spent", { type: "number" }),
  field("Seats", { type: "number", value: "3" }),
  button("Save"),
];

const typed = (task: string): readonly (string | null)[] => {
  const { plan, questions } = planned(task, page);
  return questions.length > 0 ? ["asks"] : plan.steps.map(({ value }) => value);
};

describe("a number is typed without the unit that the name of the field already contains", () => {
  test.each([
    ["Set the dry food to 12 kg", "12"],
    ["Dry food: 9 kilos", "9"],
    ["Minutes spent 30 min", "30"],
  ])("for the task %s", (task, value) => {
    expect(typed(task)).toEqual([value]);
  });
});

describe("a number that a task changes by an amount is typed as the new number", () => {
  test.each([
    ["Increase the daily limit by 10%", "550"],
    ["Reduce the adoption fee by 20 percent", "144"],
    ["Increase the dry food by 2 kg", "10"],
    ["Lower the adoption fee by 30 euros", "150"],
  ])("for the task %s", (task, value) => {
    expect(typed(task)).toEqual([value]);
  });
});

describe("a value leads to a question if the field does not take its unit or the computed number", () => {
  test.each([
    "Set the dry food to 30 lbs",
    "Set minutes spent to 1 hour",
    "Minutes spent: 2 hours",
    "Increase the dry food by 10 percent",
    "Increase the seats by 50 percent",
    "Increase the dry food by 2 lbs",
  ])("for the task %s", (task) => {
    expect(typed(task)).toEqual(["asks"]);
  });
});
