/** Tests German tasks in which the two parts of a separable verb stand apart. */
import { describe, expect, test } from "bun:test";
import { withJoinedVerb } from "../../../../machines/dialogue/words/german-separable-verbs.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, field } from "../support/test-page-elements.ts";

describe("a German task with a separable verb", () => {
  const rows = ["Steiner", "Hoffmann"].flatMap((around) => [
    button("Dokument hochladen", { around }),
    button("Foto hinzufügen", { around }),
  ]);

  test.each([
    ["Lade ein Dokument zur Akte Steiner hoch", 0],
    ["Füge ein Foto von Hoffmann hinzu", 3],
  ])("clicks the button that has the verb in one word: %s", (task, at) => {
    const { plan, questions } = planned(task, rows);
    expect(questions).toEqual([]);
    expect(plan.steps.map(({ targetId }) => targetId)).toEqual([rows[at]?.highlight_index ?? -1]);
  });

  test.each([
    ["Brich bitte den Antrag ab", "abbrechen den Antrag"],
    ["Melde mich ab.", "abmelden mich"],
    ["Kreuz das Feld an", "ankreuzen das Feld"],
  ])("is read with the infinitive of the verb: %s", (task, expected) => {
    expect(withJoinedVerb(task)).toBe(expected);
  });

  test.each(["Turn the light off", "Zurück", "Öffne die Akte Steiner", "Log in"])(
    "is not recognised in %p, which has no separable verb in two parts",
    (task) => {
      expect(withJoinedVerb(task)).toBeUndefined();
    },
  );

  test.each([
    "Lege eine Gruppe mit dem Namen Nord an",
    "Leg bitte eine Gruppe namens Nord an",
    "Richte eine Gruppe namens Nord ein",
  ])("leaves the prefix of the verb out of the name of a new thing: %s", (task) => {
    const save = button("Speichern", { xpath: "/html/body/form/button", interactionType: "submit" });
    const { plan } = planned(task, [field("Name", { xpath: "/html/body/form/input" }), save]);
    expect(plan.summary).toBe('Type "Nord" into "Name"; Click "Speichern"');
  });
});
