/** Tests statements and idioms whose words a planner may mistake for another action. */
import { describe, expect, test } from "bun:test";
import { withPlaces } from "../../../../machines/session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const stepsOf = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ action, target, value }) =>
    [action, target?.name, value].filter(Boolean).join(" "),
  );

describe("the answer Yes to a question that the page asks", () => {
  test("has the risk of the question, and the description of the step names the question", () => {
    const { plan } = planned("My order should be cancelled", [
      button("Cancel order?"),
      button("Yes"),
      button("No"),
    ]);
    expect(plan.steps).toMatchObject([{ risk: "high", description: 'Click "Yes" for "Cancel order?"' }]);
  });
});

describe("a task whose first word is also the name of a button", () => {
  test.each([
    ["Restart time is 04:00", "Restart time", "Restart server"],
    ["Order number is 30", "Order number", "Order"],
    ["Archive date: 2026-02-03", "Archive date", "Archive project"],
    ["Close date: 2026-02-03", "Close date", "Close ticket"],
    ["Ban reason: spam", "Ban reason", "Ban user"],
    ["Block reason: spam", "Block reason", "Block user"],
    ["Publish date is 2026-02-03", "Publish date", "Publish"],
    ["Share count 30", "Share count", "Share"],
  ])("only fills the field if the word belongs to the name of a field: %s", (task, name, other) => {
    const [, value = ""] = /(\S+)$/u.exec(task) ?? [];
    expect(stepsOf(task, [field(name), button(other)])).toEqual([`input ${name} ${value}`]);
  });

  test("fills the field and clicks the button if the word is the verb of an imperative", () => {
    expect(stepsOf("Invite ada@example.com", [field("Email"), button("Invite")])).toEqual([
      "input Email ada@example.com",
      "click Invite",
    ]);
    expect(stepsOf("Comment 'Nice'", [field("Comment"), button("Comment")])).toEqual([
      "input Comment Nice",
      "click Comment",
    ]);
  });
});

describe("a task that states a name", () => {
  test.each([
    ["Product name: Blue Chair", "Product name", "Blue Chair"],
    ["Change file name to Annual Report", "File name", "Annual Report"],
    ["Set the company name to Acme Holding", "Company name", "Acme Holding"],
  ])("does not split the name of a thing into a first and a last name: %s", (task, name, value) => {
    const page = [field("First name"), field("Last name"), field(name)];
    expect(stepsOf(task, page)).toEqual([`input ${name} ${value}`]);
  });

  test("splits the name of a person into the first and the last name", () => {
    const page = [field("First name"), field("Last name"), field("Product name")];
    for (const task of ["Name: Sam Miller", "Set my name to Sam Miller", "Hi, my full name is Sam Miller"])
      expect(stepsOf(task, page)).toEqual(["input First name Sam", "input Last name Miller"]);
  });
});

describe("a task that hides something by a checkbox", () => {
  const checkbox = (labelText: string, checked: boolean) =>
    element({ tagName: "input", type: "checkbox", interactionType: "input", labelText, checked });

  test.each([
    ["We should hide the phone number", "Hide phone number", false],
    ["We should hide the phone number", "Show phone number", true],
    ["Hide the phone number", "Hide phone number", false],
    ["My phone number should not be hidden", "Hide phone number", true],
    ["My phone number should not be hidden", "Phone number", false],
  ])("clicks the checkbox only if it does not have the wanted state yet: %s, %s", (task, label, from) => {
    expect(stepsOf(task, [checkbox(label, from)])).toEqual([`click ${label}`]);
    expect(stepsOf(task, [checkbox(label, !from)])).toEqual([]);
  });
});

