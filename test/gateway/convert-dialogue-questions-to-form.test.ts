/** Tests the form in which an MCP client shows all open questions of a dialogue to a person. */
import { expect, test } from "bun:test";
import { formOf, messageOf } from "../../gateway/tools/convert-dialogue-questions-to-form.ts";
import { initialContext, viewOf } from "../../machines/dialogue/dialogue-context.ts";
import type { Question } from "../../machines/dialogue/plan/plan-schemas.ts";

const question = (id: string, ...options: string[]): Question => ({
  id,
  type: options.length > 0 ? "option_select" : "freeform",
  question: `Which ${id}?`,
  options: options.map((text) => ({ id: `${id}-${text}`, text, confidence: 0.5 })),
  allowFreeform: true,
});
const view = (...questions: Question[]) => viewOf({ ...initialContext("d"), questions }, "clarifying");
const accepted = (content: object) => ({ action: "accept" as const, content: { ...content } });

test("a single open question is shown as a form with its options and a free text", () => {
  const one = view(question("row", "Anna", "Bert"));
  expect(formOf(one)).toMatchObject({ message: "Which row?", required: [] });
  expect(Object.keys(formOf(one)?.fields ?? {})).toEqual(["choice", "answer"]);
  expect(messageOf(one, accepted({ choice: "Bert" }))).toEqual({
    action: "submitClarification",
    questionId: "row",
    selectedOptionId: "row-Bert",
  });
});

test("several open questions become one form, and all answers are sent in one message", () => {
  const round = view(question("row", "Anna", "Bert"), question("field"), question("list", "A"));
  expect(formOf(round)).toMatchObject({
    message: "1. Which row?\n2. Which field?\n3. Which list?",
    required: ["answer_2"],
  });
  expect(Object.keys(formOf(round)?.fields ?? {})).toEqual([
    "choice_1",
    "answer_1",
    "answer_2",
    "choice_3",
    "answer_3",
  ]);
  expect(messageOf(round, accepted({ choice_1: "Anna", answer_2: "City", answer_3: "B" }))).toEqual({
    action: "submitClarification",
    answers: [
      { questionId: "row", selectedOptionId: "row-Anna" },
      { questionId: "field", answer: "City" },
      { questionId: "list", answer: "B" },
    ],
  });
  expect(messageOf(round, accepted({ answer_2: "City" }))).toMatchObject({
    answers: [{ questionId: "field", answer: "City" }],
  });
  expect(messageOf(round, accepted({}))).toBeUndefined();
});
