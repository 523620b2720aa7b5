/** Changes of a step: by a person, and by a retry with the element that was found in place of the missing one. */
import type { z } from "zod";
import { isHighRisk } from "../risk/risk-words.ts";
import type { editedStepSchema, Failure, PlanStep, StepTarget } from "./plan-schemas.ts";

/** A step that a person has changed names its element by words: the index of before may be another one. */
export function editedStep(step: PlanStep, edit: z.infer<typeof editedStepSchema>): PlanStep {
  const given = Object.entries(edit).filter(([, value]) => value !== undefined);
  const changed: PlanStep = {
    ...step,
    ...(edit.target !== undefined && edit.targetId === undefined ? { targetId: null } : {}),
    ...(Object.fromEntries(given) as Partial<PlanStep>), // Without undefined, by the filter.
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

/** The step as it is tried again: with the similar element where one was found. */
export function retriedStep(step: PlanStep, failure: Failure | null): PlanStep {
  if (!failure) return step;
  // The person has seen the risk and decided to continue.
  if (failure.code === "approval_needed") return { ...step, risk: "high", reversible: false };
  const { suggestedTarget } = failure.evidence as { readonly suggestedTarget?: StepTarget };
  if (failure.suggestedTargetId === null || !suggestedTarget) return step;
  return { ...step, targetId: failure.suggestedTargetId, target: suggestedTarget, deferred: false };
}
