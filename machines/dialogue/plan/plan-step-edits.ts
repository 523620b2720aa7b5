/**
 * Changes a step of a plan in two cases: a person has edited the step, or it is retried with an element that
 * resembles the missing one.
 */
import type { z } from "zod";
import { isHighRisk } from "../../risk/risk-words.ts";
import { stepDescription } from "./build-plan-step.ts";
import type { editedStepSchema, Failure, PlanStep, StepTarget } from "./plan-schemas.ts";

/**
 * Returns a step with the changes that a person has made. A changed target is searched again by its words,
 * because the step's old index may belong to another element. The description is also built again, so that it
 * says what the step now does.
 */
export function editedStep(step: PlanStep, edit: z.infer<typeof editedStepSchema>): PlanStep {
  const given = Object.entries(edit).filter(([, value]) => value !== undefined);
  const changed: PlanStep = {
    ...step,
    ...(edit.target !== undefined && edit.targetId === undefined ? { targetId: null } : {}),
    // The cast is safe: the filter has removed `undefined` values.
    ...(Object.fromEntries(given) as Partial<PlanStep>),
  };
  const description = stepDescription({ ...changed, name: changed.target?.name ?? "" });
  const risky = isHighRisk(`${changed.target?.name ?? ""} ${description}`);
  const expectsValue = changed.action === "input" || changed.action === "select_dropdown";
  return {
    ...changed,
    description,
    ...(edit.value !== undefined && expectsValue
      ? { expectedResult: { type: "value" as const, expected: edit.value } }
      : {}),
    ...(edit.target !== undefined && !expectsValue
      ? { expectedResult: { type: "effect" as const, expected: null } }
      : {}),
    risk: risky || (step.risk === "high" && edit.target === undefined) ? "high" : "low",
    reversible: !risky,
  };
}

/**
 * Returns the step in the form in which it is retried after a failure. If the failure analysis has found a
 * similar element, the step uses this element.
 */
export function retriedStep(step: PlanStep, failure: Failure | null): PlanStep {
  if (!failure) return step;
  const { suggestedTarget, dialog } = failure.evidence as {
    readonly suggestedTarget?: StepTarget;
    readonly dialog?: { readonly message: string };
  };
  // The person has decided to continue in spite of the risk, so the step is marked as high-risk and approved.
  // If the page has asked a question, the person has approved the question too.
  if (failure.code === "approval_needed")
    return { ...step, risk: "high", reversible: false, ...(dialog ? { approved: dialog.message } : {}) };
  if (failure.suggestedTargetId === null || !suggestedTarget) return step;
  return { ...step, targetId: failure.suggestedTargetId, target: suggestedTarget, deferred: false };
}
