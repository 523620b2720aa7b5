/** Tests that a plan which leaves out a name, a number or a quoted text of its task asks about it. */
import { describe, expect, test } from "bun:test";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const link = (textContent: string, more: Partial<HighlightedElement>) =>
  element({ tagName: "a", type: "link", textContent, ...more });
const shipment = [
  field("Customer"),
  field("City"),
  field("Pallets", { type: "number" }),
  list("Service", ["Standard", "Express"]),
  button("Create shipment"),
];
const tickets = [
  list("Status", ["All", "Open", "Closed"]),
  button("Print list"),
  button("Assign", { around: "T-7 Printer broken" }),
];

const inForm = (one: HighlightedElement) => ({ ...one, xpath: `/html/body/form/${one.tagName}` });
const oneField = [field("City"), button("Create shipment")];

describe("a plan that leaves out a detail of the task", () => {
  test.each([
    ["a name before a comma", "Oskar, print the list", tickets, "Oskar"],
    ["a number", "Print the list of the last 30 days", tickets, "30"],
    ["a name", "Print the list for Oskar Lund", tickets, "Oskar Lund"],
    ["the value of a field", "Create a shipment with customer lise and city of oslo", oneField, "lise"],
    [
      "a value that is a part of another value",
      "Add a user with the username leo and the email leo@example.com",
      [inForm(field("Email")), inForm(button("Create user", { interactionType: "submit" }))],
      "leo",
    ],
    ["a quoted text", 'Show only open tickets, "Lobby"', tickets, "Lobby"],
  ])("asks about it, and has a low confidence: %s", (_, task, page, detail) => {
    const { plan, questions } = planned(task, page);
    expect(questions.map(({ question }) => question).join()).toContain(`"${detail}"`);
    expect(plan.confidence.overall).toBeLessThan(0.5);
  });
});

describe("the person's answer about a detail of the task that the plan leaves out", () => {
  const answered = (task: string, answer: string) => {
    const request = { elements: shipment, id: "p", version: 2, pageUrl: "http://site.test/" };
    const { plan, questions } = planRefined({ ...request, task, answers: { "unused-0": answer } });
    const steps = plan.steps.map(({ action, value }) => value ?? action);
    return { steps, isAsked: questions.length > 0, unplaced: plan.unplaced };
  };
  test("is read as a further part of the task", () => {
    const { steps, isAsked } = answered("Nova, 2 pallets, express", "Nova is the customer");
    expect([steps, isAsked]).toEqual([["2", "Express", "Nova"], false]);
  });
  test.each(["customer", "the customer", "It's the customer."])(
    "names the field into which the detail is entered: %s",
    (answer) => {
      expect(answered("Nova, 2 pallets, express", answer)).toEqual({
        steps: ["2", "Express", "Nova"],
        isAsked: false,
        unplaced: undefined,
      });
    },
  );
  test.each(["No.", "nothing", "leave it out", "Don't create the shipment"])(
    "adds no step if it says that the detail is not wanted: %s",
    (answer) => {
      expect(answered("Nova, 2 pallets, express", answer)).toEqual({
        steps: ["2", "Express"],
        isAsked: false,
        unplaced: undefined,
      });
    },
  );
  test.each(["y", "ok", "use it"])(
    "does not complete the task if the answer names no field for the detail: %s",
    (answer) => {
      expect(answered("Nova, 2 pallets, express", answer)).toEqual({
        steps: ["2", "Express"],
        isAsked: false,
        unplaced: ["Nova"],
      });
    },
  );
  test("leads to another question if the answer forbids a step of the task", () => {
    const task = "Nova, 2 pallets, express, create the shipment";
    expect(answered(task, "don't create the shipment")).toEqual({
      steps: [],
      isAsked: true,
      unplaced: undefined,
    });
  });
});

describe("a plan", () => {
  test("asks nothing if each detail of the task is in a step or names the row of a step", () => {
    expect(stepsOf("Customer Nova AG, city Graz, 2 pallets, express", shipment)).toEqual([
      "input 0 Nova AG",
      "input 1 Graz",
      "input 2 2",
      "select_dropdown 3 Express",
    ]);
    expect(planned("Assign T-7", tickets).questions).toEqual([]);
    expect(planned("Set the pallets to 2", shipment).questions).toEqual([]);
  });
  test.each([
    ["in the page's address", "https://grafana.site.test/d", "Open the settings in Grafana"],
    ["of two words in the page's address", "https://acmeshop.test/", "Open the settings of Acme Shop"],
    ["that a link to the start of the site has", "https://10.0.0.7/board", "On Harbour, open the settings"],
    ["in a greeting", "https://site.test/", "Hi Claude, open the settings"],
    ["in thanks", "https://site.test/", "Thanks Bob, open the settings"],
    ["of the browser", "https://site.test/", "Open the settings in Chrome"],
    ["of the system", "https://site.test/", "Open the settings on my Mac"],
    ["of the person's role", "https://site.test/", "As an Admin, open the settings"],
  ])("asks nothing about a name %s", (_, pageUrl, task) => {
    const home = link("Harbour", { attributes: { href: "/" } });
    const elements = [home, link("Settings", { attributes: { href: "/settings" } })];
    const { questions } = planRefined({ task, elements, answers: {}, id: "p", version: 1, pageUrl });
    expect(questions).toEqual([]);
  });
  test("asks nothing about the total number of pages (page 2 of 3)", () => {
    expect(planned("Open page 2 of 3", [link("2", { attributes: { href: "?page=2" } })]).questions).toEqual(
      [],
    );
  });
  test("asks about the destination of a move (to Singapore) that is only in the page's address, but not about a place (in Singapore)", () => {
    const elements = [button("Move", { around: "web-01 Frankfurt" })];
    const request = {
      elements,
      answers: {},
      id: "p",
      version: 1,
      pageUrl: "https://site.test/regions/singapore",
    };
    const asked = (task: string) => planRefined({ ...request, task }).questions.length;
    expect([asked("Move web-01 to Singapore"), asked("Move web-01 in Singapore")]).toEqual([1, 0]);
  });
  test("asks about a quoted text if the plan only uses a word of the same meaning", () => {
    const { questions } = planned('Press "RESET" for the satellite Aurora', [
      button("Clear"),
      list("Satellite", ["Aurora", "Kestrel"]),
    ]);
    expect(questions).toHaveLength(1);
  });
});
