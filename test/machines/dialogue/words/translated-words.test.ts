/** Tests tasks in German, French and Spanish on a page in English, and the other way round. */
import { expect, test } from "bun:test";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import { contentWords } from "../../../../machines/dialogue/words/normalised-words.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, field } from "../support/test-page-elements.ts";

const english = [field("Last name"), field("Phone"), field("Postal code"), button("Save"), button("History")];
const german = [
  field("Nachname"),
  field("Telefonnummer"),
  field("Postleitzahl"),
  button("Speichern"),
  button("Verlauf"),
];

function stepsOf(task: string, elements: readonly HighlightedElement[]): readonly string[] {
  const { plan } = planRefined({
    task,
    elements,
    answers: {},
    id: "p",
    version: 1,
    pageUrl: "http://site.test/",
  });
  return plan.steps.map(({ action, targetId, value }) =>
    [action, elements.findIndex((one) => one.highlight_index === targetId), value]
      .filter((part) => part !== null)
      .join(" "),
  );
}

test.each([
  ["Mein Nachname ist Novak", ["input 0 Novak"]],
  ["Mon nom de famille est Novak", ["input 0 Novak"]],
  ["Mi apellido es Novak", ["input 0 Novak"]],
  ["Gib 1010 als Postleitzahl ein", ["input 2 1010"]],
  ["Trag als Postleitzahl 1010 ein", ["input 2 1010"]],
  ["Mets Novak comme nom de famille", ["input 0 Novak"]],
  ["Öffne den Verlauf", ["click 4"]],
  ["Ouvre l'historique", ["click 4"]],
  ["Abre el historial", ["click 4"]],
])("the task %p has the same plan on a page in English and in German", (task, steps) => {
  expect(stepsOf(task, english)).toEqual(steps);
  expect(stepsOf(task, german)).toEqual(steps);
});

test("plurals of a word are translated like the word, and English words stay as they are", () => {
  expect(contentWords("facturas")).toEqual(contentWords("invoice"));
  expect(contentWords("Benachrichtigungen")).toEqual(contentWords("notification"));
  expect(contentWords("Chercher")).toEqual(contentWords("Search"));
  expect(contentWords("venir chercher")).toEqual(contentWords("collect"));
  expect(contentWords("the tags of notes")).toEqual(["tag", "note"]);
});

test("a French task to see invoices or to sign out clicks the button for it, even if the name of the button is Spanish", () => {
  const page = [button("Factures"), button("Cerrar sesión")];
  expect(stepsOf("Je voudrais voir les factures", page)).toEqual(["click 0"]);
  expect(stepsOf("Déconnecte-moi", page)).toEqual(["click 1"]);
});
