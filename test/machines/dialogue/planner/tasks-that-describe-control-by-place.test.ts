/**
 * Tests tasks that describe a control by its place (an entry of a list, a post, a toolbar) or by its icon.
 */
import { describe, expect, test } from "bun:test";
import { planOffline } from "../../../../machines/dialogue/planner/plan-by-imperatives.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element } from "../support/test-page-elements.ts";

const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planOffline({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" });

const clicked = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ targetId }) =>
    elements.findIndex(({ highlight_index }) => highlight_index === targetId),
  );

const link = (textContent: string, xpath: string, more: Partial<HighlightedElement> = {}) =>
  element({ tagName: "a", type: "a", interactionType: "navigate", textContent, xpath, ...more });

const mails = ["Dinner tonight", "Books for children", "Listing of homes", "Link request"].flatMap(
  (text, at) => [
    link(text, `/body/ul/li[${at + 1}]/a[1]`),
    link("Delete", `/body/ul/li[${at + 1}]/a[2]`, { around: text }),
  ],
);

describe("a control that each entry of a list has", () => {
  test.each([
    ["Delete the second message", 3],
    ["Get rid of the very first mail", 1],
    ["Lösche die unterste Nachricht", 7],
    ["Supprime le troisième message", 5],
    ["Elimina el último correo de la lista", 7],
    ["Open the topmost mail", 0],
    ["Read the last message in the list", 6],
  ])("is found by the position of the entry that the task names: %s", (task, wanted) => {
    expect(clicked(task, mails)).toEqual([wanted]);
  });

  test("leads to a question if the task names no position", () => {
    expect(planned("Delete the message", mails).plan.steps).toEqual([]);
  });
});

describe("a control in a list, whatever its things are called,", () => {
  const archive = [
    button("Upload", { xpath: "/body/p/button" }),
    ...["Budget 1958", "Plan of the bridge", "School photo"].flatMap((text, at) =>
      ["Open", "Rename", "Delete"].map((name, index) =>
        button(name, { xpath: `/body/table/tr[${at + 1}]/td[3]/button[${index + 1}]`, around: text }),
      ),
    ),
  ];

  test.each([
    ["Delete the second document", [6]],
    ["Open the last document", [7]],
    ["Rename the first attachment", [2]],
    ["Supprime le deuxième document", [6]],
    ["Öffne das letzte Dokument", [7]],
    ["Delete the last one", [9]],
    ["Delete the first and third document", [3, 9]],
    ["Delete the first document and the last one", [3, 9]],
  ])("is found if the task names the position of its thing: %s", (task, wanted) => {
    expect(clicked(task, archive)).toEqual(wanted);
  });

  test("is not found if the page has two such lists", () => {
    const other = button("Delete", { xpath: "/body/ul/li[1]/button" });
    const another = button("Delete", { xpath: "/body/ul/li[2]/button" });
    expect(clicked("Delete the second document", [...archive, other, another])).toEqual([]);
  });

  test("is the checkbox at the position that a task such as 'Tick the third one' names, if the list has checkboxes", () => {
    const jobs = ["Descale the kettle", "Pay the bill", "Fix the hose"].map((labelText, at) =>
      element({
        tagName: "input",
        type: "checkbox",
        interactionType: "click",
        labelText,
        xpath: `/body/ul/li[${at + 1}]/input`,
      }),
    );
    expect(clicked("Tick the third one", jobs)).toEqual([2]);
    expect(clicked("Tick the first one and the third one", jobs)).toEqual([0, 2]);
  });
});

describe("controls with the same name in several posts", () => {
  const post = (at: number, text: string) => [
    link("thumb_up 12 Likes", `/body/div[${at}]/ul/li[1]/a`),
    element({
      tagName: "input",
      type: "text",
      interactionType: "input",
      row: text,
      xpath: `/body/div[${at}]/p/input`,
    }),
  ];
  const posts = [...post(1, "Marc, 26 Oct 2018"), ...post(2, "Marc, 01 Nov 2018")];

  test("are distinguished by the other texts of their posts", () => {
    expect(clicked("Like the post from 26 October", posts)).toEqual([0]);
    expect(clicked("Like the post from 1 November", posts)).toEqual([2]);
  });

  test("lead to a question if the task names no post", () => {
    expect(planned("Like the post", posts).questions).toHaveLength(1);
  });
});

