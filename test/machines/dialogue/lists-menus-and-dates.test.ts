/** Tests tasks for menus, rows and dates, in the words of four languages. */
import { describe, expect, test } from "bun:test";
import { planRefined } from "../../../machines/dialogue/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../machines/session/page-snapshot.ts";
import { button, element, field } from "./support/test-page-elements.ts";

const link = (textContent: string) => element({ tagName: "a", type: "a", textContent });
const tick = (more: Partial<HighlightedElement>) =>
  element({ tagName: "input", type: "checkbox", checked: false, ...more });

const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planRefined({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" });

const stepsOf = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ action, target, value }) =>
    [action, target?.name, value].filter(Boolean).join(" "),
  );

describe("a menu or link is found by", () => {
  const menu = ["Billing", "Returns", "Past orders", "Readers", "Settings"].map(link);

  test.each([
    ["Ouvre la page de facturation", "Billing"],
    ["Abre las devoluciones", "Returns"],
    ["Öffne die Rücksendungen", "Returns"],
    ["Muéstrame los pedidos anteriores", "Past orders"],
    ["Open the list of readers", "Readers"],
    ["Open the overview of all returns", "Returns"],
  ])("the words of %s", (task, name) => {
    expect(stepsOf(task, menu)).toEqual([`click ${name}`]);
  });
});

test.each(["Aktualisiere die Seite", "Recharge la page", "Actualiza la página", "Lade die Seite neu"])(
  "%s is the control of the page, or the action of the browser",
  (task) => {
    expect(stepsOf(task, [button("Refresh"), button("Update prices")])).toEqual(["click Refresh"]);
    expect(stepsOf(task, [button("Save")])).toEqual(["refresh"]);
  },
);

test.each(["Deja de compartir el presupuesto", "Arrête de partager le budget"])(
  "%s means the button that ends it",
  (task) => {
    expect(stepsOf(task, [button("Share"), button("Copy link"), button("Stop sharing")])).toEqual([
      "click Stop sharing",
    ]);
  },
);

test("two things select the checkboxes of their rows, and not the links in the rows", () => {
  const files = ["Budget.xlsx", "Contract.pdf", "Logo.svg"].flatMap((name) => [
    tick({ ariaLabel: `Select ${name}`, row: `${name} Me 10 May` }),
    element({ tagName: "a", type: "a", textContent: name, attributes: { href: `#${name}` } }),
  ]);
  expect(stepsOf("Select the budget and the logo", files)).toEqual([
    "click Select Budget.xlsx",
    "click Select Logo.svg",
  ]);
});

test("the text inside of a button does not rival with the button", () => {
  const page = [
    button("New message", { selector: "x-button >>> button" }),
    element({
      tagName: "span",
      type: "span",
      textContent: "New message",
      selector: "x-button >>> button > span",
    }),
  ];
  expect(stepsOf("Start a new message", page)).toEqual(["click New message"]);
  expect(planned("Start a new message", page).questions).toEqual([]);
});

test.each([
  ["DD/MM/YYYY", "07/11/1990"],
  ["mm/dd/yyyy", "11/07/1990"],
  ["TT.MM.JJJJ", "07.11.1990"],
  ["jj/mm/aaaa", "07/11/1990"],
  ["YYYY-MM-DD", "1990-11-07"],
  ["Your birthday", "7 November 1990"],
])("a date has the form that the placeholder %s shows", (placeholder, value) => {
  const page = [field("Date of birth", { placeholder }), field("Name")];
  expect(stepsOf("Set the date of birth to 7 November 1990", page)).toEqual([`input Date of birth ${value}`]);
});

test("a statement that the person has a thing names the thing of the pronoun after it", () => {
  const page = [button("Add person"), button("Import from file")];
  const { plan, questions } = planned("I have a list of people, import it from a file", page);
  expect(plan.steps.map(({ target }) => target?.name)).toEqual(["Import from file"]);
  expect(questions).toEqual([]);
});

test("a quoted heading above a control is no value that is left over", () => {
  const radio = element({ tagName: "input", type: "radio", labelText: "Only my contacts", checked: false });
  const place = { headings: [], caption: ["Answer to"], column: "" };
  const page = [{ ...radio, place }, button("Save")];
  const { plan, questions } = planned('Set "Answer to" to only my contacts', page);
  expect(plan.steps.map(({ target }) => target?.name)).toEqual(["Only my contacts"]);
  expect(questions).toEqual([]);
});
