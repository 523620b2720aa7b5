/**
 * Migrates stored dialogues of earlier versions. Their plans had a single number as confidence and fewer
 * fields.
 */
import { type DialogueContext, initialContext } from "../../machines/dialogue/dialogue-context.ts";
import type { Plan, Question } from "../../machines/dialogue/plan/plan-schemas.ts";
import type { Json } from "../runtime/index.ts";

type Old = Readonly<Record<string, unknown>>;

/**
 * Converts a stored dialogue of an earlier version to the current version. Version 2 added a breakdown of a
 * plan's confidence and the expected results of its steps. Version 3 added the texts of answered questions.
 * Version 4 added the steps that were done by earlier plans for the task.
 */
export function migrateDialogue(snapshot: Json, fromVersion: number): Json {
  // The cast is safe: `snapshot` is XState's snapshot of the machine in an earlier version.
  const { context, ...rest } = snapshot as unknown as { readonly context: Old };
  const { plan, planHistory, questions, id } = context;
  const fields = initialContext(String(id));
  if (fromVersion >= 2) return { ...rest, context: { ...fields, ...context } } as unknown as Json;
  const migrated = {
    ...fields,
    ...context,
    plan: plan ? planOf(plan as Old) : null,
    planHistory: ((planHistory ?? []) as readonly Old[]).map(planOf),
    questions: ((questions ?? []) as readonly Old[]).map(questionOf),
    // Only the dialogue's snapshot is migrated. Its messages are separate rows of the store, whose format has
    // not changed.
    history: fields.history,
    failure: null,
  } as unknown as DialogueContext;
  return { ...rest, context: migrated } as unknown as Json;
}

function planOf(plan: Old): Plan {
  const { confidence, steps } = plan as { readonly confidence: Old; readonly steps: readonly Old[] };
  const { overall, intentClarity, targetMatch, valueConfidence } = confidence;
  return {
    ...plan,
    confidence: { overall, breakdown: { intentClarity, targetMatch, valueConfidence } },
    steps: steps.map((step) => ({
      secret: null,
      expectedResult: { type: "effect", expected: null },
      deferred: false,
      dependsOn: [],
      ...step,
    })),
    source: "page",
  } as unknown as Plan;
}

function questionOf(question: Old): Question {
  const options = (question.options ?? []) as readonly Old[];
  return {
    ...question,
    options: options.map(({ label, ...option }) => ({ ...option, text: label })),
    allowFreeform: true,
  } as unknown as Question;
}
