/**
 * Tests that a plan uses the control whose complete name is in the task, or the control in the row that the
 * task names.
 */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element } from "../support/test-page-elements.ts";

const toggle = (labelText: string) =>
  element({
    tagName: "input",
    type: "checkbox",
    labelText,
    checked: false,
    attributes: { type: "checkbox" },
  });

describe("a control whose complete name is in the task", () => {
  test.each([
    [
      "Show Marmot House on the map",
      [
        button("Marmot House"),
        button("Show on map", { around: "Alder Hut 1620 m" }),
        button("Show on map", { around: "Marmot House 1890 m" }),
      ],
      "click 2",
    ],
    [
      "Mark this lesson as done",
      [button("Mark as done"), toggle("Play the next lesson on its own")],
      "click 0",
    ],
    ["Keep these values as a template", [button("Save as template"), toggle("Keep cooled")], "click 0"],
    ["Insert a link", [button("Bold"), button("Link")], "click 1"],
    ["Insert a link", [button("Bold"), button("", { icon: "link" })], "click 1"],
  ] as const)("is clicked: %s", (task, page, step) => {
    expect(stepsOf(task, page)).toEqual([step]);
  });

  test("leads to a question if several controls have this name and no row has words of the task", () => {
    const page = [
      button("Show on map", { around: "Alder Hut" }),
      button("Show on map", { around: "Marmot House" }),
    ];
    expect(planned("Show the lake on the map", page).questions).toHaveLength(1);
    expect(planned("Insert a link", [button("Link"), button("Link")]).questions).toHaveLength(1);
  });
});

describe("a link to a list and a control for one entry", () => {
  const link = (textContent: string) =>
    element({ tagName: "a", type: "link", textContent, attributes: { href: `/${textContent}` } });
  test.each([
    ["Show me the invoices", "Invoices", "Show invoice", "click 0"],
    ["Open the invoice", "Invoices (3)", "Show invoice", "click 1"],
    ["Zeig mir die Rechnungen", "Rechnungen", "Rechnung ansehen", "click 0"],
    ["Zeig mir die Rechnung", "Rechnungen", "Rechnung ansehen", "click 1"],
  ])("are distinguished by the singular or plural in the task: %s", (task, many, one, step) => {
    expect(stepsOf(task, [link(many), button(one), button("Help")])).toEqual([step]);
  });
});

describe("equal controls of several rows", () => {
  const page = ["SA-01 2.1 MW", "SA-03 3.1 MW", "SA-04 1.1 MW"].map((around) =>
    button("History", { around }),
  );
  test("are distinguished by the code (SA-03) of a row that the task names", () => {
    expect(stepsOf("Show the history of SA-03", page)).toEqual(["click 1"]);
  });
  test("lead to a question if the task names no code of a row", () => {
    expect(planned("Show the history", page).questions).toHaveLength(1);
  });
});

describe("a statement about a person before an imperative (Petra must not collect Sami, withdraw her permission)", () => {
  test("selects the row of this person for the imperative", () => {
    const page = ["Petra Lind, neighbour", "Joel Berg, uncle"].map((around) =>
      button("Withdraw permission", { around }),
    );
    expect(stepsOf("Petra must not collect Sami any longer, withdraw her permission", page)).toEqual([
      "click 0",
    ]);
  });
});
