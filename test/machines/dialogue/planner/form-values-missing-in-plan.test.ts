/** Tests that a plan fills all entries of a form for which its task has values, and presses the button of the form. */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const radio = (labelText: string, name: string) =>
  element({
    tagName: "input",
    type: "radio",
    labelText,
    checked: false,
    attributes: { type: "radio", name },
  });
const number = (labelText: string) => field(labelText, { type: "number" });
const text = (labelText: string) => field(labelText, { tagName: "textarea", type: "textarea" });

describe("a task that presses the button of a form", () => {
  test.each([
    [
      "Start the metronome at 100 bpm",
      [list("Tempo", ["60 bpm", "80 bpm", "100 bpm"]), button("Start metronome")],
      ["select_dropdown 0 100 bpm", "click 1"],
    ],
    [
      "Can you get a quote for 2000 words?",
      [number("Number of words"), button("Get a quote")],
      ["input 0 2000", "click 1"],
    ],
    ["Sell 8 kWh to the grid", [field("Amount in kWh"), button("Sell now")], ["input 0 8", "click 1"]],
    [
      "Book the live lesson at the school and pay",
      [radio("Online", "place"), radio("At the school", "place"), button("Book and pay")],
      ["click 1", "click 2"],
    ],
    [
      'Send "See you at 6:40" to the group',
      [text("Write to the group"), button("Send")],
      ["input 0 See you at 6:40", "click 1"],
    ],
  ] as const)("also fills the field for which the task states a value: %s", (task, page, steps) => {
    expect(stepsOf(task, page)).toEqual([...steps]);
  });

  test.each([
    ["two fields take it", [number("Short words"), number("Long words"), button("Get a quote")]],
    ["no field takes it", [list("Language", ["English", "Swedish"]), button("Get a quote")]],
  ] as const)("asks about a value if %s", (_, page) => {
    expect(planned("Get a quote for 2000 words", page).questions).toHaveLength(1);
  });

  test("does not fill a field if the words belong to the row of the button", () => {
    const rooms = list("Room", ["Kitchen", "Hall"]);
    const remove = button("Remove", { around: "Lamp Kitchen" });
    expect(stepsOf("Remove the lamp in the kitchen", [rooms, remove])).toEqual(["click 1"]);
  });
});

describe("a task that fills a form and presses its button at the end", () => {
  test.each([
    [
      'Write "New soup online" to the subscribers and mail it',
      [text("Message to subscribers"), button("Mail to 812 subscribers")],
      ["input 0 New soup online", "click 1"],
    ],
    [
      "Group visit: name of the group Sea Scouts Bergen, 18 visitors, and check the free times",
      [field("Name of the group"), number("Number of visitors"), button("Check free times")],
      ["input 0 Sea Scouts Bergen", "input 1 18", "click 2"],
    ],
  ] as const)("fills all fields before it presses the button: %s", (task, page, steps) => {
    expect(stepsOf(task, page)).toEqual([...steps]);
  });
});

describe("a small form whose field and button are in separate boxes", () => {
  const inForm = (path: string) => ({ xpath: `/html/body/form[1]/fieldset/div/${path}` });
  const page = [
    field("", { placeholder: "Watch group / tag", ...inForm("div[1]/span/input") }),
    button("Save", { interactionType: "submit", ...inForm("div[2]/span/button") }),
  ];

  test("is saved if a task creates a named thing", () => {
    expect(stepsOf("Add a tag named shops", page)).toEqual(["input 0 shops", "click 1"]);
  });

  test("is not saved if it has two buttons that save", () => {
    const other = button("Submit", { interactionType: "submit", ...inForm("div[3]/span/button") });
    expect(stepsOf("Add a tag named shops", [...page, other])).toEqual(["input 0 shops"]);
  });
});

describe("a table with fields", () => {
  const inRow = (name: string, around: string, at: number) =>
    field(name, { around, xpath: `/html/body/table/tbody/tr[${at}]/td[2]/input` });

  test("is filled in like a form, by the names of its fields and by the texts of their rows", () => {
    const page = [
      inRow("locker", "Locker to reserve", 1),
      inRow("until", "Last day", 2),
      button("Execute", { xpath: "/html/body/button" }),
    ];
    expect(stepsOf("Fill in the reservation: locker 40, last day 2026-12-24", page)).toEqual([
      "input 0 40",
      "input 1 2026-12-24",
    ]);
  });

  test("does not count as a form if its rows have equal fields", () => {
    const page = [inRow("Amount", "Rent", 1), inRow("Amount", "Food", 2), button("Send report")];
    expect(
      stepsOf("Send the report for 2000 francs", page).filter((step) => step.startsWith("input")),
    ).toEqual([]);
  });
});
