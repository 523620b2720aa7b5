/** Converts a dialogue's state and messages to lines on a terminal, and typed lines to answers. */
import type { DialogueMessage, DialogueView, Incoming } from "../../machines/dialogue/dialogue-schemas.ts";
import type { Plan, PlanStep, Question } from "../../machines/dialogue/plan/plan-schemas.ts";
import { formOf } from "../tools/convert-dialogue-questions-to-form.ts";

/** Whether the typed line ends the task, such as `cancel`. */
export function isCancel(line: string): boolean {
  return /^(?:cancel|stop|quit)$/iu.test(line.trim());
}

/** The decisions that a person can make about a failed step, each with the letter to type. */
const DECISIONS = [
  ["r", "retry"],
  ["s", "skip"],
  ["p", "replan"],
  ["a", "abort"],
] as const;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * Converts a typed line to the person's message for the dialogue: an approval, a correction, a decision, a
 * pause or a cancellation. Returns `undefined` if the dialogue does not expect this input now. Answers to
 * questions are not handled here but in `QuestionRound`.
 */
export function answerOf(view: DialogueView, line: string): Incoming | undefined {
  const said = line.trim();
  if (isCancel(said) && view.status !== "mid_exec_dialog") return { action: "cancel" };
  const planVersion = view.currentPlan?.version ?? 1;
  switch (view.status) {
    case "awaiting_approval":
      if (/^y(?:es)?$/iu.test(said)) return { action: "approvePlan", planVersion };
      return /^no?$/iu.test(said) ? { action: "rejectPlan", planVersion } : undefined;
    case "assume_announce": {
      const [assumption] = view.dialogueState.assumptions;
      if (!assumption || !/^c(?:orrect)?\b/iu.test(said)) return undefined;
      const newValue = said.replace(/^c(?:orrect)?\s*/iu, "");
      return {
        action: "correctAssumption",
        field: assumption.field,
        ...(newValue === "" ? {} : { newValue }),
      };
    }
    case "mid_exec_dialog": {
      const word = isCancel(said) ? "abort" : said.toLowerCase();
      const [, decision] = DECISIONS.find(([letter, name]) => word === letter || word === name) ?? [];
      return decision && { action: "midExecDecision", decision };
    }
    case "executing":
      return /^p(?:ause)?$/iu.test(said) ? { action: "pause" } : undefined;
    default:
      return undefined;
  }
}

/**
 * Collects the answers to all questions that a dialogue asks at once, so that they are sent in one message.
 */
export class QuestionRound {
  readonly #questions: readonly Question[];
  readonly #answers: { questionId: string; answer?: string; selectedOptionId?: string }[] = [];

  constructor(questions: readonly Question[]) {
    this.#questions = questions;
  }

  /** The lines of text that show the next question. */
  get prompt(): readonly string[] {
    const question = this.#questions[this.#answers.length];
    if (!question) return [];
    const position =
      this.#questions.length > 1 ? `(${this.#answers.length + 1} of ${this.#questions.length}) ` : "";
    return [
      `${position}${question.question}`,
      ...question.options.map(({ text, confidence }, at) => `  ${at + 1}. ${text} (${percent(confidence)})`),
      question.options.length > 0
        ? "  Type a number or your own words, or cancel."
        : "  Type your answer, or cancel.",
    ];
  }

  /**
   * Takes a typed line as the answer to the next question. If this was the last question, returns the message
   * with all answers; otherwise returns `undefined`.
   */
  add(line: string): Incoming | undefined {
    const question = this.#questions[this.#answers.length];
    const said = line.trim();
    if (!question || said === "") return undefined;
    const option = question.options[Number(said) - 1];
    this.#answers.push({
      questionId: question.id,
      ...(option ? { selectedOptionId: option.id } : { answer: said }),
    });
    if (this.#answers.length < this.#questions.length) return undefined;
    const [only] = this.#answers;
    return this.#answers.length === 1 && only
      ? { action: "submitClarification", ...only }
      : { action: "submitClarification", answers: this.#answers };
  }
}

