/**
 * Plans with the configured model. The model makes a plan, assesses it, and improves it by its own feedback.
 * Cairn drops steps whose elements are not on the page, and decides the risk of each step itself.
 */

import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import { isField, isTick } from "../../machines/dialogue/elements/texts-that-may-name-element.ts";
import { isRiskyClick, stepTargetOf } from "../../machines/dialogue/plan/build-plan-step.ts";
import { evaluatePlan } from "../../machines/dialogue/plan/evaluate-plan-by-criteria.ts";
import { confidenceOf, intentClarity, targetScore } from "../../machines/dialogue/plan/plan-confidence.ts";
import { unusedQuestion } from "../../machines/dialogue/plan/plan-questions.ts";
import type {
  Feedback,
  Plan,
  PlanStep,
  Question,
  Refinement,
} from "../../machines/dialogue/plan/plan-schemas.ts";
import { plannedActions } from "../../machines/dialogue/plan/possible-plan-step-actions.ts";
import type { PlanResult } from "../../machines/dialogue/planner/plan-by-imperatives.ts";
import {
  acceptedPlan,
  newSteps,
  type RefinedPlan,
} from "../../machines/dialogue/planner/plan-refine-loop.ts";
import { withoutQuotes } from "../../machines/dialogue/task/split-task-at-imperatives.ts";
import { unusedValues } from "../../machines/dialogue/task/values-in-task.ts";
import { isHighRisk } from "../../machines/risk/risk-words.ts";
import { elementLine, nameOf } from "../../machines/session/page/element-line.ts";
import { ModelBudget, type Prompt, readPrompt, renderPrompt } from "../models/index.ts";
import type { Planning, PlanSources } from "./planning-input.ts";

/**
 * Maximum number of questions to a model for one plan: one for the plan, then two in each round of feedback
 * and refinement.
 */
const MOST_CALLS = 1 + 2 * dialogueLimits.refinements;
/**
 * Maximum number of characters of the page's elements in a prompt. The protocol specification sets this limit
 * for navigation runs, and plans use the same value.
 */
const ELEMENTS_LENGTH = 15_000;

interface ModelStep {
  readonly action: string;
  readonly targetId: number | null;
  readonly value: string | null;
  readonly expectedResult: string | null;
  readonly description: string;
  readonly confidence: number;
}

interface ModelPlan {
  readonly summary: string;
  readonly steps: readonly ModelStep[];
  readonly assumptions: readonly {
    readonly field: string;
    readonly assumedValue: string;
    readonly confidence: number;
  }[];
  readonly questions: readonly {
    readonly question: string;
    readonly options: readonly { readonly targetId: number | null; readonly text: string }[];
  }[];
}

/** Plans with the model. Returns the reason as text when the model gives no valid answer. */
export async function planByModel(planning: Planning, sources: PlanSources): Promise<RefinedPlan | string> {
  const asking = new PlanQuestions(planning, sources);
  const first = await asking.plan();
  if (!first) return asking.refusal ?? "The model gave no plan.";
  let best = checked(first, planning);
  let feedback = await asking.feedback(best.plan);
  const iterations: Refinement[] = [];
  while (iterations.length < dialogueLimits.refinements && feedback.score < dialogueLimits.goodScore) {
    const refined = await asking.refine(best.plan, feedback);
    if (!refined) break;
    const next = checked(refined, planning);
    const score = await asking.feedback(next.plan);
    iterations.push({
      iteration: iterations.length + 1,
      previousScore: feedback.score,
      score: score.score,
      issues: feedback.issues,
      improvements: newSteps(best.plan.steps, next.plan.steps),
    });
    if (score.score <= feedback.score) break;
    best = next;
    feedback = score;
  }
  return { ...best, iterations, score: feedback.score };
}

/** Asks a model to make a plan and to improve it. One budget limits all questions about this plan. */
export class PlanQuestions {
  readonly #planning: Planning;
  readonly #sources: PlanSources;
  readonly #budget = new ModelBudget({ max_calls: MOST_CALLS });
  #refusal: string | undefined;

  constructor(planning: Planning, sources: PlanSources) {
    this.#planning = planning;
    this.#sources = sources;
  }

