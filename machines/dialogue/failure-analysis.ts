/** Why a step failed and what can be done, from the code of its outcome. */
import type { Failure } from "./plan-schemas.ts";

interface FailedOutcome {
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const CAUSES: Readonly<Record<string, readonly [cause: string, recommended: Failure["recommendedAction"]]>> =
  {
    element_not_found: ["The element is not on the page.", "replan"],
    element_ambiguous: ["Several elements fit.", "replan"],
    element_stale: ["The page changed, and the element with it.", "retry"],
    element_covered: ["Something lies over the element.", "retry"],
    element_disabled: ["The element is disabled.", "replan"],
    element_not_visible: ["The element is not visible.", "retry"],
    timeout: ["The page took too long to respond.", "retry"],
    navigation_failed: ["The page could not be loaded.", "retry"],
    navigation_blocked: ["The address may not be opened.", "abort"],
    interrupted: ["The action was cut off. It may have happened.", "replan"],
    form_invalid: ["The form refused a value.", "replan"],
    dialog_open: ["A dialog of the page is open.", "replan"],
  };

export function analyseFailure(stepIndex: number, { error, data }: FailedOutcome): Failure {
  const code = typeof data.code === "string" ? data.code : "failed";
  const [cause, usual] = CAUSES[code] ?? ["The step failed.", "replan"];
  const [similar] = candidatesOf(data.candidates);
  return {
    stepIndex,
    code,
    error: error ?? code,
    cause,
    canRetry: code !== "navigation_blocked",
    canSkip: true,
    canReplan: true,
    retryStrategy: similar ? `Found similar: ${similar.line}` : null,
    suggestedTargetId: similar?.highlight_index ?? null,
    recommendedAction: similar ? "retry" : usual,
    mayHaveHappened: code === "interrupted" && data.begun !== false,
  };
}

function candidatesOf(
  given: unknown,
): readonly { readonly highlight_index: number; readonly line: string }[] {
  // Outcomes of actions list candidates in this shape.
  return Array.isArray(given) ? (given as readonly { highlight_index: number; line: string }[]) : [];
}
