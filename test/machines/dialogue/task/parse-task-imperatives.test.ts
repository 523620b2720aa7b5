/** Tests how the parts of a task are read: verbs, elements, values, and phrases of several languages. */
import { describe, expect, test } from "bun:test";
import { planOffline, readOrders } from "../../../../machines/dialogue/planner/plan-by-imperatives.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const read = (task: string) =>
  readOrders(task, {}, []).map(({ order }) =>
    [order?.kind, order?.target, order?.value].filter(Boolean).join(" | "),
  );
const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planOffline({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" });
const shown = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ description }) => description);

describe("the plan of a task", () => {
  test.each([
    [
      "Enter Ada as the first name and Byron as my last name",
      ["set | first name | Ada", "set | last name | Byron"],
    ],
    ["Replace the surname with Murphy", ["set | the surname | Murphy"]],
    ["Sort the invoices by price", ["sort | price"]],
    ["Go to the second page of the customers", ["click | 2"]],
    ["Search the customers for Ada", ["search | customers | Ada"]],
    ['Look for "invoice" in the inbox', ["search | inbox | invoice"]],
    ["Enter `a in b` into note", ["set | note | a in b"]],
    ["proceed to the checkout", ["click | checkout"]],
    ["find Ada and open her profile", ["search | search | Ada", "click | profile of Ada"]],
    ["Who is Ada? Open her profile", ["click | profile of Ada"]],
    [
      "Mail ada@x.at the text 'Hello'",
      ["set | to | ada@x.at", "set | message | Hello", "click | send message"],
    ],
    ["Mark Design as done", ["check | Design"]],
    ["In Project 2 mark Design as done", ["check | Design in Project 2"]],
    ["Coche Alpha et supprime Beta", ["check | Alpha", "click | supprime Beta"]],
    ["In the inbox, check the first mail", ["check | the mail in the inbox"]],
    ["Anything new? Open the notifications", ["click | notifications"]],
    ["Close the chart, only the title should stay", ["click | the chart"]],
    ["Our company is Baltic, VAT number EE1", ["set | company | Baltic", "set | VAT number | EE1"]],
    ["In the small list pick Two", ["select | small list | Two"]],
    ["Show one week at a time and go back one day", ["click | week", "click | previous"]],
    ["What do I agree to? Open the terms", ["click | terms"]],
    ["Share the post of 1. Oktober", ["click | Share the post of 1. Oktober"]],
    ["Edit 'belongs to you'", ["click | Edit belongs to you"]],
    ["Find the mails that mention refund", ["search | mails | refund"]],
    ["Öffne Alpha und nimm Beta raus", ["click | Alpha", "click | entferne Beta"]],
  ])("contains the steps that the task's verbs and fields name: %s", (task, orders) => {
    expect(read(task)).toEqual(orders);
  });

  test("sorts a table by a column's header, and uses the search of the table and not that of the site", () => {
    const table = [
      field("Search", { type: "search", box: { x: 0, y: 5, width: 10, height: 10 } }),
      field("Search:", { type: "search", box: { x: 0, y: 400, width: 10, height: 10 } }),
      button("Price list"),
      element({ tagName: "th", type: "", textContent: "Price" }),
    ];
    expect(planned("Sort the invoices by price", table).plan.steps).toMatchObject([
      { targetId: table[3]?.highlight_index },
    ]);
    expect(planned("Search the invoices for Adobe", table).plan.steps[0]).toMatchObject({
      targetId: table[1]?.highlight_index,
      value: "Adobe",
    });
  });

  test("saves the form that it has filled in, even if another form has a button of the same name", () => {
    const form = (at: number) => [
      field(at === 1 ? "Phone" : "Town", { xpath: `/html/body/form[${at}]/input` }),
      button("Save", { interactionType: "submit", xpath: `/html/body/form[${at}]/button` }),
    ];
    const page = [...form(1), ...form(2)];
    const { plan, questions } = planned("Set the town to Oslo and save it", page);
    expect(questions).toEqual([]);
    expect(plan.steps).toMatchObject([{ value: "Oslo" }, { targetId: page[3]?.highlight_index }]);
    expect(planned("Save", page).questions).toHaveLength(1);
  });

  test("chooses a date in separate lists for day, month and year", () => {
    const list = (around: string | undefined, options: readonly string[]) =>
      element({ tagName: "select", interactionType: "select", around, options: [...options] });
    const days = Array.from({ length: 31 }, (_, at) => `${at + 1}`);
    const months = "Month Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
    const page = [
      list("Date of Birth", ["Day", ...days]),
      list(undefined, months),
      list(undefined, ["Year", "1992", "1991", "1990"]),
      list("Starting From", months),
      list(undefined, ["Year", "2017", "2016", "2015"]),
    ];
    const chosen = (task: string) =>
      planned(task, page).plan.steps.map(({ targetId, value }) => [
        page.findIndex((one) => one.highlight_index === targetId),
        value,
      ]);
    expect(chosen("Set my date of birth to 14 May 1992")).toEqual([
      [0, "14"],
      [1, "May"],
      [2, "1992"],
    ]);
    expect(chosen("I started in September 2016")).toEqual([
      [3, "Sep"],
      [4, "2016"],
    ]);
    // The page has two lists of months, so the word "month" does not show which list is meant.
    const { plan, questions } = planned("Set the month to Mar", page);
    expect(plan.steps).toEqual([]);
    expect(questions).toHaveLength(1);
  });

  test("clicks the named control inside a card, and not the card itself, whose text also has all the words", () => {
    const tick = (labelText: string, at: number, around?: string) =>
      element({ tagName: "input", type: "checkbox", labelText, around, xpath: `/body/div[${at}]/input` });
    const card = (name: string, at: number) => [
      element({ tagName: "div", type: "", textContent: `${name} Style Filter`, xpath: `/body/div[${at}]` }),
      tick("Style", at, name),
    ];
    const page = [...card("Project 2", 2), ...card("Project 3", 3)];
    expect(planned("Tick Style of Project 3", page).plan.steps).toMatchObject([
      { targetId: page[3]?.highlight_index },
    ]);
    const unknown = page.map((one) => ({ ...one, around: undefined }));
    expect(planned("Tick Style of Project 3", unknown).plan.steps).toMatchObject([
      { targetId: page[3]?.highlight_index },
    ]);
  });

  test("does not click a link that only matches a synonym of the task's verb", () => {
    expect(
      planned("Start with the plan that costs nothing", [button("Home", { tagName: "a" })]).plan.steps,
    ).toEqual([]);
  });

  test("ticks several rows that the task names, and finds controls without a name by their row and their function", () => {
    const unnamed = (more: Parameters<typeof element>[0]) => element({ textContent: undefined, ...more });
    const row = (name: string) => [
      unnamed({ tagName: "input", type: "checkbox", around: name }),
      unnamed({ tagName: "input", type: "number", interactionType: "input", row: name }),
      unnamed({ row: name, attributes: { "aria-haspopup": "true" } }),
      unnamed({ row: name, attributes: { class: "btn-close" } }),
    ];
    const page = [...row("John Doe"), ...row("Andy King")];
    const at = (task: string) =>
      planned(task, page).plan.steps.map(({ targetId }) =>
        page.findIndex((one) => one.highlight_index === targetId),
      );
    expect(at("Tick John Doe and Andy King")).toEqual([0, 4]);
    expect(at("Set the quantity of Andy King to 3")).toEqual([5]);
    expect(at("Open the menu of John Doe")).toEqual([2]);
    expect(at("Close the card of Andy King")).toEqual([7]);
    const mail = [
      field("To"),
      unnamed({ tagName: "textarea", interactionType: "input" }),
      button("Send message"),
    ];
    expect(planned("Mail ada@x.at the text 'Hello'", mail).plan.steps).toMatchObject([
      { targetId: mail[0]?.highlight_index, value: "ada@x.at" },
      { targetId: mail[1]?.highlight_index, value: "Hello" },
      { targetId: mail[2]?.highlight_index, risk: "high" },
    ]);
  });

  test("has a low risk for unticking a checkbox for mails, and a high risk for ticking a checkbox that deletes data", () => {
    const tick = element({ tagName: "input", type: "checkbox", labelText: "Monthly updates", checked: true });
    expect(planned("Stop sending me monthly updates", [tick]).plan.steps).toMatchObject([{ risk: "low" }]);
    const danger = element({ tagName: "input", type: "checkbox", labelText: "Delete all data" });
    expect(planned("Tick delete all data", [danger]).plan.steps).toMatchObject([{ risk: "high" }]);
  });

  test("deletes the entry named in the preceding part of the task, without a search if the page shows that entry", () => {
    const page = [field("Search"), button("Delete", { around: "Ada" }), button("Delete", { around: "Bob" })];
    expect(planned("find Bob and delete him", page).plan.steps).toMatchObject([
      { targetId: page[2]?.highlight_index, risk: "high" },
    ]);
  });

  test("selects nothing if several lists contain the named option", () => {
    const list = (labelText: string) =>
      element({ tagName: "select", interactionType: "select", labelText, options: ["Sep", "Oct"] });
    expect(planned("I started in Sep", [list("From"), list("To")]).plan.steps).toEqual([]);
  });
});

