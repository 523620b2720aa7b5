/** Tests plans that first open a folded part of the page, because the form for the task is inside of it. */
import { expect, test } from "bun:test";
import {
  planToClickRow,
  planToEditInRow,
  planToOpenThing,
  planToUnfold,
} from "../../../../machines/dialogue/planner/plans-that-lead-to-thing.ts";
import { openWordsOf } from "../../../../machines/dialogue/planner/task-parts-left-open-by-plan.ts";
import { withFormSent } from "../../../../machines/dialogue/planner/whether-plan-must-send-form.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, list } from "../support/test-page-elements.ts";

const link = (textContent: string, href: string) =>
  element({ tagName: "a", textContent, interactionType: "navigate", attributes: { href } });
const closed = (textContent: string) => button(textContent, { attributes: { "aria-expanded": "false" } });

/** The page of a ticket in Trac: the form of a ticket is folded below "Modify Ticket". */
const ticket = [link("Wiki", "/wiki"), link("New Ticket", "/newticket"), link("Modify Ticket", "#edit")];
/** An accordion of Bootstrap. */
const accordion = [link("Home", "/"), closed("Network"), closed("Display")];
/** A page with a menu, as in Stripe and GitLab. */
const menu = [link("Invoice 12", "/i/12"), closed("Actions")];

/** The menu bar of an application, as in 7.css and TinyMCE. */
const menuBar = ["File", "Edit", "View"].map((name) =>
  element({ tagName: "li", role: "menuitem", textContent: name }),
);
const complaints = ["Order 7", "Order 8"].map((around) => button("Complain", { around }));

const unfolded = (task: string, page: typeof ticket) => planToUnfold(task, planned(task, page), page);

test.each([
  ["Resolve this ticket", ticket, "Modify Ticket"],
  ["Set the priority to major", ticket, "Modify Ticket"],
  ["Set the priority of this ticket to major", ticket, "Modify Ticket"],
  ["Set the network host to 10.0.0.1", accordion, "Network"],
  ["Change the port of the network to 80", accordion, "Network"],
  ["Void invoice 12", menu, "Actions"],
  [
    "Assign the task Find a fish stall to Carla Mota",
    [link("Edit the task", "/tasks/7/edit"), link("Edit recurrence", "/tasks/7/rec"), button("Assign to me")],
    "Edit the task",
  ],
  ["Set the state to sent", [link("Orders", "/orders"), link("Edit", "/orders/4/edit")], "Edit"],
])(
  "a plan opens the closed part of the page that the task needs, and the task is then planned again: %p",
  (task, page, opener) => {
    const plan = unfolded(task, page);
    expect(plan?.steps.map(({ description, risk }) => [description, risk])).toEqual([
      [`Click "${opener}"`, "low"],
    ]);
    expect(plan?.open?.length).toBeGreaterThan(0);
  },
);

test.each([
  ["Resolve this ticket", [...ticket, button("Resolve")]],
  ["Make it nicer", ticket],
  ["Is the ticket resolved?", ticket],
  ["Resolve this ticket", [...ticket, link("Edit the ticket", "#form")]],
  ["Void the subscription", [link("Home", "/"), closed("Actions")]],
  ["Create a report", menu],
  ["Delete all articles", [link("Home", "/"), button("Last edited articles")]],
  ["Supprime tous les articles", [link("Accueil", "/"), button("Articles modifiés récemment")]],
  ["Rotate the picture", [...menuBar, button("Picture 1")]],
  ["Complain about order 9", [link("Orders", "/orders"), button("Edit"), ...complaints]],
  ["Undo my last change", [button("Edit ticket")]],
] as const)(
  "no closed part of the page is opened for %p if no part, or more than one part, fits",
  (task, page) => {
    expect(unfolded(task, [...page])).toBeUndefined();
  },
);

test("a button whose name ends with editing (image editing) is not opened for a task that changes something else", () => {
  const settings = [button("Title & description"), button("Pintura Advanced image editing")];
  expect(unfolded("Change the site language to Norwegian", settings)).toBeUndefined();
});

