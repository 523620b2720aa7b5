/** Tests plans that tick the named rows of a list before a button above the list is pressed. */
import { expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element } from "../support/test-page-elements.ts";

/**
 * Returns a row as in Bugsink (`issue_ids[]`), phpMyAdmin (`selected_tbl[]`) and pretix (`voucher`): a checkbox and a
 * link.
 */
const row = (text: string, more: string, checked = false) => [
  element({
    tagName: "input",
    type: "checkbox",
    interactionType: "input",
    attributes: { name: "issue_ids[]", type: "checkbox" },
    around: `${text} ${more}`,
    checked,
  }),
  element({
    tagName: "a",
    textContent: text,
    interactionType: "navigate",
    attributes: { href: `/issues/${text.length}/` },
    row: `${text} ${more}`,
  }),
];
const list = (checked = false) => [
  button("Resolve"),
  button("Mute"),
  button("Save"),
  ...row("SeatTaken: seat 14 sold twice", "from 27 Nov", checked),
  ...row("PaymentTimeout: card terminal did not answer", "from 28 Nov"),
];
const shown = (task: string, page = list()) =>
  planned(task, page).plan.steps.map(({ description }) => description);

test.each([
  [
    "Resolve the issue PaymentTimeout",
    ["PaymentTimeout: card terminal did not answer from 28 Nov"],
    "Resolve",
  ],
  ['Resolve "PaymentTimeout"', ["PaymentTimeout: card terminal did not answer from 28 Nov"], "Resolve"],
  ["Mute the seat issue", ["SeatTaken: seat 14 sold twice from 27 Nov"], "Mute"],
])(
  "the task %p first ticks the row that it names, and then clicks the button for ticked rows",
  (task, rows, name) => {
    const { plan, questions } = planned(task, list());
    expect([plan.steps.map(({ description }) => description), questions]).toEqual([
      [...rows.map((text) => `Tick the row "${text}"`), `Click "${name}"`],
      [],
    ]);
    expect(plan.steps[0]).toMatchObject({ action: "click", risk: "low" });
  },
);

test.each([
  "Resolve the issues other than PaymentTimeout",
  "Resolve all old issues except PaymentTimeout",
  "Resolve all from 27 Nov but PaymentTimeout",
  "Mute the issues that are not from 27 Nov",
  "Resolve the issue below SeatTaken",
  "Mute PaymentTimeout's attachments",
  "Mute the attachments of PaymentTimeout",
])(
  "a task leads to a question if it contains the words of a row, but means other rows or a thing that belongs to the row: %p",
  (task) => {
    const { plan, questions } = planned(task, list());
    expect([plan.steps, questions.length]).toEqual([[], 1]);
  },
);

test("a task for a row leads to a question if another row is already ticked", () => {
  const { plan, questions } = planned("Resolve the issue PaymentTimeout", list(true));
  expect([plan.steps, questions.length]).toEqual([[], 1]);
});

test('the word "not" in the words that describe a row (did not answer) excludes no row', () => {
  const task = "Resolve the issue where the card terminal did not answer";
  expect(shown(task)).toEqual([
    'Tick the row "PaymentTimeout: card terminal did not answer from 28 Nov"',
    'Click "Resolve"',
  ]);
});

test("a task ticks no row if its row is ticked already, or if it clicks a button that saves a form", () => {
  expect(shown("Resolve the issue SeatTaken", list(true))).toEqual(['Click "Resolve"']);
  expect(shown("Save").join()).toBe('Click "Save"');
});

test("a task ticks the only row of a list if the head of the table has a checkbox that ticks all rows", () => {
  const head = element({
    tagName: "input",
    type: "checkbox",
    interactionType: "input",
    xpath: "/html/body/form/table/thead/tr/td[1]/input",
  });
  const [tick, link] = row("PaymentTimeout: no answer", "from 28 Nov").map((one) => ({
    ...one,
    xpath: `/html/body/form/table/tbody/tr/td/${one.tagName}`,
  }));
  const resolve = button("Resolve", { xpath: "/html/body/form/table/thead/tr/td[2]/button" });
  const page = [head, resolve, ...(tick && link ? [tick, link] : [])];
  expect(shown("Resolve the issue PaymentTimeout", page)).toEqual([
    'Tick the row "PaymentTimeout: no answer from 28 Nov"',
    'Click "Resolve"',
  ]);
});

test("a checkbox for a single setting does not count as the checkbox of a row, so no task ticks it as a row", () => {
  const [tick] = row("PaymentTimeout", "notify");
  const page = [button("Resolve"), ...(tick ? [tick] : [])];
  expect(shown("Resolve PaymentTimeout", page).some((step) => step.startsWith("Tick"))).toBe(false);
});

