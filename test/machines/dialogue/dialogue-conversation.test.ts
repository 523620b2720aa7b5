/** Tests the questions of a dialogue, the messages that it publishes, and its stored conversation. */
import { describe, expect, test } from "bun:test";
import {
  announced,
  answer,
  approval,
  clarifying,
  completed,
  decide,
  executing,
  failed,
  plan,
  planning,
  question,
} from "./support/dialogue-machine-driver.ts";

describe("a dialogue about a task", () => {
  test("quotes the answer that did not help when it asks a question again", () => {
    const driver = clarifying()
      .send(answer)
      .planned(plan(0.3, { version: 2 }), [question]);
    const [asked] = driver.context.questions;
    expect([driver.state, asked?.question]).toEqual([
      "clarifying",
      `"${answer.answer}" does not fit this page. Which one?`,
    ]);
    const other = { ...question, question: "Which button?" };
    const next = driver.send(answer).planned(plan(0.3, { version: 3 }), [other]);
    expect(next.context.questions[0]?.question).toBe("Which button?");
  });

  test("numbers its messages and stores each as a row", () => {
    const driver = approval();
    expect(driver.messages).toEqual(["confidenceReport", "stateChanged", "planReady"]);
    const rows = driver.emitted.flatMap((one) => (one.type === "write" ? one.writes : []));
    expect(rows).toMatchObject(
      [3, 4, 5].map((seq) => ({ table: "dialogue_message", rows: [{ id: ["d", seq] }] })),
    );
    expect(driver.send({ type: "APPROVE_PLAN", planVersion: 1 }).messages).toEqual([
      "received",
      "stateChanged",
      "stepStarted",
    ]);
    expect(driver.acted().messages).toEqual(["stepCompleted", "stepStarted"]);
    expect(driver.acted().messages).toEqual(["stepCompleted", "stateChanged", "taskCompleted"]);
  });

  test("publishes the state after a task is cancelled, rejected or stopped", () => {
    for (const [driver, event] of [
      [clarifying(), { type: "CANCEL" }],
      [approval(), { type: "REJECT_PLAN", planVersion: 1 }],
      [failed(), decide("abort")],
    ] as const)
      expect(driver.send(event).messages).toEqual(["received", "stateChanged"]);
  });

  test("accepts the answers to several questions at once, and refuses all of them if one is invalid", () => {
    const questions = [question, { ...question, id: "target-1", options: [] }];
    const asked = () => planning().planned(plan(0.3), questions);
    const both = (id: string) => ({
      type: "SUBMIT_CLARIFICATION",
      answers: [
        { questionId: "target-0", selectedOptionId: "7" },
        { questionId: id, answer: "the last" },
      ],
    });
    expect(asked().send(both("target-1")).context).toMatchObject({
      answers: { "target-0": "7", "target-1": "the last" },
      asked: { "target-0": "Which one?", "target-1": "Which one?" },
    });
    const refused = asked().send(both("target-9"));
    expect([refused.refusal, refused.state, refused.context.answers]).toEqual([
      "dialogue.already_decided",
      "clarifying",
      {},
    ]);
  });

  test("uses the person's correction of an assumption as the answer to the corresponding question", () => {
    const driver = announced().send({ type: "CORRECT_ASSUMPTION", field: "x", newValue: "Save" });
    expect(driver.context.answers).toEqual({ "target-1": "Save" });
  });

  test("continues the numbering of plans with the next task, so that an old approval never applies to a new plan", () => {
    const driver = completed().send({ type: "START_TASK", task: "Again", place: null });
    expect(driver.context).toMatchObject({ room_name: "r", planHistory: [{ version: 1 }], plan: null });
  });

  test("shows all questions of a round and each finished step in the conversation", () => {
    const other = { ...question, id: "target-1", question: "Which city?" };
    const asked = planning().planned(plan(0.3), [question, other]);
    expect(asked.context.history.at(-1)?.content).toBe("Which one?; Which city?");
    expect(executing().acted().context.history.at(-2)).toMatchObject({
      content: "Done: Click Save",
      messageType: "stepCompleted",
    });
  });
});

test("the conversation of a dialogue contains each round in which the model refined the plan, with the plan's old and new score", () => {
  const improvements = ["Named the button"];
  const rounds = [
    { iteration: 1, previousScore: 0.6, score: 0.8, issues: [], improvements },
    { iteration: 2, previousScore: 0.8, score: 0.92, issues: [], improvements: [] },
  ];
  const { history } = planning().planned(plan(0.95), [], rounds).context;
  const refinements = history.filter(({ messageType }) => messageType === "selfRefineUpdate");
  expect(refinements.map(({ content }) => content)).toEqual([
    "Iteration 1 of 3: score 60% → 80%; Named the button",
    "Iteration 2 of 3: score 80% → 92%",
  ]);
});