/** Describes the inputs that the person can type in the dialogue's current state. */
export function promptOf(view: DialogueView): readonly string[] {
  const form = formOf(view);
  switch (view.status) {
    case "awaiting_approval":
      return [form?.message ?? "", ...originOf(view.currentPlan), "  yes, no or cancel"];
    case "mid_exec_dialog":
      return [
        form?.message ?? "",
        ...(view.failure?.retryStrategy ? [`  retry: ${view.failure.retryStrategy}`] : []),
        `  ${(view.failure?.recoveries ?? DECISIONS.map(([, name]) => name)).join(", ")}`,
      ];
    case "assume_announce":
      return [
        "I continue with these assumptions:",
        ...view.dialogueState.assumptions.map(
          ({ field, assumedValue, confidence }) => `  ${field}: ${assumedValue} (${percent(confidence)})`,
        ),
        ...(view.currentPlan?.steps ?? []).map(({ description }, at) => `  ${at + 1}. ${description}`),
        ...originOf(view.currentPlan),
        "  Starting in 3 s. Type: correct, correct <what is right>, or cancel.",
      ];
    default:
      return [];
  }
}

const SOURCES = { map: "the map", page: "the words of the page", model: "the model" } as const;

/** Returns lines about a plan: its confidence, its source and, if the language model was not used, the reason. */
function originOf(plan: Plan | null): readonly string[] {
  if (!plan) return [];
  const { overall } = plan.confidence;
  const fallback = plan.fallback === undefined ? [] : [`  The model was not used: ${plan.fallback}`];
  return [`  Confidence ${percent(overall)}, planned from ${SOURCES[plan.source]}.`, ...fallback];
}

/**
 * Returns a text that says what the dialogue is doing. Returns `undefined` while the dialogue waits for an
 * answer.
 */
export function progressOf({ status, currentPlan, executionState }: DialogueView): string | undefined {
  switch (status) {
    case "planning":
      return "Planning";
    case "refining":
      return "Planning with your answers";
    case "replanning":
      return "Planning again from this page";
    case "executing": {
      const { currentStepIndex, totalSteps } = executionState;
      const step = currentPlan?.steps[currentStepIndex];
      return `Step ${Math.min(currentStepIndex + 1, totalSteps)} of ${totalSteps}: ${step?.description ?? ""}`;
    }
    default:
      return undefined;
  }
}

/** Returns a note about the values that no step has used; empty if there are none. */
function leftOver(values: unknown): string {
  const left = Array.isArray(values) ? values.map((value) => `"${String(value)}"`) : [];
  return left.length === 0 ? "" : ` (not used: ${left.join(", ")})`;
}

/**
 * Returns the line for a message about the progress or end of the task. Returns `undefined` for other
 * messages, whose content the prompt already shows.
 */
export function lineOf({ type, ...fields }: DialogueMessage): string | undefined {
  const {
    step,
    stepIndex,
    summary,
    error,
    newScore,
    iteration,
    improvements,
    evidence,
    dependsOnSkipped,
    unusedValues,
  } = fields as Readonly<Record<string, unknown>>;
  switch (type) {
    case "stepStarted": {
      const { description = "" } = (step ?? {}) as Partial<PlanStep>;
      const flag = dependsOnSkipped === true ? " (depends on a skipped step)" : "";
      return `${Number(stepIndex) + 1}. ${description}${flag}`;
    }
    case "stepCompleted": {
      const { effect, url } = (evidence ?? {}) as { readonly effect?: unknown; readonly url?: unknown };
      const seen = [effect, url].filter((one) => typeof one === "string");
      return `   done${seen.length > 0 ? `: ${seen.join(", ")}` : ""}`;
    }
    case "selfRefineUpdate": {
      const added = Array.isArray(improvements) ? improvements.length : 0;
      return `Refined the plan (${String(iteration)}): score ${String(newScore)}, ${added} new steps`;
    }
    case "taskCompleted":
      return `Done: ${String(summary)}${leftOver(unusedValues)}`;
    case "error":
      return `Failed: ${String(error)}`;
    default:
      return undefined;
  }
}