test("after a plan that only opens the form of a thing, all words of the task remain to be planned", () => {
  const page = [button("Modify Ticket"), link("Home", "/")];
  const step = planned("Modify the ticket", page).plan;
  expect(openWordsOf({ task: "Resolve the ticket as fixed", plan: step, elements: page })).toEqual([
    "Resolve",
    "ticket",
    "fixed",
  ]);
  for (const task of ["Modify the ticket", "I want to modify it"])
    expect(openWordsOf({ task, plan: step, elements: page })).toEqual([]);
});

test.each([
  ["Make Ada an editor", ["Make", "Ada", "editor"]],
  ["Change Ada to editor", ["Change", "Ada", "editor"]],
  ["Edit Ada", []],
  ["Open Ada", []],
])(
  "after a plan that only opens the thing, the words of %p that remain to be planned are %p",
  (task, open) => {
    const page = [link("Users", "/users"), link("Ada Byron", "/users/1")];
    const { plan } = planned("Open Ada", page);
    expect(openWordsOf({ task, plan, elements: page })).toEqual(open);
  },
);

test.each([
  [
    "Assign the task Find a fish stall to Carla Mota",
    ["Assign", "task", "Find", "fish", "stall", "Carla", "Mota"],
  ],
  ["Move Find a fish stall to Done", ["Move", "Find", "fish", "stall", "Done"]],
  ["Return to Find a fish stall", []],
  ["Open Find a fish stall", []],
])(
  "after a plan that only opens a thing by its link, the words of %p that remain to be planned are %p",
  (task, open) => {
    const page = [link("Board", "/board"), link("Find a fish stall", "/tasks/7")];
    const { plan } = planned('Open "Find a fish stall"', page);
    expect(plan.steps.map(({ target }) => target?.name)).toEqual(["Find a fish stall"]);
    expect(openWordsOf({ task, plan, elements: page })).toEqual(open);
  },
);

const radio = (labelText: string, at: number) =>
  element({
    ...{ tagName: "input", type: "radio", interactionType: "input", labelText, checked: at === 1 },
    ...{ attributes: { name: "action" }, xpath: `/html/body/form/input[${at}]` },
  });
const form = [
  { ...list("Priority", ["major", "minor"]), xpath: "/html/body/form/select[1]" },
  radio("leave", 1),
  radio("resolve", 2),
  { ...list("as", ["fixed", "invalid"]), xpath: "/html/body/form/select[2]" },
  button("Preview", { xpath: "/html/body/form/button[1]", interactionType: "submit" }),
  button("Submit changes", { xpath: "/html/body/form/button[2]", interactionType: "submit" }),
];

test.each([
  ["Resolve this ticket", ['Click "resolve"', 'Click "Submit changes"']],
  [
    "Resolve the ticket as invalid",
    ['Click "resolve"', 'Select "invalid" in "as"', 'Click "Submit changes"'],
  ],
  ["Set the priority to minor and save", ['Select "minor" in "Priority"', 'Click "Submit changes"']],
  [
    "Set the priority of this ticket to minor and save",
    ['Select "minor" in "Priority"', 'Click "Submit changes"'],
  ],
  ["Select resolve", ['Click "resolve"']],
])(
  "the form in which a task chooses its action is sent, unless the task only says to select: %p",
  (task, expected) => {
    const { plan } = planned(task, form);
    const { steps } = withFormSent({ task, plan, elements: form });
    expect(steps.map(({ description }) => description)).toEqual(expected);
  },
);

const orders = [link("Orders", "/orders"), link("Order 1", "/orders/1"), link("Order 2", "/orders/2")];

test.each([
  ["Change the state of order 2 to paid", orders, "Order 2"],
  ["Archive order 1", orders, "Order 1"],
  ["Delete order 3", orders, undefined],
  ["Archive order 1", [...orders, button("Archive orders")], undefined],
  ["Archive the order", orders, undefined],
  ["Change the state of order 3 to paid", [...orders, link("3", "?page=3")], undefined],
  ["Archive all orders but order 1", orders, undefined],
])(
  "a plan opens the thing of the task if no control of the page does what the task says: %p",
  (task, page, name) => {
    const plan = planToOpenThing(task, planned(task, page), page);
    expect(plan?.steps.map(({ description }) => description)).toEqual(
      name === undefined ? name : [`Click "${name}"`],
    );
  },
);

