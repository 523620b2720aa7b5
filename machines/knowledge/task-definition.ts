/** Tasks as the protocol specification defines them: ordered steps with actions, variables, success criteria. */
import type { Control } from "../records.ts";

export interface TaskAction {
  /** As in the map: `navigate`, `click`, `type`, `select_dropdown`, …; `unknown` where a step names no action. */
  readonly action_type: string;
  /** The element or screen in words. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface TaskStep {
  readonly order: number;
  readonly action: TaskAction;
  /** The step as the source says it. */
  readonly description: string;
  /** The element as a recording saw it. */
  readonly control?: Control;
  /** The page where it was recorded. */
  readonly url?: string;
  /** The step fills a gap: no source names it. */
  readonly inferred?: { readonly confidence: number; readonly reasoning: string };
}

export interface TaskVariable {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  /** What was recorded; absent for what may be a secret. */
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
