/** Explains, by its error code, why a step failed, and offers ways to continue the dialogue. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { roleOf } from "../elements/texts-that-may-name-element.ts";
import type { Failure, StepTarget } from "./plan-schemas.ts";

interface FailedOutcome {
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * A possible replacement for the element that a failed step did not find: an element that is similar to it.
 */
export interface SimilarElement {
  readonly element: HighlightedElement;
  readonly target: StepTarget;
}

type Recovery = Failure["recommendedAction"];

/**
 * For each error code: the cause of the failure, and the possible recoveries, the recommended one first. Some
 * entries also have advice that is more precise than the general advice in `SUGGESTIONS`.
 */
const CAUSES: Readonly<
  Record<string, readonly [cause: string, ranked: readonly Recovery[], advice?: string]>
> = {
  element_not_found: ["The element is not on the page.", ["replan", "retry", "skip"]],
  element_ambiguous: ["Several elements fit.", ["replan", "retry", "skip"]],
  element_stale: ["The page changed, and the element with it.", ["retry", "replan", "skip"]],
  element_covered: ["Something lies over the element.", ["retry", "replan", "skip"]],
  element_disabled: ["The element is disabled.", ["replan", "skip", "retry"]],
  element_not_visible: ["The element is not visible.", ["retry", "replan", "skip"]],
  timeout: ["The page took too long to respond.", ["retry", "skip", "replan"]],
  navigation_failed: ["The page could not be loaded.", ["retry", "replan", "skip"]],
  navigation_blocked: ["The address may not be opened.", ["replan", "skip"]],
  interrupted: ["The action was cut off. It may have happened.", ["replan", "skip", "retry"]],
  form_invalid: ["The form refused a value.", ["replan", "retry", "skip"]],
  dialog_open: ["The page opened a dialog.", ["replan", "retry", "skip"]],
  not_applied: ["The page did not take the action over.", ["retry", "replan", "skip"]],
  no_progress: ["The same action was done before and changed nothing.", ["replan", "skip"]],
  unexpected_result: [
    "The page does not show what the step should have led to.",
    ["replan", "skip", "retry"],
  ],
  http_error: ["The server answered with an error.", ["replan", "retry", "skip"]],
  approval_needed: [
    "The step does something that may not be undone.",
    ["retry", "replan", "skip"],
    "Approve the step and do it.",
  ],
  value_unused: ["The plan has no step for a value of the task.", ["replan", "skip"]],
  form_not_sent: [
    "The form with the values of the task was not sent.",
    ["retry", "skip"],
    "Press the button that sends the form.",
  ],
  corrected: ["An assumption was corrected while the last step ran.", ["replan", "skip"]],
  secret_refused: ["The secret does not exist, or belongs to another site.", ["retry", "replan", "skip"]],
  login_failed: ["Signing in was refused.", ["retry", "replan", "skip"]],
};

/** What is said about a failure: its cause, the possible recoveries, and advice for the first of them. */
interface Explanation {
  readonly cause: string;
  readonly ranked: readonly Recovery[];
  readonly advice?: string;
}

/** Explanations of a step that failed because the page opened a dialog (`data.dialog`). */
const DIALOG_EXPLANATIONS = {
  /** The page asked for a confirmation in a dialog of the browser. It was dismissed without an approval. */
  confirm: {
    cause: "The page asks for a confirmation, and the plan has no approval for it.",
    ranked: ["retry", "replan", "skip"],
    advice: "Do the step again and accept the dialog.",
  },
  prompt: { cause: "The page asks for a text, and no plan has one.", ranked: ["skip"] },
  /**
   * The dialog opened while the action of the step was still running (`data.interrupted`). The dialog is
   * already closed.
   */
  interruption: {
    cause: "The page opened a dialog before the step had ended.",
    ranked: ["retry", "replan", "skip"],
    advice: "Do the step again. The dialog is closed.",
  },
} as const satisfies Readonly<Record<string, Explanation>>;

function explanationOf(code: string, { dialog, interrupted }: FailedOutcome["data"]): Explanation {
  if (dialog !== undefined && code === "approval_needed") return DIALOG_EXPLANATIONS.confirm;
  if (dialog !== undefined && code === "dialog_open")
    return interrupted === true ? DIALOG_EXPLANATIONS.interruption : DIALOG_EXPLANATIONS.prompt;
  const [cause, ranked, advice] = CAUSES[code] ?? ["The step failed.", ["replan", "retry", "skip"]];
  return { cause, ranked, ...(advice === undefined ? {} : { advice }) };
}

const SUGGESTIONS: Readonly<Record<Recovery, string>> = {
  retry: "Try the step again.",
  skip: "Continue with the next step.",
  replan: "Make a new plan from the page of now.",
  abort: "Stop the task.",
};

/** Error codes of actions that may have taken effect although they report a failure. */
const UNKNOWN_OUTCOME = new Set(["interrupted", "timeout", "unexpected_result", "http_error"]);

export function analyseFailure(
  stepIndex: number,
  { error, data }: FailedOutcome,
  similar?: SimilarElement,
): Failure {
  const code = typeof data.code === "string" ? data.code : "failed";
  const { cause, ranked, advice } = explanationOf(code, data);
  const recoveries: readonly Recovery[] = [
    ...(similar ? ["retry" as const, ...ranked.filter((one) => one !== "retry")] : ranked),
    "abort",
  ];
  const [recommendedAction = "abort"] = recoveries;
  const mayHaveHappened = UNKNOWN_OUTCOME.has(code) && data.begun !== false;
  const found = similar ? `Found similar: "${nameOf(similar.element)}" ${roleOf(similar.element)}` : null;
  const warning = mayHaveHappened ? " The step may have been done: a retry may do it twice." : "";
  return {
    stepIndex,
    code,
    error: error ?? code,
    cause,
    suggestion: `${similar ? `Try again with "${nameOf(similar.element)}".` : (advice ?? SUGGESTIONS[recommendedAction])}${warning}`,
    canRetry: recoveries.includes("retry"),
    canSkip: recoveries.includes("skip"),
    canReplan: recoveries.includes("replan"),
    retryStrategy: found,
    suggestedTargetId: similar?.element.highlight_index ?? null,
    recommendedAction,
    recoveries: [...recoveries],
    evidence: { ...data, ...(similar ? { suggestedTarget: similar.target } : {}) },
    mayHaveHappened,
  };
}
