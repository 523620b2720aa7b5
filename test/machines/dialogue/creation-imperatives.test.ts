/** Tests which words of an order to create a thing are its noun and its name. */
import { expect, test } from "bun:test";
import { newThingsOf } from "../../../machines/dialogue/creation-imperatives.ts";

test.each([
  ["Add the component rudder", [{ noun: "component", name: "rudder" }]],
  ["Add version 2.1", [{ noun: "version", name: "2.1" }]],
  ["Create a page 'Lighthouse'", [{ noun: "page", name: "Lighthouse" }]],
])("in the imperative %p, the name of the new thing follows its noun", (task, things) => {
  expect(newThingsOf(task)).toEqual(things);
});

test.each(["Add a user", "Add a team member", "Add the user to the team", "Open the component rudder"])(
  "in the imperative %p, no name of a new thing follows a noun",
  (task) => {
    expect(newThingsOf(task)).toEqual([]);
  },
);
