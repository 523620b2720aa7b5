/** What the pressing part of an exploration takes, reports and answers. */
import type { FoundState, FoundTransition } from "../knowledge/page-state.ts";
import type { ExplorationRequest } from "./exploration-context.ts";

export interface PressInput {
  readonly job_id: string;
  readonly request: ExplorationRequest;
  readonly max_actions: number;
  readonly max_seconds: number;
}

export interface PressCounts {
  /** Elements that were pressed. */
  readonly actions: number;
  /** States that were found beside the pages. */
  readonly states: number;
}

/** States and transitions, as they are found. */
export interface PressBatch {
  readonly states: readonly FoundState[];
  readonly transitions: readonly FoundTransition[];
  readonly counts: PressCounts;
}

export interface PressOutput extends PressCounts {
  /** Elements that were left alone because they may change something. */
  readonly unsafe: number;
  /** Requests that were held back because they would have written. */
  readonly held: number;
  readonly stopped_by: "nothing_left" | "max_actions" | "max_seconds";
}