describe("a task with an idiom whose words usually mean another action", () => {
  test("enters a discount for 'take 10% off the price', and removes nothing", () => {
    const page = [field("Discount"), field("Price"), button("Remove")];
    expect(stepsOf("Take 10% off the price", page)).toEqual(["input Discount 10%"]);
  });

  test("removes nothing for 'take the day off', but removes an entry for 'take the hat off the list'", () => {
    expect(stepsOf("Take the day off", [button("Remove"), button("Day")])).toEqual([]);
    expect(stepsOf("Take two hours off", [button("Remove"), button("Hours")])).toEqual([]);
    const row = (around: string) => button("Remove", { around });
    expect(stepsOf("Take the hat off the list", [row("Hat"), row("Watch")])).toEqual(["click Remove"]);
  });

  test("clicks Leave or Close for 'get me out', and does not click Cancel order", () => {
    expect(stepsOf("Get me out", [button("Cancel order"), button("Leave")])).toEqual(["click Leave"]);
    expect(stepsOf("Get me out of here", [button("Close"), button("Save")])).toEqual(["click Close"]);
    expect(planned("Get me out", [button("Cancel order"), button("Help")])).toMatchObject({
      plan: { steps: [] },
      questions: [{}],
    });
  });

  test("needs an approval if it discards values that were typed into a form", () => {
    const riskOf = (task: string, name: string, value: string) =>
      planned(task, [field("City", { value }), button(name)]).plan.steps.map(({ risk }) => risk);
    expect(riskOf("Start the wizard over", "Reset wizard", "")).toEqual(["high"]);
    expect(riskOf("Reset the wizard", "Reset wizard", "Vienna")).toEqual(["high"]);
    expect(riskOf("Reset the wizard", "Reset wizard", "")).toEqual(["low"]);
  });
});

describe("a task on a page with headings", () => {
  const page = withPlaces(
    ["Home", "Guests"].flatMap((name) => [
      element({ tagName: "select", interactionType: "select", options: ["Auto", "6", "11"] }),
      element({ tagName: "input", type: "text", interactionType: "input", value: name }),
      button("Save"),
    ]),
    ["Home network", "Guest network"].flatMap((text, at) => [
      { at: 3 * at, text, level: 2 },
      { at: 3 * at, text: "Channel", level: 0 },
      { at: 3 * at + 1, text: "Network name", level: 0 },
    ]),
  );

  test("types into the field without a name under the named heading, and clicks the nearest Save button", () => {
    const { steps } = planned("Set the network name of the guest network to Visitors and save", page).plan;
    expect(steps.map(({ targetId, value }) => [targetId, value])).toEqual([
      [page[4]?.highlight_index ?? null, "Visitors"],
      [page[5]?.highlight_index ?? null, null],
    ]);
  });
});

describe("a task that searches", () => {
  test("types only the text to search for, without the words around it", () => {
    const page = [
      element({ tagName: "input", type: "search", interactionType: "input", placeholder: "Search tickets" }),
    ];
    const [step] = planned("Look up tickets about toner", page).plan.steps;
    expect(step?.value).toBe("toner");
  });
});

describe("a task with a value for a field of a certain type", () => {
  test.each([
    ["Due on 30 November 2026", field("Due date", { type: "date" }), "2026-11-30"],
    ["Due on 30.11.2026", field("Due date", { type: "date" }), "2026-11-30"],
    ["Due on 11/30/2026", field("Due date", { type: "date" }), "2026-11-30"],
    ["Due on 30/11/2026", field("Due date", { type: "date" }), "2026-11-30"],
    ["Due on 31.02.2027", field("Due date", { type: "date" }), "31.02.2027"],
    ["Amount 1,50 €", field("Amount", { type: "number" }), "1.50"],
    ["Amount $1,200.50", field("Amount", { type: "number" }), "1200.50"],
    ["Amount 1.234,50 €", field("Amount", { type: "number" }), "1234.50"],
    ["Amount $1,200", field("Amount", { type: "number" }), "1200"],
    ["Set the start to 5:45", field("Start", { type: "time" }), "05:45"],
    ["My email adress is ada@example.com", field("Email address"), "ada@example.com"],
  ])("types the value in the format of the field: %s", (task, one, value) => {
    expect(planned(task, [one]).plan.steps.map((step) => step.value)).toEqual([value]);
  });
});

