/** A plan with its task and page, as the checks of plans receive it. */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import type { WordVectors } from "../words/word-vectors.ts";

export interface PlanOnPage {
  readonly task: string;
  readonly steps: readonly PlanStep[];
  readonly elements: readonly HighlightedElement[];
  /** Vectors with which nouns of the task and of controls are compared; absent until they are loaded. */
  readonly vectors?: WordVectors | undefined;
}