  /** The reason why the model's last answer was not valid, or `undefined` when it was valid. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  async plan(): Promise<ModelPlan | undefined> {
    const { task, title, pageUrl, done } = this.#planning;
    const [{ system }, context, examples] = await Promise.all([
      renderPrompt("plan", { task }),
      renderPrompt("plan_context", {
        title,
        url: pageUrl,
        answers: this.#answers() || "none",
        done: done.map((one) => `- ${one}`).join("\n") || "none",
      }),
      readPrompt("plan_examples"),
    ]);
    const { user } = await renderPrompt("plan", { task });
    return await this.#ask<ModelPlan>({ system, user: [context.user, examples, user].join("\n\n") }, "plan");
  }

  /**
   * Returns the person's answers with their questions, as text for the prompt. An answer that is the index of
   * an element is replaced by the prompt's line about this element.
   */
  #answers(): string {
    const { answers, asked, elements, pageUrl } = this.#planning;
    return Object.entries(answers)
      .map(([id, answer]) => {
        const element = elements.find(({ highlight_index }) => String(highlight_index) === answer);
        return `- ${asked[id] ?? id} ${element ? elementLine(element, pageUrl) : answer}`;
      })
      .join("\n");
  }

  /**
   * Returns the feedback of the model on a plan, or Cairn's own feedback if the model gives none. Of the two
   * scores, the lower one counts, because only Cairn checks whether the plan's elements exist.
   */
  async feedback(plan: Plan): Promise<Feedback> {
    const { task, elements } = this.#planning;
    const own = evaluatePlan({ plan, questions: [], elements, parts: Math.max(1, plan.steps.length) });
    const prompt = await renderPrompt("plan_feedback", { task, plan: JSON.stringify(plan.steps) });
    const given = await this.#ask<Feedback>(prompt, "feedback");
    if (!given) return own;
    return {
      score: Math.min(own.score, given.score),
      issues: [...own.issues, ...given.issues],
      suggestions: [...own.suggestions, ...given.suggestions],
    };
  }

  async refine(
    plan: Plan,
    feedback: Pick<Feedback, "issues" | "suggestions">,
  ): Promise<ModelPlan | undefined> {
    const prompt = await renderPrompt("plan_refine", {
      task: this.#planning.task,
      plan: JSON.stringify(plan.steps),
      feedback: JSON.stringify(feedback),
    });
    return await this.#ask<ModelPlan>(prompt, "plan");
  }

  async #ask<T>(prompt: Pick<Prompt, "system" | "user">, shape: "plan" | "feedback"): Promise<T | undefined> {
    const { models, signal } = this.#sources;
    const { elements, pageUrl } = this.#planning;
    if (!models.configured || this.#budget.exhausted !== undefined) return undefined;
    // The schemas are loaded here because they need zod, and most workers ask no model.
    const { modelPlanSchema, modelFeedbackSchema } = await import("./model-plan-schemas.ts");
    const lines = elements.map((element) => elementLine(element, pageUrl)).join("\n");
    const untrusted = [{ label: "available elements", text: lines.slice(0, ELEMENTS_LENGTH) }];
    const schema = shape === "plan" ? modelPlanSchema : modelFeedbackSchema;
    const answer = await models.complete<unknown>({
      tier: "strong",
      prompt: { ...prompt, untrusted },
      schema,
      budget: this.#budget,
      signal,
    });
    signal.throwIfAborted();
    this.#refusal = answer.ok ? undefined : `${answer.reason}: ${answer.message}`;
    // The cast is safe: the call to the model has validated the value by `schema`.
    return answer.ok ? (answer.value as T) : undefined;
  }
}

/**
 * Keeps only the steps whose elements are on the page, and adds Cairn's confidence and risk to each step. A plan
 * that does what the task forbids becomes a question.
 */
export const checked = (given: ModelPlan, planning: Planning): PlanResult =>
  acceptedPlan(planning, planFrom(given, planning));