describe("a task that says what should not be done", () => {
  test.each(["Don't cancel my order", "If it rains, cancel my order"])("leads to a question: %s", (task) => {
    const { plan, questions } = planned(task, [button("Cancel order"), button("Keep order")]);
    expect([plan.steps.length, questions.length]).toEqual([0, 1]);
  });

  const page = [button("Block card"), button("Show PIN"), button("Stop"), button("Create server")];

  test.each([
    "Don't block the card",
    "Please, do not stop yet",
    "Die Karte nicht sperren",
    "Sperre die Karte nicht",
    "Ne bloque pas la carte",
  ])("leads to a question if it names nothing else to do: %s", (task) => {
    const { plan, questions } = planned(task, page);
    expect([plan.steps.length, questions.length]).toEqual([0, 1]);
  });

  test.each([
    ["Don't block the card, show the PIN", "click Show PIN"],
    ["Show the PIN, but don't block the card", "click Show PIN"],
    ["Show the PIN and do not block the card", "click Show PIN"],
    ["Never stop it, create a server instead", "click Create server"],
    ["Show the PIN instead of blocking the card", "click Show PIN"],
    ["Don't forget to create the server", "click Create server"],
  ])("is planned without the forbidden action: %s", (task, step) => {
    expect(stepsOf(task, page)).toEqual([step]);
  });

  test("types a quoted text that contains 'don't', and unticks a checkbox for 'don't send me the newsletter'", () => {
    const box = element({ tagName: "input", type: "checkbox", labelText: "Newsletter", checked: true });
    const elements = [field("Reply"), button("Delete ticket"), box];
    expect(stepsOf('Reply "Please don\'t delete the ticket"', elements)[0]).toBe(
      "input Reply Please don't delete the ticket",
    );
    expect(stepsOf("Don't send me the newsletter", elements)).toHaveLength(1);
  });

  test("does not choose the option of a list that the task forbids", () => {
    const list = (labelText: string, options: string[]) =>
      element({ tagName: "select", type: "select-one", interactionType: "select", labelText, options });
    const lists = [list("Priority", ["Low", "Urgent"]), list("Assignee", ["Me", "Amara Obi"])];
    const task = "Set priority to urgent but don't assign it to Amara Obi";
    expect(planned(task, lists).plan.steps.map(({ value }) => value)).toEqual(["Urgent"]);
  });

  test("leads to a question if a step of high risk would still do the forbidden action", () => {
    const { plan, questions } = planned("Invite ada@example.com, but don't send it yet", [
      field("Email"),
      button("Send invitation"),
    ]);
    expect([plan.steps.length, questions.map(({ id }) => id)]).toEqual([0, ["part-0"]]);
  });
});

describe("a task with a condition, a later time or a named thing", () => {
  const rows = [
    button("web-01"),
    button("Stop", { row: "web-01 Running" }),
    button("Console", { row: "web-01 Running" }),
    button("db-primary"),
    button("Start", { row: "db-primary Stopped" }),
    button("Console", { row: "db-primary Stopped" }),
    field("Refund in €"),
  ];

  test.each([
    "Stop web-01 if it is running",
    "Stop web-01 only when nobody uses it",
    "Stop web-01 at 22:00",
    "Stop web-01 tomorrow",
    "Start web-01",
    "Open the console of db-replica",
    "Open ticket 2099",
  ])(
    "leads to a question if it has a condition, names a later time or names something that the page does not have: %s",
    (task) => {
      const { plan, questions } = planned(task, rows);
      expect([plan.steps.length, questions.length > 0]).toEqual([0, true]);
    },
  );

  test.each(["Stop the pump for tomorrow", "Restart the router for tonight", "Restart the router for later"])(
    "leads to a question about a later time after 'for': %s",
    (task) => {
      expect(stepsOf(task, [button("Stop pump"), button("Restart router")])).toEqual([]);
    },
  );

  test.each([
    ["Stop web-01", "click Stop"],
    ["Stop web-01 if possible", "click Stop"],
    ["Start db-primary", "click Start"],
    ["Open the console of db-primary", "click Console"],
  ])("is done if the condition always holds or the page shows the thing: %s", (task, step) => {
    expect(stepsOf(task, rows)).toEqual([step]);
  });
});

describe("a task whose verb is at its end, or that names a sort order,", () => {
  test("clicks the control that is named by the verb", () => {
    expect(stepsOf("Den Server löschen", [button("Start server"), button("Delete server")])).toEqual([
      "click Delete server",
    ]);
  });

  test("chooses the sort order in a list", () => {
    const sort = element({
      tagName: "select",
      interactionType: "select",
      options: ["Bestsellers", "Newest"],
    });
    expect(planned("newest first please", [sort]).plan.steps.map(({ value }) => value)).toEqual(["Newest"]);
  });
});

