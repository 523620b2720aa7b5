/** Tests tasks in Italian, and Portuguese imperatives, on pages in English and in Italian. */
import { expect, test } from "bun:test";
import { partsOf } from "../../../../machines/dialogue/task/split-task-at-imperatives.ts";
import { contentWords } from "../../../../machines/dialogue/words/normalised-words.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, field } from "../support/test-page-elements.ts";

const english = [field("Last name"), field("Quantity"), button("Save"), button("History"), button("Print")];
const italian = [
  field("Cognome"),
  field("Quantità"),
  button("Salva"),
  button("Cronologia"),
  button("Stampa"),
];

const stepsOf = (task: string, elements: readonly HighlightedElement[]): readonly string[] =>
  planned(task, elements).plan.steps.map(({ action, targetId, value }) =>
    [action, elements.findIndex((one) => one.highlight_index === targetId), value]
      .filter((part) => part !== null && part !== undefined)
      .join(" "),
  );

test.each([
  ["Il mio cognome è Novak", ["input 0 Novak"]],
  ["Scrivi Novak come cognome", ["input 0 Novak"]],
  ["Imposta la quantità a 12", ["input 1 12"]],
  ["Imposta la quantità a 12 e salva", ["input 1 12", "click 2"]],
  ["Per favore, mostrami la cronologia", ["click 3"]],
  ["Puoi stampare?", ["click 4"]],
  ["Apri la cronologia e poi stampa", ["click 3", "click 4"]],
])("the task %p has the same plan on a page in English and in Italian", (task, steps) => {
  expect(stepsOf(task, english)).toEqual(steps);
  expect(stepsOf(task, italian)).toEqual(steps);
});

test("an Italian search may name the search field after the searched text (Cerca Palestra nei movimenti)", () => {
  const page = [field("Cerca nei movimenti"), button("Ricevuta")];
  expect(stepsOf("Cerca Palestra nei movimenti", page)).toEqual(["input 0 Palestra", "send_keys -1 Enter"]);
});

test("a negated Italian imperative clicks nothing, and the imperative after it is carried out", () => {
  const page = [button("Send message"), button("Cancel")];
  expect(stepsOf("Non inviare il messaggio, annulla", page)).toEqual(["click 1"]);
});

test("a task is split before an Italian verb, even if a pronoun is attached to the verb (salvalo)", () => {
  expect(partsOf("Compila il modulo e salvalo", 5)).toEqual(["Compila il modulo", "salvalo"]);
  expect(partsOf("Scegli il piano, poi conferma", 5)).toEqual(["Scegli il piano", "conferma"]);
});

test("an Italian word is translated even with an attached pronoun (salvalo) or an elided article (all'indirizzo)", () => {
  expect(contentWords("salvalo")).toEqual(contentWords("save"));
  expect(contentWords("all'indirizzo")).toEqual(contentWords("address"));
});

test("a word with different meanings in two languages, such as cerca or Camera, is not translated in a text of the other language", () => {
  expect(contentWords("cerca de")).not.toEqual(contentWords("search"));
  expect(contentWords("Camera")).toEqual(["camera"]);
  expect(contentWords("Accept a quest")).toEqual(["accept", "quest"]);
  expect(partsOf("Suche Acme und Firma Meier", 5)).toEqual(["Suche Acme und Firma Meier"]);
});

test.each([
  ["Guarde", "Save"],
  ["Mostre o histórico", "History"],
  ["Adicione um produto", "Add product"],
  ["Exclua o produto", "Delete product"],
])("the Portuguese imperative %p clicks %p", (task, name) => {
  const page = ["Save", "History", "Add product", "Delete product"].map((one) => button(one));
  expect(planned(task, page).plan.steps.map(({ target }) => target?.name)).toEqual([name]);
});
