/** Tests tasks in German, French, Spanish and Italian that make a thing with a name, give it a name, or sign a person up. */
import { expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const form = (send: string, ...labels: readonly string[]) => [
  ...labels.map((label, at) => field(label, { xpath: `/html/body/form/input[${at + 1}]` })),
  button(send, { xpath: "/html/body/form/button", interactionType: "submit" }),
];
const steps = (task: string, page: ReturnType<typeof form>) => {
  const { plan, questions } = planned(task, page);
  return [plan.steps.map(({ description }) => description), questions.map(({ question }) => question)];
};

test.each([
  "Ajoute un utilisateur nommé Marc",
  "Ajoute l’utilisateur Marc",
  "Füge einen Benutzer namens Marc hinzu",
  "Füge den Benutzer Marc hinzu",
  "Lege einen Benutzer mit dem Namen Marc an",
  "Añade un usuario llamado Marc",
  "Añade un usuario con el nombre Marc",
  "Aggiungi un utente chiamato Marc",
  "Aggiungi un utente di nome Marc",
  "Add the user Marc",
])("the name of a new thing is entered in the page's form without a question: %p", (task) => {
  expect(steps(task, form("Add user", "Username", "E-mail"))).toEqual([
    ['Type "Marc" into "Username"', 'Click "Add user"'],
    [],
  ]);
});

test("a name that contains a dot (marc.dupont) is entered as the name of a new user", () => {
  expect(steps("Crea el usuario marc.dupont", form("Add user", "Username", "E-mail"))).toEqual([
    ['Type "marc.dupont" into "Username"', 'Click "Add user"'],
    [],
  ]);
});

test("words that are not a name (the dark theme) are not entered as the name of a new thing", () => {
  const [all] = steps("Add the dark theme", form("Add theme", "Name", "Colour"));
  expect(all?.some((step) => step.startsWith("Type"))).toBe(false);
});

const rows = (rename: string, remove: string) =>
  ["Grade 4", "Chess Club"].flatMap((row, at) => [
    button(rename, { row, xpath: `/html/body/table/tbody/tr[${at + 1}]/td[2]/button[1]` }),
    button(remove, { row, xpath: `/html/body/table/tbody/tr[${at + 1}]/td[2]/button[2]` }),
  ]);

test.each([
  ["Rename the class Chess Club to Chess Team", "Rename", "Delete"],
  ["Rename the class Chess Club to Chess Team", "Edit", "Delete"],
  ["Benenne die Klasse Chess Club in Chess Team um", "Umbenennen", "Löschen"],
  ["Renomme la classe Chess Club en Chess Team", "Renommer", "Supprimer"],
  ["Cambia el nombre de la clase Chess Club a Chess Team", "Editar", "Borrar"],
])(
  "a task that renames a thing opens the thing's form and enters the new name there: %p",
  (task, rename, remove) => {
    const page = rows(rename, remove);
    const { plan, questions } = planned(task, page);
    expect([plan.steps.map(({ description }) => description), questions]).toEqual([
      [`Click "${rename}"`, 'Type "Chess Team" into "name"', 'Click "save" in the form of "name"'],
      [],
    ]);
    expect(plan.steps[0]?.targetId).toBe(page[2]?.highlight_index ?? -1);
  },
);

test("a task that renames a thing types the new name into the only field that shows the old name", () => {
  const [name, other, save] = form("Save", "First name", "Last name");
  const page = [{ ...name, value: "Ada" }, { ...other, value: "Byron" }, save] as ReturnType<typeof form>;
  expect(steps("Rename Ada to Augusta", page)).toEqual([['Type "Augusta" into "First name"'], []]);
});

test("a button with a general name (Confirm) is pressed for the verb in the heading of its form (Sign up for this job)", () => {
  const placed = { headings: ["Harvest", "Sign up for this job"], caption: [], column: "" };
  const confirm = { ...button("Confirm", { interactionType: "submit" }), place: placed };
  const page = [element({ tagName: "a", textContent: "Jobs", attributes: { href: "/jobs" } }), confirm];
  expect(planned("Sign me up for this job", page).plan.steps.map(({ targetId }) => targetId)).toEqual([
    confirm.highlight_index,
  ]);
  const [unnamed] = [button("Confirm", { interactionType: "submit" })];
  expect(unnamed && planned("Sign me up for this job", [unnamed]).plan.steps).toEqual([]);
});

test.each([
  ["Add the user Max with the email eve@example.com", "E-mail", "eve@example.com"],
  ["Lege den Benutzer Max mit der E-Mail eve@example.com an", "E-mail", "eve@example.com"],
  ["Lege den Benutzer Max mit der Rolle Admin an", "Role", "Admin"],
])(
  "the form for a new user is filled with the name after the noun and with the other value of the task %p",
  (task, label, value) => {
    expect(steps(task, form("Create user", "Username", label))).toEqual([
      ['Type "Max" into "Username"', `Type "${value}" into "${label}"`, 'Click "Create user"'],
      [],
    ]);
  },
);