describe("a task on a page with a control for the opposite action", () => {
  test.each([
    ["Disable the firewall", "Enable firewall"],
    ["Start the server", "Stop server"],
    ["Upload the file", "Download file"],
    ["Follow Ada", "Unfollow Ada"],
    ["Zoom in", "Zoom out"],
    ["Sign me up for this job", "Sign out"],
    ["Log me out", "Log in"],
    ["Open the gate", "Close gate"],
    ["Deny access", "Allow access"],
    ["Make the project private", "Make public"],
    ["Turn off the newsletter", "Send newsletter"],
    ["Assign this ticket to Ines", "Assign to me"],
  ])("leads to no step if the page has only the control for the opposite: %s", (task, name) => {
    expect(stepsOf(task, [button(name), button("Help")])).toEqual([]);
  });

  test("presses a control that the task calls by its complete name, such as Close account", () => {
    expect(stepsOf("Open close account", [button("Close account")])).toEqual(["click Close account"]);
  });

  test("does not select the radio button Siren for 'Turn off the siren'", () => {
    const radio = (labelText: string) =>
      element({ tagName: "input", type: "radio", interactionType: "input", labelText });
    const radios = [radio("Siren"), radio("Message to my phone"), radio("Off")];
    expect(
      planned("Turn off the siren", radios).plan.steps.some((step) => step.target?.name === "Siren"),
    ).toBe(false);
  });

  test.each([
    ["Remove the lamp from my devices", [button("Add device"), button("Lamp")]],
    ["Turn the light on", [button("All lights off"), button("Light")]],
  ])("does not click the control for the opposite: %s", (task, page) => {
    const [opposite] = page;
    const clicked = planned(task, page).plan.steps.map(({ targetId }) => targetId);
    expect(clicked).not.toContain(opposite?.highlight_index ?? null);
  });
});
describe("a step that reaches another person", () => {
  test.each([
    ["Add tove@lake.example to the group", [field("E-mail of a friend", { type: "email" }), button("Add")]],
    ["Type tove@lake.example into E-mail and click Add", [field("E-mail"), button("Add")]],
    ["Click Transmit", [button("Transmit")]],
  ])("has a high risk: %s", (task, page) => {
    expect(planned(task, page).plan.steps.at(-1)).toMatchObject({ action: "click", risk: "high" });
  });

  test("has a low risk if it only saves a text with an e-mail address", () => {
    const { steps } = planned("Add a comment 'ask tove@lake.example'", [
      field("Comment"),
      button("Save"),
    ]).plan;
    expect(steps.every(({ risk }) => risk === "low")).toBe(true);
  });
});

describe("a task that states a reason", () => {
  test.each([
    ["I've finished, place the order", "Place order"],
    ["Sign me out, someone else needs the computer", "Sign out"],
    ["Camille needs another role, change it", "Change role"],
    ["I'd like to see more about the trip, open the details", "Details"],
  ])("presses only what the imperative beside the reason names: %s", (task, name) => {
    const page = [button("Place order"), button("Sign out"), button("Change role"), button("Details")];
    expect(stepsOf(task, page)).toEqual([`click ${name}`]);
  });

  test("presses nothing if it has no imperative", () => {
    expect(stepsOf("I've finished, everyone is happy", [button("Place order"), button("Sign out")])).toEqual(
      [],
    );
  });
});

describe("a task with an idiom (Put it on hold)", () => {
  test.each([
    ["Put the plan on hold for now", "Pause"],
    ["Bitte sag die Reise ab", "Cancel"],
    ["Take the request back", "Withdraw"],
    ["Throw Ada out of the group", "Remove"],
    ["Vuelve a enviar la invitación", "Resend"],
    ["I want the table as a CSV file", "Download as CSV"],
    ["Add a photo as an attachment", "Attach a file"],
  ])("clicks the button that names the idiom's meaning (Pause): %s", (task, name) => {
    expect(stepsOf(task, [button(name), button("Help")])).toEqual([`click ${name}`]);
  });
});

describe("an idiom with a value (put PO-2207 in)", () => {
  test("types the value without the particle of the verb (in)", () => {
    const page = [field("Order number"), field("VAT ID"), button("Help")];
    expect(stepsOf("Put PO-2207 in as the order number and DE811907980 as the VAT ID", page)).toEqual([
      "input Order number PO-2207",
      "input VAT ID DE811907980",
    ]);
  });
});

test.each([
  ["Ve a la página de cursos", "Cursos"],
  ["Llévame a mi cuenta", "Mi cuenta"],
  ["Aller à la page suivante", "Page suivante"],
  ["Va dans Cadastre", "Cadastre"],
])("a task to go to a place opens its link: %s", (task, name) => {
  const link = element({
    tagName: "a",
    textContent: name,
    interactionType: "navigate",
    attributes: { href: "/x" },
  });
  expect(stepsOf(task, [link, button("Ayuda"), button("Aide")])).toEqual([`click ${name}`]);
});
