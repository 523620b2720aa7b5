/**
 * The rows that are stored when a gap (an unknown action) is filled: an inferred transition or inferred task
 * steps, with their reasons.
 */
import type { StoreWrite } from "../../machine-emissions.ts";
import type { TaskRecord } from "../../records/ingested-document-records.ts";
import type { TransitionRecord } from "../../records/map-records.ts";
import type { KnowledgeId } from "../../records/record-ids.ts";
import type { TransitionAction } from "../screens/page-to-screen.ts";
import { slug } from "../screens/screen-id.ts";
import type { TaskDefinition, TaskStep, TaskVariable } from "../tasks/task-definition.ts";
import type { GapContext } from "./known-facts-around-map-gap.ts";
import { gapLimits } from "./map-gap-limits.ts";
import { isEntry, type Proposal } from "./propose-steps-for-map-gap.ts";

export interface InferredTransitionRow {
  readonly from: string;
  readonly to: string;
  /** The action of the inferred transition, as JSON of `TransitionAction`. */
  readonly action: string;
  readonly confidence: number;
  readonly reasoning: string;
  /**
   * The action that the transition had before the inference. It is restored if sessions refute the inferred
   * action. `null` if the inference has created the transition.
   */
  readonly before: string | null;
}

export interface InferredSteps {
  readonly task_id: string;
  /** Number of the step before the inserted steps. */
  readonly after: number;
  readonly steps: readonly Omit<TaskStep, "order">[];
  readonly variables: readonly TaskVariable[];
}

/**
 * The result of filling a gap (an unknown action): a transition or steps of a task. Both fields are
 * `undefined` when the confidence is too low to store anything.
 */
export interface Inference {
  readonly transition: InferredTransitionRow | undefined;
  readonly steps: InferredSteps | undefined;
}

export interface InferredPart {
  readonly transitions: readonly InferredTransitionRow[];
  readonly tasks: readonly Pick<TaskRecord, "task_id" | "body">[];
}

export function inferenceOf(context: GapContext, proposal: Proposal): Inference {
  const nothing = { transition: undefined, steps: undefined };
  if (proposal.confidence <= gapLimits.storedAbove) return nothing;
  const transition = transitionRow(context, proposal);
  // If the transition is stored in the map, the task gets no steps: other tasks with the same gap (an unknown
  // action) can then use the transition too.
  if (transition || !context.task) return { ...nothing, transition };
  return { ...nothing, steps: taskSteps(context, proposal, context.task) };
}

function transitionRow(
  context: GapContext,
  { element, confidence, reasoning }: Proposal,
): InferredTransitionRow | undefined {
  const { transition, from_screen, to_screen, way } = context;
  if (!element?.control || way || !from_screen || !to_screen) return undefined;
  const [from, to] = transition
    ? [transition.from, transition.to]
    : [from_screen.screen_id, to_screen.screen_id];
  if (from === to) return undefined;
  const action: TransitionAction = {
    action_type: "click",
    name: element.label,
    target: element.control,
    url: to_screen.url,
  };
  return {
    from,
    to,
    action: JSON.stringify(action),
    confidence,
    reasoning,
    before: transition?.action ?? null,
  };
}

function taskSteps(
  context: GapContext,
  { actions }: Proposal,
  { task_id, after }: NonNullable<GapContext["task"]>,
): InferredSteps | undefined {
  const kept = actions.filter(
    ({ confidence, action_type }) => confidence > gapLimits.storedAbove && action_type !== "wait",
  );
  if (kept.length === 0) return undefined;
  const elements = [...(context.fields ?? []), ...context.elements];
  return {
    task_id,
    after,
    steps: kept.map(({ action_type, target, description, confidence, reasoning }) => ({
      action: {
        action_type: isEntry(action_type) ? "type" : action_type,
        target,
        parameters: action_type === "navigate" ? { url: target } : {},
      },
      description,
      inferred: { confidence, reasoning },
    })),
    variables: kept.flatMap(({ action_type, target }): TaskVariable[] => {
      if (!isEntry(action_type)) return [];
      const control = elements.find(({ label }) => label === target)?.control;
      return [{ name: slug(target), label: target, type: control?.attributes.type ?? "", required: true }];
    }),
  };
}

/** Returns the task with the inferred steps inserted and all steps renumbered. */
export function withSteps(task: TaskDefinition, inferred: readonly InferredSteps[]): TaskDefinition {
  const steps = task.steps.flatMap((step): Omit<TaskStep, "order">[] => [
    step,
    ...inferred.filter(({ after }) => after === step.order).flatMap((one) => one.steps),
  ]);
  const variables = new Map(task.variables.map((variable) => [variable.name, variable]));
  // A vague step such as "fill in the form" was replaced by one step for each field. The task no longer needs
  // the variable of the vague step.
  for (const { after, variables: fields } of inferred) {
    const vague = task.steps.find(({ order }) => order === after);
    if (fields.length > 0 && vague) variables.delete(slug(vague.action.target));
  }
  for (const one of inferred)
    for (const variable of one.variables)
      if (!variables.has(variable.name)) variables.set(variable.name, variable);
  return {
    ...task,
    steps: steps.map((step, at) => ({ ...step, order: at + 1 })),
    variables: [...variables.values()],
  };
}

export function inferenceWrites(
  knowledgeId: KnowledgeId,
  { transitions, tasks }: InferredPart,
): readonly StoreWrite[] {
  const writes: StoreWrite[] = [];
  const rows = transitions.map(
    ({ from, to, action, confidence, reasoning, before }): TransitionRecord => ({
      in: [knowledgeId, from],
      out: [knowledgeId, to],
      knowledge_id: knowledgeId,
      action,
      successes: 0,
      failures: 0,
      inferred: true,
      confidence,
      reasoning,
      ...(before === null ? {} : { before }),
    }),
  );
  if (rows.length > 0) writes.push({ op: "relate", edge: "transition", rows });
  const changed = tasks.map(({ task_id, body }) => ({ id: [knowledgeId, task_id] as const, body }));
  if (changed.length > 0) writes.push({ op: "merge", table: "task", rows: changed });
  return writes;
}
