/**
 * Makes a plan from the first source that has an answer. The order is: the knowledge map, the words of the
 * current page, the configured model, and the best plan of the offline planner.
 */

import { dialogueLimits } from "../../machines/dialogue/limits.ts";
import { type PlanResult, readOrders } from "../../machines/dialogue/offline-planner.ts";
import { planRefined, type RefinedPlan } from "../../machines/dialogue/refine-loop.ts";
import type { HighlightedElement } from "../../machines/session/page-snapshot.ts";
import type { Models } from "../models/index.ts";
import { type AskMap, knownForm, knownRoutes, type Position, type TaskValues } from "./map-planner.ts";
import { planByModel } from "./model-planner.ts";

export interface Planning {
  readonly id: string;
  readonly version: number;
  readonly task: string;
  readonly answers: Readonly<Record<string, string>>;
  /** The text of each answered question, by the id of the question. */
  readonly asked: Readonly<Record<string, string>>;
  readonly done: readonly string[];
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
  readonly title: string;
}

export interface PlanSources {
  readonly models: Models;
  readonly signal: AbortSignal;
  /**
   * How to query the map of the site, and how to get the agent's position on it. Absent when the site has no
   * map.
   */
  readonly map?: { readonly ask: AskMap; readonly position: () => Promise<Position> } | undefined;
}

export async function makePlan(planning: Planning, sources: PlanSources): Promise<RefinedPlan> {
  const { map, models } = sources;
  const request = { ...planning };
  const orders = readOrders(planning.task, planning.answers, planning.elements);
  const position = map && (await map.position());
  const known = map && position ? await knownRoutes(orders, position, map.ask) : {};
  const planned = planRefined({ ...request, known });
  const isClear = (plan: PlanResult): boolean =>
    plan.questions.length === 0 && plan.plan.confidence.breakdown.targetMatch >= dialogueLimits.proceed;
  if (isClear(planned)) return planned;
  if (map && position) {
    const form = await knownForm(planning.task, valuesIn(orders), position, map.ask);
    if (form && Object.keys(valuesIn(orders)).length > 0) {
      const [first] = orders;
      const whole = Object.fromEntries(orders.map(({ at }) => [at, at === first?.at ? form : []]));
      return planRefined({ ...request, known: whole });
    }
  }
  if (!models.configured) return planned;
  const byModel = await planByModel(planning, sources);
  if (typeof byModel !== "string") return byModel;
  return { ...planned, plan: { ...planned.plan, fallback: byModel } };
}

/**
 * Returns the values that the task gives for fields and lists. The keys are the names of the fields as the
 * task writes them.
 */
function valuesIn(orders: ReturnType<typeof readOrders>): TaskValues {
  return Object.fromEntries(
    orders.flatMap(({ order }) =>
      order && (order.kind === "set" || order.kind === "input") && order.value !== null && order.target !== ""
        ? [[order.target, order.value]]
        : [],
    ),
  );
}
