/** Assigns the answers of a person to the open questions of a dialogue. */
import type { z } from "zod";
import type { dialogueProtocol } from "./dialogue-protocol.ts";
import type { Question } from "./plan/plan-schemas.ts";

type Clarification = z.infer<(typeof dialogueProtocol)["commands"]["SUBMIT_CLARIFICATION"]["fields"]>;

export interface Answered {
  readonly question: Question;
  /** The text of the answer, or the id of the chosen option. */
  readonly answer: string;
}

/**
 * Returns each answer with its question. An answer that names no question belongs to the first open question.
 * Returns `undefined` if an answer names a question that is not open, or an option that its question does not
 * have.
 */
export function answersTo(
  questions: readonly Question[],
  { questionId, answer, selectedOptionId, answers }: Clarification,
): readonly Answered[] | undefined {
  const given = answers ?? [{ questionId, answer, selectedOptionId }];
  const matched = given.flatMap((one): readonly Answered[] => {
    const question =
      one.questionId === undefined ? questions[0] : questions.find(({ id }) => id === one.questionId);
    const isOffered = question?.options.some(({ id }) => id === one.selectedOptionId) ?? false;
    const said =
      one.selectedOptionId === undefined ? one.answer : isOffered ? one.selectedOptionId : undefined;
    return question && said !== undefined ? [{ question, answer: said }] : [];
  });
  return matched.length === given.length ? matched : undefined;
}

/**
 * Maximum length of a quoted answer, in characters. If an answer of the person does not help, the dialogue asks the same
 * question again and quotes the answer.
 */
const QUOTED_ANSWER = 80;

/**
 * Returns a question again, together with the answer that did not help. Otherwise the person could not see
 * that the answer was read.
 */
export function repeatedQuestion(
  question: Question,
  {
    answers,
    asked,
  }: { readonly answers: Readonly<Record<string, string>>; readonly asked: Readonly<Record<string, string>> },
): Question {
  const said = answers[question.id];
  if (said === undefined || !asked[question.id]?.endsWith(question.question)) return question;
  const quoted = said.length > QUOTED_ANSWER ? `${said.slice(0, QUOTED_ANSWER)}…` : said;
  return { ...question, question: `"${quoted}" does not fit this page. ${question.question}` };
}
