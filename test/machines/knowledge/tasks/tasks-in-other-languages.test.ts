/** Tests which operation and which thing a task names in German, French, Spanish, Italian and Dutch. */
import { expect, test } from "bun:test";
import {
  operationOfName,
  taskWords,
} from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";

const TASKS = [
  ["Lege eine neue Kategorie an", "create", "category"],
  ["Eine Kategorie hinzufügen", "create", "category"],
  ["Füge einen Kunden hinzu", "create", "customer"],
  ["Bearbeite die Kategorie", "edit", "category"],
  ["Lösche den Benutzer", "remove", "user"],
  ["Créer une nouvelle catégorie", "create", "category"],
  ["Ajouter un utilisateur", "create", "user"],
  ["Modifier la catégorie", "edit", "category"],
  ["Supprimer le client", "remove", "customer"],
  ["Crear una categoría nueva", "create", "category"],
  ["Añadir un usuario", "create", "user"],
  ["Editar la categoría", "edit", "category"],
  ["Eliminar el usuario", "remove", "user"],
  ["Aggiungi una categoria", "create", "category"],
  ["Voeg een lamp toe", "create", "lamp"],
  ["Een nieuwe rol aanmaken", "create", "rol"],
  ["Bewerk de lamp", "edit", "lamp"],
  ["Verwijder de lamp", "remove", "lamp"],
] as const;

for (const [task, operation, thing] of TASKS) {
  test(`"${task}" asks to ${operation} a ${thing}`, () => {
    const words = taskWords(task);
    expect([words.operation, words.things, words.names]).toEqual([
      operation,
      thing === "rol" ? ["role"] : [thing],
      [],
    ]);
  });
}

test("a name in a task in another language is not read as a part of the thing", () => {
  expect(taskWords("Lege eine Kategorie namens Boote an").things).toEqual(["category"]);
  expect(taskWords("Bearbeite die Kategorie „Boote“")).toMatchObject({
    things: ["category"],
    names: ["boote"],
  });
  expect(taskWords("créer une catégorie appelée Bateaux").things).toEqual(["category"]);
});

test("in a task in another language, the thing is the noun before the preposition (les paramètres de l'événement)", () => {
  expect(taskWords("Ändere die Einstellungen der Veranstaltung").head).toBe("setting");
  expect(taskWords("modifier les paramètres de l'événement").head).toBe("setting");
});

test("an English word (modifier, van) is not read as a verb or an article of another language", () => {
  expect(taskWords("create a modifier")).toMatchObject({ operation: "create", things: [expect.any(String)] });
  expect(taskWords("edit the modifier").operation).toBe("edit");
  expect(taskWords("add a van").things).toEqual(["van"]);
  expect(operationOfName("Modifiers")).toBeUndefined();
});

test("the name of a page or button states its operation at the start, or in some languages at the end (Kategorie bearbeiten)", () => {
  expect(
    [
      "Neue Kategorie",
      "Kategorie bearbeiten",
      "Ajouter une catégorie",
      "Borrar",
      "Nieuwe lamp",
      "Categories",
    ].map(operationOfName),
  ).toEqual(["create", "edit", "create", "remove", "create", undefined]);
});
