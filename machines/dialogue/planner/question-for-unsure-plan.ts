/** Asks about a plan whose confidence is too low to announce it, although each of its steps has an element. */
import { dialogueLimits } from "../dialogue-limits.ts";
import { routeOf } from "../plan/plan-confidence.ts";
import { freeform } from "../plan/plan-questions.ts";
import type { Plan, Question } from "../plan/plan-schemas.ts";

interface Planned {
  readonly plan: Plan;
  readonly questions: readonly Question[];
}

/**
 * If a plan has low confidence and no questions, adds questions about its assumptions. If it has no
 * assumptions either, adds the question to say the task in other words. A plan with a step of high risk gets
 * no question, because it waits for approval.
 *
 * @param answers the answers of the person so far, by the id of the question. If there are any, no question
 * is added, and the plan waits for approval
 */
export function withQuestionIfUnsure<Result extends Planned>(
  result: Result,
  answers: Readonly<Record<string, string>>,
): Result {
  const { plan, questions } = result;
  const isSettled = questions.length > 0 || Object.keys(answers).length > 0;
  const isRisky = plan.steps.some(({ risk }) => risk === "high");
  if (isSettled || isRisky || routeOf(plan.confidence.overall, false) !== "clarify") return result;
  const asked = plan.assumptions.length > 0 ? plan.assumptions.map(assumptionQuestion(plan)) : [REPHRASED];
  return { ...result, questions: asked.slice(0, dialogueLimits.questionsPerRound) };
}

/** Asks for the task in other words. The answer replaces the words of the task's first part. */
const REPHRASED = freeform("part-0", "What should be done? Name a button, a link or a field.");

/** Asks whether the assumed element is meant. The person chooses it, or names another one. */
function assumptionQuestion({ steps }: Plan) {
  return ({ field, assumedValue, confidence, questionId }: Plan["assumptions"][number]): Question => {
    const index = steps.find(({ target }) => target?.name === assumedValue)?.targetId;
    return {
      id: questionId,
      type: "option_select",
      question: `What is meant by "${field}"?`,
      options: [{ id: String(index ?? assumedValue), text: assumedValue, confidence }],
      allowFreeform: true,
    };
  };
}
