/** The input of the planner: the task, the page, and what the planner may ask. */
import type { HighlightedElement } from "../../machines/session/page/page-snapshot.ts";
import type { Models } from "../models/index.ts";
import type { AskMap, Position } from "./plan-from-map.ts";

export interface Planning {
  readonly id: string;
  readonly version: number;
  readonly task: string;
  readonly answers: Readonly<Record<string, string>>;
  /** The questions that the person has answered: the text of each question, by its id. */
  readonly asked: Readonly<Record<string, string>>;
  readonly done: readonly string[];
  /**
   * Words of the task that the last plan did not use. Present if the task is planned again on the page that
   * the last plan has reached.
   */
  readonly open?: readonly string[];
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
  readonly title: string;
}

export interface PlanSources {
  readonly models: Models;
  readonly signal: AbortSignal;
  /**
   * The map of the site; absent if the site has no map. `ask` sends a query to the map, and `position`
   * returns where the agent is on the map.
   */
  readonly map?: { readonly ask: AskMap; readonly position: () => Promise<Position> } | undefined;
}
