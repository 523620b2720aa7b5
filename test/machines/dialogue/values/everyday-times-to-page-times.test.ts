/** Tests tasks with times in everyday words, such as "9 pm" and "half past seven", on pages that show times. */
import { describe, expect, test } from "bun:test";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, field } from "../support/test-page-elements.ts";

function planned(
  task: string,
  times: readonly string[],
  answerOf?: string,
  fields: readonly HighlightedElement[] = [],
) {
  const elements = [...times.map((time) => button(time)), ...fields];
  const chosen = elements[times.indexOf(answerOf ?? "")];
  const { plan, questions } = planRefined({
    task,
    elements,
    answers: chosen ? { "target-0": String(chosen.highlight_index) } : {},
    id: "p",
    version: 1,
    pageUrl: "http://site.test/",
  });
  return { clicked: plan.steps.map(({ target }) => target?.name), questions };
}

describe("a task with a time in everyday words, such as 'at 8'", () => {
  test.each([
    ["Meet at 9 pm", ["09:00", "21:00"], "21:00"],
    ["Book me at 8 pm", ["08:00", "20:00"], "20:00"],
    ["Book me at 8 a.m.", ["08:00", "20:00"], "08:00"],
    ["Meet at 7:30 pm", ["07:30", "19:30"], "19:30"],
    ["At half past seven in the evening", ["07:30", "19:30"], "19:30"],
    ["This evening at 8", ["08:00", "20:00"], "20:00"],
    ["Meet at 9 in the morning", ["09:00", "21:00"], "09:00"],
    ["Um halb acht abends", ["07:30", "19:30"], "19:30"],
    ["Um 8 Uhr morgens", ["08:00", "20:00"], "08:00"],
    ["À 8 heures du soir", ["08:00", "20:00"], "20:00"],
    ["A las 8 de la noche", ["08:00", "20:00"], "20:00"],
    ["Half past twelve pm", ["12:30", "00:30"], "12:30"],
    ["Meet at 9 pm", ["9:00 AM", "9:00 PM"], "9:00 PM"],
    ["At half past seven", ["19:30", "21:00"], "19:30"],
  ])("uses its part of the day: %s", (task, times, time) => {
    const { clicked, questions } = planned(task, times);
    expect([clicked, questions]).toEqual([[time], []]);
  });

  test.each([
    ["We have half past twelve", ["12:30", "00:30"]],
    ["8 o'clock", ["08:00", "20:00"]],
    ["At 8 o'clock", ["08:00", "20:00"]],
    ["Um 8 Uhr", ["08:00", "20:00"]],
    ["Meet at 9", ["9:00 AM", "9:00 PM"]],
  ])("leads to a question if it can mean two times on the page (08:00, 20:00): %s", (task, times) => {
    const { clicked, questions } = planned(task, times);
    expect(clicked).toEqual([]);
    expect(questions.map(({ options }) => options?.map(({ text }) => text))).toEqual([times]);
    expect(planned(task, times, times[1]).clicked).toEqual([times[1]]);
  });

  test("leads to a question if the page shows the time only in the other half of the day", () => {
    const { clicked, questions } = planned("Appointment at 9 am", ["21:00", "22:00"]);
    expect([clicked, questions.length]).toEqual([[], 1]);
  });

  test("keeps its other values when the question about the time is answered", () => {
    const [task, times] = ["Name Ilse Brandt, 4 guests, at 8", ["08:00", "20:00"]];
    const fields = [field("Name"), field("Guests", { role: "spinbutton" })];
    expect(planned(task, times, undefined, fields).questions).toHaveLength(1);
    expect(planned(task, times, "20:00", fields)).toEqual({
      clicked: ["Name", "Guests", "20:00"],
      questions: [],
    });
  });
});
