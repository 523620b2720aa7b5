/**
 * Tasks as the protocol specification defines them: ordered steps with actions, variables and success
 * criteria.
 */
import type { Control } from "../../records/page-control-records.ts";

export interface TaskAction {
  /**
   * Name of the step's action (`navigate`, `click`, `type`, `select_dropdown`); `unknown` for a step without
   * a known action.
   */
  readonly action_type: string;
  readonly target: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface TaskStep {
  readonly order: number;
  readonly action: TaskAction;
  /** The text that describes the step in its source (a document or a recording). */
  readonly description: string;
  /** The step's target element, as the recording describes it. */
  readonly control?: Control;
  /** The address of the page on which this step of a task was recorded. */
  readonly url?: string;
  /**
   * Present if the step was inferred to fill a gap (an unknown action). No document or recording contains
   * such a step.
   */
  readonly inferred?: { readonly confidence: number; readonly reasoning: string };
}

export interface TaskVariable {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  /** An example of the value from the recording; absent if the value may be secret. */
  readonly example?: string;
}

export type TaskOrigin = "form" | "recording" | "document" | "video" | "model";

export interface TaskDefinition {
  readonly task_id: string;
  readonly name: string;
  readonly description: string;
  readonly origin: TaskOrigin;
  readonly source_id: string;
  readonly steps: readonly TaskStep[];
  readonly variables: readonly TaskVariable[];
  readonly success_criteria: readonly string[];
}
