/**
 * Changes a step: as a person edited it, or for a retry with a similar element in place of the missing one.
 */
import type { z } from "zod";
import { isHighRisk } from "../risk/risk-words.ts";
import type { editedStepSchema, Failure, PlanStep, StepTarget } from "./plan-schemas.ts";

/**
 * After a person changes a step, its element is found by words, because the old index may belong to another
 * element.
 */
export function editedStep(step: PlanStep, edit: z.infer<typeof editedStepSchema>): PlanStep {
  const given = Object.entries(edit).filter(([, value]) => value !== undefined);
  const changed: PlanStep = {
    ...step,
    ...(edit.target !== undefined && edit.targetId === undefined ? { targetId: null } : {}),
    // The cast is safe: the filter has removed undefined values.
    ...(Object.fromEntries(given) as Partial<PlanStep>),
  };
  const risky = isHighRisk(`${changed.target?.name ?? ""} ${changed.description}`);
  const expectsValue = changed.action === "input" || changed.action === "select_dropdown";
  return {
    ...changed,
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

/** The step for a retry. It uses the similar element, if one was found. */
export function retriedStep(step: PlanStep, failure: Failure | null): PlanStep {
  if (!failure) return step;
  // The person has seen the risk and has decided to continue, so the step is marked as high risk.
  if (failure.code === "approval_needed") return { ...step, risk: "high", reversible: false };
  const { suggestedTarget } = failure.evidence as { readonly suggestedTarget?: StepTarget };
  if (failure.suggestedTargetId === null || !suggestedTarget) return step;
  return { ...step, targetId: failure.suggestedTargetId, target: suggestedTarget, deferred: false };
}
