/** Tests plans for forms that are on other pages of an explored site. No model is configured. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { makePlan } from "../../../actors/dialogue/make-plan.ts";
import type { MapQuestion } from "../../../actors/dialogue/plan-from-map.ts";
import { createModels } from "../../../actors/models/index.ts";
import type { AgentResponse, BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import { element } from "../../machines/dialogue/support/test-page-elements.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Town } from "../knowledge/explorations-and-maps-with-memory-store.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

let town: Town;

const page = (title: string, body: string) => html(title, `<main><h1>${title}</h1>${body}</main>`);
const site = siteOfTests({
  "/": page(
    "Home",
    '<a href="/pools">Pools</a> <a href="/customers">Customers</a> <a href="/help">Help</a> <a href="/users/1">Ann</a>',
  ),
  "/users/1": page(
    "Edit user Ann",
    `<form method="post" action="/users/1"><label>Username <input name="name" value="ann"></label>
       <label><input type="checkbox" name="edit_shelf_role"> May edit a shelf</label><button>Save</button></form>`,
  ),
  "/pools": page("Pools", '<a href="/pools/add">Add</a>'),
  "/pools/add": page(
    "Add pool",
    `<form method="post" action="/pools"><label>Pool <input name="pool"></label>
       <label>Slots <input name="slots" type="number"></label><button>Save</button></form>`,
  ),
  "/help": page("Help", "<p>No help.</p>"),
  "/customers": page("Customers", '<a href="/customers/new">Register</a>'),
  "/customers/new": page(
    "New customer",
    `<form method="post" action="/customers"><label>Name <input name="name"></label>
       <label>Email <input name="email" type="email"></label><label>Note <input name="note"></label>
       <button>Create customer</button></form>`,
  ),
});

beforeAll(async () => {
  town = await Town.start();
  await town.explore("job", site.url("/"), "crm");
});
afterAll(async () => {
  await town.stop();
});

type Ask = (question: MapQuestion) => Promise<AgentResponse>;
const askTown: Ask = ({ instruction_type, target, context }) =>
  town.agent("crm", instruction_type, target, context);

const planned = async (task: string, path = "/", dom_summary = "", ask = askTown) => {
  const planning = {
    ...{ id: "p", version: 1, task, answers: {}, asked: {}, done: [], title: "Home" },
    elements: [element({ tagName: "a", textContent: "Help", attributes: { href: "/help" } })],
    pageUrl: site.url("/"),
  };
  return await makePlan(planning, {
    models: createModels({ secrets: [] }),
    signal: AbortSignal.timeout(TIMEOUT),
    map: {
      ask,
      position: () => Promise.resolve({ url: site.url(path), dom_summary }),
    },
  });
};

test("a task that creates a customer with values is planned with the form that the map has on another page", async () => {
  const { plan, questions } = await planned("Create a customer named Ada with the email ada@example.com");
  expect(questions).toEqual([]);
  expect(plan.source).toBe("map");
  // The summary contains the values, because a person must see them before they approve the plan.
  expect(plan.summary).toContain('Type "Ada" into "Name"; Type "ada@example.com" into "Email"');
  expect(plan.steps.map(({ action, target, value }) => [action, target?.name, value])).toEqual([
    ["click", "Customers", null],
    ["click", "Register", null],
    ["input", "Name", "Ada"],
    ["input", "Email", "ada@example.com"],
    ["click", "Create", null],
  ]);
  expect(plan.steps.at(-1)?.target?.submits).toContain("email");
});

test("the name of a new thing goes into the field with the word for its kind if the form has no field for a name", async () => {
  const { plan, questions } = await planned("Add a pool named dock_pool with 6 slots");
  expect(questions).toEqual([]);
  expect(plan.steps.map(({ action, target, value }) => [action, target?.name, value]).slice(2, 4)).toEqual([
    ["input", "Pool", "dock_pool"],
    ["input", "Slots", "6"],
  ]);
});

test("a plan does not use a form of the map that lacks a field for one of the task's values", async () => {
  const { plan, questions } = await planned("Create a customer named Ada with the colour red");
  expect(plan.source).toBe("page");
  expect(questions).not.toEqual([]);
});

test.if(isFull)(
  "a plan does not create a thing with a form for users, although a checkbox of the form names this thing",
  async () => {
    const { plan, questions } = await planned("Create a shelf named Summer reading");
    expect(plan.steps.map(({ target }) => target?.name)).not.toContain("Username");
    expect(questions).not.toEqual([]);
  },
);

test("a plan does not create a thing with the form of a thing that exists (Edit user Ann)", async () => {
  const { plan, questions } = await planned("Create a user named Bob");
  expect(plan.steps.map(({ target }) => target?.name)).not.toContain("Username");
  expect(questions).not.toEqual([]);
});

test("a step to a link that an exploration has pressed names the role of the link, and not its tag", async () => {
  // For a link that an exploration has pressed, the map stores the tag `a` in place of a role. This function gives
  // the map's answers in that form.
  const askPressed: Ask = async (question) => {
    const answer = await askTown(question);
    const asPressed = (action: BrowserUseAction): BrowserUseAction =>
      action.tool_name === "click"
        ? {
            ...action,
            parameters: {
              ...action.parameters,
              fingerprint: { name: action.parameters.text, role: "a", tag: "a" },
            },
          }
        : action;
    return { ...answer, actions: answer.actions.map(asPressed) };
  };
  const { plan } = await planned("Go to the Customers page", "/", "# Home\nCustomers Help Ann", askPressed);
  expect(plan.steps.map(({ target }) => [target?.name, target?.role])).toEqual([["Customers", "link"]]);
});

test("a task to go to the page that the session shows has no steps, and the plan states the reason", async () => {
  const { plan, questions } = await planned("Go to the Help page", "/help", "# Help\nNo help.");
  expect(questions).toEqual([]);
  expect(plan.steps).toEqual([]);
  expect(plan.summary).toBe("Nothing is to be done: the session shows this page already.");
});

test("a task that does not say which of several tickets is meant opens none of them", async () => {
  const click = { text: "#2 Engine makes a strange noise", fingerprint: { role: "link", name: "#2 Engine" } };
  const askTicket: Ask = async (question) => ({
    ...(await askTown(question)),
    success: true,
    actions: [
      { tool_name: "click", parameters: click, description: "Click #2", confidence: 1, screen_id: null },
    ],
    expected_result: { screen_id: "ticket", parameters: { ticket: "2" } },
    metadata: {
      screen_name: question.target.includes("engine") ? "#2 (Engine makes a strange noise)" : "Ticket",
    },
  });
  const { plan } = await planned("Open the ticket about the engine noise", "/", "", askTicket);
  expect([plan.source, plan.summary]).toEqual(["map", "Click #2"]);
  const unnamed = await planned("Open the ticket", "/", "", askTicket);
  expect(unnamed.plan.source).toBe("page");
  expect(unnamed.plan.summary).not.toContain("#2");
});

test("'Add the customer Ada' is planned with the map's form for customers, and with Ada as the name", async () => {
  const { plan, questions } = await planned("Add the customer Ada");
  expect(questions).toEqual([]);
  expect(plan.steps.map(({ action, target, value }) => [action, target?.name, value])).toEqual([
    ["click", "Customers", null],
    ["click", "Register", null],
    ["input", "Name", "Ada"],
    ["click", "add", null],
  ]);
});

test.each(["Add the customer Ada to the shelf", "Add the shelf Ada", "Add a customer"])(
  "the task %p does not fill in the form of the map for a customer",
  async (task) => {
    const { plan } = await planned(task);
    expect(plan.steps.map(({ action }) => action)).not.toContain("input");
  },
);

test.each([
  ["Delete the user Ann", "Ann"],
  ["Rename the user Ann to Anna", "Ann"],
  ["Delete the second customer", "Customers"],
])(
  "a task for a thing on another page first opens that page, and is then planned again there: %p",
  async (task, link) => {
    const { plan, questions } = await planned(task);
    expect(questions).toEqual([]);
    expect(plan).toMatchObject({
      source: "map",
      steps: [{ action: "click", target: { name: link }, risk: "low" }],
    });
    expect(plan.open?.[0]).toBe(task.split(" ")[0] ?? "");
  },
);

test.each([
  // The list of roles has "Show" and "Edit" in each row, and the page behind "Show" has no form.
  ["Rename the role Clerk to Manager", ["List Roles"]],
  ["Delete the role Clerk", ["List Roles", "Show"]],
])(
  "a task that edits a thing opens its list, and not the page that only shows it: %p",
  async (task, links) => {
    const click = (name: string, href: string): BrowserUseAction => ({
      ...{ tool_name: "click", description: `Click ${name}`, confidence: 1, screen_id: null },
      parameters: { text: name, fingerprint: { role: "link", name, attributes: { href } } },
    });
    const askRoles: Ask = async (question) => ({
      ...(await askTown(question)),
      success: true,
      actions: [click("List Roles", "/roles/list/"), click("Show", "/roles/show/7")],
      expected_result: { screen_id: "role" },
      metadata: { screen_name: "Show Role", found_by: "content" },
    });
    const { plan } = await planned(task, "/", "", askRoles);
    expect(plan.steps.map(({ target }) => target?.name)).toEqual([...links]);
  },
);

test.each(["Delete the user Zoe", "Make it nicer", "Do something useful", "Delete Zoe", "Delete order 1"])(
  "no page is opened for a thing that the map does not have, or that the current page already shows: %p",
  async (task) => {
    const { plan } = await planned(task);
    expect([plan.source, plan.open]).toEqual(["page", undefined]);
  },
);