function planFrom(given: ModelPlan, planning: Planning): PlanResult {
  const { elements, task, id, version } = planning;
  const isOneClick = given.steps.filter(({ action }) => action === "click").length === 1;
  const found = given.steps.map((step) => ({ step, made: stepOf(step, planning) }));
  const steps = found.flatMap(({ made }) => made ?? []);
  const missing = found.filter(({ made }) => !made).map(({ step }) => step);
  const questions: Question[] = [
    ...given.questions.map(({ question, options }, at) => ({
      id: `model-${version}-${at}`,
      type: options.length > 0 ? ("option_select" as const) : ("freeform" as const),
      question,
      options: options.slice(0, dialogueLimits.options).map(({ targetId, text }) => ({
        id: targetId === null ? text : String(targetId),
        text,
        confidence: 0.5,
      })),
      allowFreeform: true,
    })),
    ...missing.map(({ description }, at) => ({
      id: `missing-${version}-${at}`,
      type: "freeform" as const,
      question: `There is no element for "${description}" on this page. Which one is meant?`,
      options: [],
      allowFreeform: true,
    })),
  ];

  const unplaced = unusedValues(task, [
    ...steps.flatMap(({ description, value, secret, target }) => [
      description,
      value ?? "",
      secret ?? "",
      target?.name ?? "",
      target?.around ?? "",
    ]),
    ...planning.done,
  ]);
  if (questions.length === 0)
    questions.push(...unplaced.map((value, at) => unusedQuestion(at, value, false)));
  const risky = steps.filter(({ risk }) => risk === "high");
  const targets = [
    ...found.flatMap(({ step, made }) => (!made ? [0] : made.target ? [targetScore(step.confidence)] : [])),
    ...given.questions.slice(0, questions.length).map(() => 0),
    ...unplaced.map(() => 0),
  ];
  const values = steps
    .filter(({ action }) => action === "input" || action === "select_dropdown")
    .map(({ value, secret }) =>
      secret !== null || (value !== null && task.includes(value)) ? 1 : value === null ? 0 : 0.8,
    );
  const confidence = confidenceOf(
    steps.length === 0 ? 0 : intentClarity(task, { unread: questions.length, rivals: 0 }),
    steps.length === 0 ? [0] : targets,
    steps.length === 0 ? [0] : values,
    risky.length > 0,
  );
  return {
    plan: {
      id,
      version,
      summary: given.summary,
      confidence,
      steps,
      assumptions: given.assumptions.map((one, at) => ({ ...one, questionId: `assumed-${at}` })),
      risks: risky.map(({ description }) => `${description} may not be undone.`),
      source: "model",
      ...(unplaced.length > 0 ? { unplaced: [...unplaced] } : {}),
    },
    questions: (questions.length > 0 || steps.length > 0
      ? questions
      : [
          {
            id: `model-${version}-0`,
            type: "freeform" as const,
            question: "What should be done? Name a button, a link or a field.",
            options: [],
            allowFreeform: true,
          },
        ]
    ).slice(0, dialogueLimits.questionsPerRound),
  };

  function stepOf(step: ModelStep, { pageUrl: _ }: Planning): PlanStep | undefined {
    const { action, targetId, value, description, expectedResult } = step;
    if (!plannedActions.some((one) => one === action)) return undefined;
    const element = elements.find((one) => one.highlight_index === targetId);
    const needsElement = action === "click" || action === "input" || action === "select_dropdown";
    if (needsElement && !element) return undefined;
    if (action === "input" && element && !isField(element)) return undefined;
    const isSecret = element?.type === "password";
    // If the plan is a single click, the words of the task are checked for a risk too. For example, "I want
    // out, leave this team" is risky because of "leave", whatever the name of the clicked control is.
    const said = isOneClick ? `${withoutQuotes(task)} ${description}` : description;
    const isRisky =
      action === "click" &&
      (isHighRisk(description) ||
        (element !== undefined &&
          (isHighRisk(nameOf(element)) ||
            isRiskyClick(element, { said, isCheck: isTick(element), elements }))));
    return {
      action,
      targetId: element?.highlight_index ?? null,
      target: element ? stepTargetOf(element) : null,
      value: isSecret ? null : value,
      secret: isSecret ? value : null,
      expectedResult:
        action === "input" && !isSecret
          ? { type: "value", expected: value }
          : expectedResult === null
            ? { type: "effect", expected: null }
            : { type: "effect", expected: expectedResult },
      description: isSecret ? `Type a secret into "${nameOf(element)}"` : description,
      risk: isRisky ? "high" : "low",
      reversible: !isRisky,
      confidence: step.confidence,
      deferred: false,
      dependsOn: [],
    };
  }
}
