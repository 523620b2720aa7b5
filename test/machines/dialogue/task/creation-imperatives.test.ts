/**
 * Tests how a task such as "Add the component rudder" is split into the noun ("component") and the name ("rudder")
 * of the new thing.
 */
import { expect, test } from "bun:test";
import { createOrder, newThingsOf } from "../../../../machines/dialogue/task/creation-imperatives.ts";

test.each([
  ["Add the component rudder", [{ noun: "component", name: "rudder" }]],
  ["Add version 2.1", [{ noun: "version", name: "2.1" }]],
  ["Create a page 'Lighthouse'", [{ noun: "page", name: "Lighthouse" }]],
])("in the imperative %p, the name of the new thing follows its noun", (task, things) => {
  expect(newThingsOf(task)).toEqual(things);
});

test.each([
  ["Add the user Max with the email max@example.com", "email", "max@example.com"],
  ["Add the team member Max with the role Editor", "role", "Editor"],
  ["Lege den Benutzer Max mit der Rolle Admin an", "Rolle", "Admin"],
  ["Crea el usuario Max con el rol Admin", "rol", "Admin"],
])(
  "in the imperative %p, the name after the noun and the value after its field are both values",
  (task, field, value) => {
    expect(createOrder(task)?.entries?.map((entry) => [entry.also, entry.value])).toEqual([
      ["name", "Max"],
      [field, value],
    ]);
  },
);

test("a field after a preposition is no part of the value before it", () => {
  const entries = (task: string) => createOrder(task)?.entries?.map(({ also, value }) => [also, value]);
  expect(entries("Create a newsletter with the subject Harbour day for the audience Press")).toEqual([
    ["subject", "Harbour day"],
    ["audience", "Press"],
  ]);
  expect(entries("Create a meeting with the subject Lunch for the whole team")).toEqual([
    ["subject", "Lunch for the whole team"],
  ]);
  expect(entries("Create a page with the subject Report for the year 2026")).toEqual([
    ["subject", "Report for the year 2026"],
  ]);
});

test("a number with its noun after the name of a new thing is a value, and no part of the name", () => {
  const entries = (task: string) => createOrder(task)?.entries?.map(({ also, value }) => [also, value]);
  expect(entries("Add a pool named dock_pool with 6 slots")).toEqual([
    ["name", "dock_pool"],
    ["slots", "6"],
  ]);
  expect(entries("Create a team named Ada and 2 friends")).toEqual([["name", "Ada and 2 friends"]]);
  expect(entries("Create a film named 'Dinner with 2 friends'")).toEqual([["name", "Dinner with 2 friends"]]);
});

test.each([
  "Add a user",
  "Add a team member",
  "Add the user Ada then open Groups",
  "Add the user Ada. Then open Groups",
  "Add the user to the team",
  "Open the component rudder",
])("the imperative %p has no name of a new thing directly after a noun", (task) => {
  expect(newThingsOf(task)).toEqual([]);
});

test.each([
  ["Create a user named karl with the password Secret-2026", "password"],
  ["Lege einen Benutzer namens karl mit dem Passwort Secret-2026 an", "Passwort"],
  ["Crée un utilisateur nommé karl avec le mot de passe Secret-2026", "mot de passe"],
  ["Crea un usuario llamado karl con la contraseña Secret-2026", "contraseña"],
  ["Crea un utente chiamato karl con la password Secret-2026", "password"],
])("the imperative %p has a name and a value for the field %p", (task, field) => {
  expect(createOrder(task)?.entries?.map(({ also, value }) => [also, value])).toEqual([
    ["name", "karl"],
    [field, "Secret-2026"],
  ]);
});

test("the words 'et le' inside a name (Le pain et le lait) do not start the next field", () => {
  const [name] = createOrder("Crée une liste nommée Le pain et le lait")?.entries ?? [];
  expect(name?.value).toBe("Le pain et le lait");
});