describe("a task that deletes, pays, sends, invites or signs out", () => {
  const row = (name: string) => [
    element({ tagName: "a", type: "", textContent: "Edit", around: name }),
    element({ tagName: "a", type: "", textContent: "", icon: "trash", around: name }),
  ];
  const page = [
    ...row("Anna Wells"),
    ...row("Bert King"),
    button("Place order"),
    button("Submit"),
    button("Connect", { around: "Carl Young" }),
    button("Logout"),
    button("Choose plan", { around: "Premium $49" }),
    button("Choose plan", { around: "Enterprise $99" }),
  ];
  test.each([
    ["Get rid of Anna Wells", 'Click "trash"'],
    ["Throw away the entry of Anna Wells", 'Click "trash"'],
    ["Bin the entry of Bert King", 'Click "trash"'],
    ["Wirf Bert King aus der Liste", 'Click "trash"'],
    ["Débarrasse-moi de Bert King", 'Click "trash"'],
    ["Borra a Anna Wells", 'Click "trash"'],
    ["Complete the purchase", 'Click "Place order"'],
    ["Passe la commande", 'Click "Place order"'],
    ["Confirma la compra", 'Click "Place order"'],
    ["Das Formular abschicken", 'Click "Submit"'],
    ["Envía el formulario", 'Click "Submit"'],
    ["Ask Carl Young to join my network", 'Click "Connect"'],
    ["Send Carl Young a connection request", 'Click "Connect"'],
    ["Sign me out", 'Click "Logout"'],
    ["Melde mich ab", 'Click "Logout"'],
    ["Cierra mi sesión", 'Click "Logout"'],
    ["Buy the Enterprise plan", 'Click "Choose plan"'],
    ["Subscribe me to Premium", 'Click "Choose plan"'],
  ])("is planned with high risk: %s", (task, step) => {
    expect(shown(task, page)).toEqual([step]);
    expect(planned(task, page).plan.steps).toMatchObject([{ risk: "high", reversible: false }]);
  });
});
