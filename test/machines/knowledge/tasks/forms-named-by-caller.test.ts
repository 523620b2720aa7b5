/** Tests which form of a map matches a text in which a caller names a target. */
import { expect, test } from "bun:test";
import { taskWords } from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import {
  type FormPage,
  type FormTask,
  taskFit,
} from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";
import type { ActionRecord } from "../../../../machines/records/map-records.ts";

interface Form {
  readonly kind?: FormTask["kind"];
  readonly labels?: readonly string[];
  /** Caption of the button that submits the form. */
  readonly submit?: string;
  readonly action?: string;
}

function form({ kind = "form", labels = ["Name"], submit = "Save", action = "" }: Form): FormTask {
  const attributes = { tag: "form", action, method: "post", submit };
  const target = JSON.stringify({ role: "form", name: "", selector: "form", xpath: "//form", attributes });
  return {
    task_id: "task_of_form",
    name: `Fill in and send: ${labels.join(", ")}`,
    kind,
    fields: labels.map((label) => ({
      name: label.toLowerCase().replaceAll(" ", "_"),
      label,
      type: "text",
      constraints: {},
      action: undefined,
    })),
    // The cast is safe: only the target of the submit action matters for this test.
    submit: { target } as ActionRecord,
    success_criteria: [],
  };
}

const page = (name: string, path: string): FormPage => ({ name, url: `https://conf.example${path}` });
const fit = (text: string, task: FormTask, at: FormPage, values: readonly unknown[] = []): number =>
  taskFit(task, text, taskWords(text, values), at).fit;

const NEW_ROOM = page("New room", "/orga/event/democon/schedule/rooms/new/");
const NEW_TEAM = page("New team", "/orga/organiser/democonorg/teams/new/");
const PLUM_ROOM = page("Room “Plum Room”", "/orga/event/democon/schedule/rooms/1/");

test("a question about the topic of a screen does not match the site's search form, unless it asks for a search", () => {
  const search = form({ kind: "search", labels: ["Quick search"], action: "https://conf.example/found" });
  const csv = page("csv — CSV File Reading and Writing", "/library/csv.html");
  expect(fit("read a csv file", search, csv)).toBe(0);
  expect(fit("search csv", search, csv)).toBe(1);
});

test("a question with the name of a screen matches the form on that screen", () => {
  expect(fit("new ticket", form({ labels: ["Summary"] }), page("New ticket", "/newticket"))).toBe(1);
});

test("a target to create one thing does not match the form that creates another thing", () => {
  expect(fit("create a new room", form({}), NEW_TEAM)).toBe(0);
  expect(fit("create a new team", form({}), NEW_TEAM)).toBe(1);
  expect(fit("create a new room", form({}), NEW_ROOM)).toBe(1);
  expect(fit("add a room booking", form({}), NEW_ROOM)).toBe(0);
});

test("a word of the target that is only in a folder of the page's address (event in /orga/event/…) does not make a form match", () => {
  expect(fit("create a new event", form({}), NEW_ROOM)).toBe(0);
  expect(fit("edit event settings", form({}), page("Settings", "/orga/event/democon/settings/"))).toBe(1);
  const category = form({ submit: "Save", action: "https://conf.example/wp-admin/edit-tags.php" });
  const categories = page("Categories", "/wp-admin/edit-tags.php?taxonomy=category");
  expect(fit("add a tag", category, categories)).toBe(0);
  expect(fit("add a category", category, categories)).toBe(1);
});

test("a target matches a form by the label of a field only if it contains the whole label and names no operation such as create", () => {
  const team = form({ labels: ["Team name", "Can change event settings", "Room"] });
  expect(fit("event settings", team, NEW_TEAM)).toBe(0);
  expect(fit("create a room", team, NEW_TEAM)).toBe(0);
  expect(fit("invite a person role", form({ labels: ["Role"] }), page("Invite a person", "/invite"))).toBe(1);
});