test.each([
  ["Resolve all issues except PaymentTimeout", ["SeatTaken", "MailLost"]],
  ["Resolve all but SeatTaken", ["PaymentTimeout", "MailLost"]],
  ["Resolve everything except the second", ["SeatTaken", "MailLost"]],
  ["Resolve all issues but the last one", ["SeatTaken", "PaymentTimeout"]],
  ["Resolve all apart from SeatTaken and MailLost", ["PaymentTimeout"]],
  ["Resolve all", ["SeatTaken", "PaymentTimeout", "MailLost"]],
  ["Resolve the first and the third", ["SeatTaken", "MailLost"]],
  ["Resolve the second issue", ["PaymentTimeout"]],
  ["Resolve everything but the one from MailLost", ["SeatTaken", "PaymentTimeout"]],
  ["Resolve all the issues", ["SeatTaken", "PaymentTimeout", "MailLost"]],
])("all rows that the task means are ticked before the button is pressed: %p", (task, names) => {
  const page = [...list(), ...row("MailLost: no answer", "from 29 Nov")];
  expect(shown(task, page)).toEqual([
    ...names.map((name) => expect.stringContaining(`Tick the row "${name}`)),
    'Click "Resolve"',
  ]);
});

test("a task such as 'Mark all as read' ticks all rows before it presses the button", () => {
  const page = [...list(), button("Mark as read")];
  const [first, second] = ["SeatTaken", "PaymentTimeout"].map((name) =>
    expect.stringContaining(`Tick the row "${name}`),
  );
  expect(shown("Mark all as read", page)).toEqual([first, second, 'Click "Mark as read"']);
  expect(shown("Mark everything except SeatTaken as read", page)).toEqual([second, 'Click "Mark as read"']);
});

test("a task for the row at a position (the fifth issue) leads to a question if the list has fewer rows", () => {
  expect(shown("Resolve the fifth issue")).toEqual([]);
});

test("rows are ticked without a button if the task only selects them", () => {
  expect(shown("Select all but SeatTaken")).toEqual([
    'Tick the row "PaymentTimeout: card terminal did not answer from 28 Nov"',
  ]);
});

test("a task that deletes rows ticks them with low risk, and needs an approval for the click on Delete", () => {
  const page = [...list(), button("Delete")];
  const { plan } = planned("Delete all but SeatTaken", page);
  expect(plan.steps.map(({ risk }) => risk)).toEqual(["low", "high"]);
  expect(plan.risks).toEqual(['Click "Delete" may not be undone.']);
});

test("a task for all rows but one leads to a question if the list has further pages, or more rows than a person can read", () => {
  for (const textContent of ["Next", "Next page", "›", "2"]) {
    const next = element({ tagName: "a", textContent, attributes: { href: "?p=2" } });
    expect(shown("Resolve all but SeatTaken", [...list(), next])).toEqual([]);
  }
  const many = Array.from({ length: 30 }, (_, at) =>
    row(`Issue${"abcdefghijklmnopqrstuvwxyzäöüß"[at]}x`, `from ${at}`),
  );
  expect(shown("Resolve all but SeatTaken", [...list(), ...many.flat()])).toEqual([]);
});

const rowsWithButtons = ["Anna Berg", "Carl Voss", "Dora Fink"].flatMap((row, at) => [
  element({ tagName: "a", textContent: row, attributes: { href: `/users/${at}` }, row }),
  button("Delete", { row }),
]);

test.each(["Delete all but Carl", "Delete everyone except Carl Voss", "Select all but Carl"])(
  "a task for all rows but one leads to a question if each row has a button of its own, and no checkbox: %p",
  (task) => {
    expect(shown(task, rowsWithButtons)).toEqual([]);
  },
);

test("a task leads to a question if the only control with words of the task is the one that it excludes (everything except archived)", () => {
  const ticks = ["Open", "Archived"].map((labelText) =>
    element({ tagName: "input", type: "checkbox", interactionType: "input", labelText, checked: false }),
  );
  expect(shown("Show everything except archived", ticks)).toEqual([]);
});

/** A list of mails. Neither the mails nor the page contain the word "newsletter" or "draft". */
const mails = () => [
  ...["Archive", "Delete"].map((name) => button(name)),
  ...row("Weekly digest", "from Herald"),
  ...row("Invoice 4711", "from Carl Meyer"),
  ...row("Lunch", "from Ada"),
  ...row("Your order", "from Carl Voss"),
];

test.each([
  "Archive all newsletters",
  "Delete all drafts",
  "Archive every newsletter",
  "Archive everything old",
  "Archive all the spam",
  "Archive all without an attachment",
  "Archive all except the unread ones",
])(
  "a task for rows of a kind leads to a question if neither the rows nor the page contain the word for this kind: %p",
  (task) => {
    expect(shown(task, mails())).toEqual([]);
  },
);

test.each([
  "Archive the first two",
  "Archive all but the first two",
  "Archive everything except the last three",
  "Archive the second issue from Carl",
  "Delete all but the second issue from Carl",
  "Archive the second last issue",
])(
  "a task with a position leads to a question if the position is not that of one row in the whole list: %p",
  (task) => {
    expect(shown(task, mails())).toEqual([]);
  },
);

test("the word 'first' in the name of a row (First login) is not read as the position of a row", () => {
  const page = [...mails(), ...row("First login", "from Hugo")];
  expect(shown("Archive the issue First login", page)).toEqual([
    'Tick the row "First login from Hugo"',
    'Click "Archive"',
  ]);
});

test('a row that the task excludes with "but not" is not ticked', () => {
  expect(shown("Archive all issues but not Ada", mails())).toEqual([
    'Tick the row "Weekly digest from Herald"',
    'Tick the row "Invoice 4711 from Carl Meyer"',
    'Tick the row "Your order from Carl Voss"',
    'Click "Archive"',
  ]);
});
