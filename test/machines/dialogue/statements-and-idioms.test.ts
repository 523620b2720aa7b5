/** Tests statements and idioms whose words a planner may mistake for another action. */
import { describe, expect, test } from "bun:test";
import { planRefined } from "../../../machines/dialogue/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../machines/session/page-snapshot.ts";
import { field } from "./support/test-page-elements.ts";

const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planRefined({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" });

const stepsOf = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ action, target, value }) =>
    [action, target?.name, value].filter(Boolean).join(" "),
  );

describe("a task with the name of a thing", () => {
  test.each([
    ["Product name: Blue Chair", "Product name", "Blue Chair"],
    ["Change file name to Annual Report", "File name", "Annual Report"],
    ["Set the company name to Acme Holding", "Company name", "Acme Holding"],
  ])("is not split into a first and a last name: %s", (task, name, value) => {
    const page = [field("First name"), field("Last name"), field(name)];
    expect(stepsOf(task, page)).toEqual([`input ${name} ${value}`]);
  });

  test("is split if it is the name of a person", () => {
    const page = [field("First name"), field("Last name"), field("Product name")];
    for (const task of ["Name: Sam Miller", "Set my name to Sam Miller", "Hi, my full name is Sam Miller"])
      expect(stepsOf(task, page)).toEqual(["input First name Sam", "input Last name Miller"]);
  });
});