test("a target to edit an object does not match the form for a new object, and a target to create one matches no edit form", () => {
  expect(fit("edit the room", form({}), NEW_ROOM)).toBe(0);
  expect(fit("edit the room", form({}), PLUM_ROOM)).toBe(1);
  expect(fit("create a room", form({}), PLUM_ROOM)).toBe(0);
  const users = page("Users", "/users");
  expect(fit("edit a user", form({ submit: "Add user" }), users)).toBe(0);
  expect(fit("add a user", form({ submit: "Add user" }), users)).toBe(1);
  expect(fit("add a user", form({ submit: "Delete" }), users)).toBe(0);
  expect(fit("users", form({ submit: "Delete" }), users)).toBe(0);
  expect(fit("delete a user", form({ submit: "Delete" }), users)).toBe(1);
});

test("a target that names an object matches only the form of this object", () => {
  const green = page("Room “Sea Green Room”", "/orga/event/democon/schedule/rooms/2/");
  expect([PLUM_ROOM, green].map((at) => fit('edit the room "Plum Room"', form({}), at))).toEqual([1, 0]);
  expect([PLUM_ROOM, green].map((at) => fit("edit the room Plum Room", form({}), at))).toEqual([1, 0]);
  const note = form({ labels: ["Note"], submit: "Add note" });
  const orders = ["/orders/3/note", "/orders/17/note"].map((path) => page("Order", path));
  expect(orders.map((at) => fit("add a note to order 17", note, at))).toEqual([0, 1]);
});

test("a form on the page of an object is not for this object if its button and address name another thing (remark)", () => {
  const remark = form({
    labels: ["Remark"],
    submit: "Save remark",
    action: "https://conf.example/orders/3/note",
  });
  const order = page("Order 3", "/orders/3");
  expect(["create an order", "edit the order"].map((text) => fit(text, remark, order))).toEqual([0, 0]);
  expect(["order remark", "add a remark"].map((text) => fit(text, remark, order))).toEqual([1, 1]);
});

test("a target to create an object matches a form by the kind of the object, and not by its name and values", () => {
  expect(fit("create a new room called Harbour hall", form({}), NEW_ROOM)).toBe(1);
  expect(fit('create a room "Harbour team"', form({}), NEW_ROOM)).toBe(1);
  expect(fit("create the room Harbour hall with 120 seats", form({}), NEW_ROOM, ["Harbour hall", 120])).toBe(
    0,
  );
  expect(fit("create the room Harbour hall for 120", form({}), NEW_ROOM, ["Harbour hall", 120])).toBe(1);
});

test("a target fits a form whether their nouns are singular or plural (create a category, Categories)", () => {
  expect(fit("create a category", form({}), page("Categories", "/categories"))).toBe(1);
  expect(fit("add boxes", form({ submit: "Add box" }), page("Store", "/store"))).toBe(1);
});

test("the words page, form, screen and task count as the thing of a target only if the target names no other thing", () => {
  const newPage = form({ labels: ["Page name"], submit: "Create and open in editor" });
  expect(fit("create a page", newPage, page("Create Page", "/-/create"))).toBe(1);
  expect(fit("create a page", form({}), NEW_ROOM)).toBe(0);
  expect(fit("add a task", form({ labels: ["Title"], submit: "Add task" }), page("Tasks", "/tasks"))).toBe(1);
  expect(fit("edit the room form", form({}), PLUM_ROOM)).toBe(1);
  expect(fit("edit the room form", form({}), page("Form", "/form"))).toBe(0);
});

test("a form that is sent to the address of its own page is about the thing of the page that contains it, so it fits no task on a page of another thing", () => {
  // The forms of Strapi and Directus have no attribute `action`, so each is sent to the address of its own page.
  const found = page("Create an entry", "/admin/collection-types/api::category.category/create");
  const other = page("Create an entry", "/admin/collection-types/api::author.author/create");
  const ownForm = form({ submit: "", action: `${found.url}?locale=en` });
  const words = taskWords("create a category", []);
  const fitOn = (task: FormTask, at: FormPage): number =>
    taskFit(task, "create a category", words, at, found.url).fit;
  expect(fitOn(ownForm, found)).toBe(1);
  expect(fitOn(ownForm, other)).toBe(0);
  // A form that is sent to a fixed address creates the same kind of thing, whatever page contains the form.
  const note = form({ submit: "", action: "https://conf.example/categories/new" });
  expect(fitOn(note, other)).toBe(1);
});