describe("an icon without a name", () => {
  const bar = (at: number) =>
    ["refresh", "trash o"].map((icon, index) =>
      button("", { icon, xpath: `/body/div[${at}]/button[${index}]` }),
    );

  test("counts as one target if it is in two equal toolbars, above and below a list", () => {
    const page = [...bar(1), ...bar(2)];
    expect(clicked("Refresh the inbox", page)).toEqual([0]);
    expect(planned("Trash it", page).plan.steps).toMatchObject([{ risk: "high" }]);
  });

  test("is the target of 'Trash it', while the folder named Trash is the target of 'Open the trash'", () => {
    const page = [link("Trash", "/body/nav/a"), ...bar(1)];
    expect(clicked("Trash it", page)).toEqual([2]);
    expect(clicked("Open the trash", page)).toEqual([0]);
  });

  test.each([
    ["Click next in the little calendar", { textContent: "»" }],
    ["Show the info", { textContent: "ℹ\uFE0F" }],
    ["Turn bold on", { attributes: { class: "ql-bold" } }],
    ["Collapse the box", { icon: "minus", attributes: { "data-widget": "collapse" } }],
    ["Add another image", { icon: "plus", attributes: { class: "add-image" } }],
    ["Open the actions menu", { textContent: "Click to open the actions menu (Ctrl+M)" }],
  ])('is found for the task "%s" by its symbol, class, attribute or tooltip', (task, more) => {
    expect(clicked(task, [button("Other"), button("", more)])).toEqual([1]);
  });
});

test("a control is found although its name is that of a built-in property of JavaScript objects, such as toString", () => {
  expect(
    clicked("Open toString", [link("constructor", "/body/a[1]"), link("toString", "/body/a[2]")]),
  ).toEqual([1]);
});

describe("a task that pays or that adds a contact", () => {
  test.each([
    ["Begleiche die Rechnung", "Submit Payment"],
    ["Règle la facture", "Submit Payment"],
    ["Abona la factura", "Submit Payment"],
    ["Vernetze mich mit Jessica Jones", "Connect"],
    ["Send Jessica a contact request", "Connect"],
    ["Ajoute Jessica à mes contacts", "Connect"],
  ])("needs an approval in every language: %s", (task, name) => {
    const { plan } = planned(task, [button(name), button("Print")]);
    expect(plan.steps).toMatchObject([{ target: { name }, risk: "high" }]);
  });
});

test("a new thing is made by the plus sign of the page, and a new column by the one in the head of the table", () => {
  const plus = (xpath: string) => element({ tagName: "button", type: "button", icon: "add", xpath });
  const page = [
    plus("/html/body/main/table/thead/tr/th[5]/button"),
    element({
      ...{ tagName: "a", type: "a", interactionType: "navigate", icon: "add", xpath: "/html/body/header/a" },
      attributes: { href: "/content/workshops/+" },
    }),
  ];
  expect(stepsOf("Add a workshop", page)).toEqual(["click 1"]);
  expect(stepsOf("Create a workshop", page)).not.toEqual(["click 0"]);
  expect(stepsOf("Add a column", page)).not.toEqual(["click 1"]);
});

test.each([
  "Rename pay the bill to pay the rent",
  "Edit pay the bill",
  "Duplicate pay the bill",
  "Set pay the bill to next week",
])("a checkbox with the name of a thing is not ticked for a task that changes the thing: %s", (task) => {
  const tick = element({
    tagName: "input",
    type: "checkbox",
    interactionType: "click",
    labelText: "Pay the bill",
  });
  expect(clicked(task, [tick])).toEqual([]);
});