test.each([
  ['Change the last name of the user nell to "Strandberg"', 'Click "nell"'],
  ["Rename the group divers to Deep divers", 'Click "divers"'],
  ["Change the last name of nell to Strandberg", undefined],
  ["Change the name of the order nell to Strandberg", undefined],
])(
  "a plan opens the link of a thing with a lower-case name if the folder of its address has the name of the kind: %p",
  (task, step) => {
    const page = [
      link("Users", "#/users"),
      link("nell", "#/users/nell"),
      link("odo", "#/users/odo"),
      link("divers", "/groups/divers?tab=users"),
    ];
    const plan = planToOpenThing(task, planned(task, page), page);
    expect(plan?.steps.map(({ description }) => description)).toEqual(
      step === undefined ? undefined : [step],
    );
  },
);

/** A list of Flask-AppBuilder: each row begins with its links, and the name of its thing is plain text. */
const connections = ["harbour_db", "tide_api"].map((name, at) =>
  element({
    tagName: "a",
    textContent: "Edit",
    interactionType: "navigate",
    around: `Delete ${name} http Source`,
    attributes: { href: `/connection/edit/${at}` },
  }),
);
const removing = ["harbour_db", "tide_api"].map((name) =>
  element({ tagName: "a", textContent: "Delete", around: `Edit ${name} http`, attributes: { href: "#" } }),
);
const inRow = (task: string, page: typeof ticket) => planToEditInRow(task, planned(task, page), page);

test("the control Edit in the row of a thing is pressed if the name of the thing is only a text of the row", () => {
  const page = [...connections, ...removing];
  const plan = inRow('Change the host of the connection tide_api to "a.example.com"', page);
  expect(plan?.steps.map(({ target }) => target?.attributes?.href)).toEqual(["/connection/edit/1"]);
});

test.each([
  ['Change the host of the connection tide to "a.example.com"', [...connections, ...removing]],
  ['Change the host of the connection http to "a.example.com"', [...connections, ...removing]],
  [
    'Change the host of the connection tide_api to "a.example.com"',
    [...connections, ...connections, ...removing],
  ],
  ["Delete the connection tide_api", [...connections, ...removing]],
  ["Show the connection tide_api", [...connections, ...removing]],
])(
  "no control Edit of a row is pressed if the row is for another thing, or the task does not edit: %p",
  (task, page) => {
    expect(inRow(task, page)).toBeUndefined();
  },
);

const row = (textContent: string, more = {}) => element({ tagName: "tr", textContent, ...more });
const suppliers = [row("Wells hi@brook.example Brook Tools 3"), row("Bath -- Green Fork 2")];
const byRow = (task: string, page: typeof ticket) => planToClickRow(task, planned(task, page), page);

test("a row without a link is clicked to open the thing of which a task changes something", () => {
  const [step, ...others] = byRow("Change the city of Brook Tools to Frome", suppliers)?.steps ?? [];
  expect(step).toMatchObject({ action: "click", targetId: suppliers[0]?.highlight_index, risk: "low" });
  expect(others).toEqual([]);
});

const card = (textContent: string, name = "box-card card") =>
  element({ tagName: "div", role: "generic", textContent, attributes: { class: name } });

test.each([
  "Change the name of the data table Boats to Ships",
  "Add a column named captain to the data table Boats",
])("a card without a link is clicked to open the thing with whose name it begins: %s", (task) => {
  const cards = [card("Boats Last updated today"), card("Crew Boats and berths")];
  expect(byRow(task, cards)?.steps).toMatchObject([
    { action: "click", targetId: cards[0]?.highlight_index, risk: "low" },
  ]);
  expect(byRow(task, [...cards, card("Boats of 2025")])).toBeUndefined();
  expect(byRow(task, [card("Boats", "discard")])).toBeUndefined();
});

test.each([
  ["Change the city of Brook Tools to Frome", [...suppliers, row("Brook Tools 5")]],
  ["Change the city of Brook to Frome", suppliers.map((one) => ({ ...one, textContent: "Brooks" }))],
  ["Delete Brook Tools", suppliers],
  ["Show Brook Tools", suppliers],
  ["Change the city of Brook Tools to Frome", suppliers.map((one) => ({ ...one, tagName: "div" }))],
])("no row is clicked if it may be another thing's, or the task does not edit: %p", (task, page) => {
  expect(byRow(task, page)).toBeUndefined();
});
