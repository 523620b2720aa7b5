/** Plans from the knowledge map: the route to a known screen, and the form of a known task. No model is needed. */
import type { ReadOrder } from "../../machines/dialogue/offline-planner.ts";
import type { PlanStep, StepTarget } from "../../machines/dialogue/plan-schemas.ts";
import { contentWords } from "../../machines/dialogue/target-words.ts";
import type { AgentContext, AgentResponse, BrowserUseAction } from "../../machines/knowledge/protocol.ts";
import { isHighRisk } from "../../machines/risk/risk-words.ts";
import type { ElementDescription } from "../../machines/session/element-locator.ts";

export interface MapQuestion {
  readonly instruction_type: "navigate_to_screen" | "execute_task";
  readonly target: string;
  readonly context: AgentContext;
}

export type AskMap = (question: MapQuestion) => Promise<AgentResponse>;

/** Where the agent is, for the map. */
export interface Position {
  readonly url: string;
  readonly dom_summary: string;
}

/** Minimum confidence of a route that replaces the search on the page. */
const MIN_ROUTE = 0.6;
/** Share of the words of a place that the screen's name must have. */
const MIN_NAME_SHARE = 0.6;

/** Steps for the orders that name a place the map knows, by the number of the order. */
export async function knownRoutes(
  orders: readonly ReadOrder[],
  position: Position,
  ask: AskMap,
): Promise<Readonly<Record<number, readonly PlanStep[]>>> {
  const known: Record<number, readonly PlanStep[]> = {};
  const context = { current_url: position.url, dom_summary: position.dom_summary };
  for (const { at, order } of orders) {
    // A later place is reached from where the one before has led: the map plans from here only.
    if (!order?.isPlace || Object.keys(known).length > 0) continue;
    const answer = await ask({ instruction_type: "navigate_to_screen", target: order.target, context });
    const steps = answer.success ? routeSteps(answer, order.target) : undefined;
    if (steps) known[at] = steps;
  }
  return known;
}

function routeSteps({ actions, metadata, expected_result }: AgentResponse, wanted: string) {
  const { confidence, screen_name, waypoints } = metadata;
  if (typeof confidence === "number" && confidence < MIN_ROUTE) return undefined;
  const words = contentWords(wanted);
  const named = contentWords(typeof screen_name === "string" ? screen_name : "");
  const share = words.filter((word) => named.includes(word)).length / Math.max(1, words.length);
  if (share < MIN_NAME_SHARE) return undefined;
  // The knowledge kind makes them; the protocol leaves the answer's records open.
  const places = (Array.isArray(waypoints) ? waypoints : []) as readonly { readonly screen_id?: string }[];
  const goal = typeof expected_result.screen_id === "string" ? expected_result.screen_id : null;
  const steps = actions.map((action, at) =>
    mapStep(action, at === actions.length - 1 ? goal : (places[at]?.screen_id ?? null)),
  );
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/** Values of a task by the names of their fields. */
export type TaskValues = Readonly<Record<string, string>>;

/** Steps of a form that the map knows and the page does not show; `undefined` when it does not take all values. */
export async function knownForm(
  task: string,
  values: TaskValues,
  position: Position,
  ask: AskMap,
): Promise<readonly PlanStep[] | undefined> {
  const context = { current_url: position.url, dom_summary: position.dom_summary, parameters: values };
  const answer = await ask({ instruction_type: "execute_task", target: task, context });
  if (!answer.success) return undefined;
  const entered = answer.actions.filter(({ parameters }) => typeof parameters.text === "string");
  if (entered.length < Object.keys(values).length) return undefined;
  // Fields without a value are not entered.
  const wanted = answer.actions.filter(
    ({ tool_name, parameters }) =>
      tool_name === "navigate" || tool_name === "click" || typeof parameters.text === "string",
  );
  const steps = wanted.map((action) => mapStep(action, null));
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function mapStep(action: BrowserUseAction, screen: string | null): PlanStep | undefined {
  const { tool_name, parameters, description, confidence } = action;
  const { url, text } = parameters;
  const base = {
    targetId: null,
    secret: null,
    expectedResult:
      screen === null
        ? ({ type: "effect", expected: null } as const)
        : ({ type: "screen", expected: screen } as const),
    description,
    risk: "low" as const,
    reversible: true,
    confidence,
    deferred: false,
    dependsOn: [],
  };
  if (tool_name === "navigate" && typeof url === "string")
    return { ...base, action: "navigate", target: null, value: url };
  const target = targetOf(parameters);
  if (!target) return undefined;
  if (tool_name === "input" && typeof text === "string") {
    return {
      ...base,
      action: "input",
      target,
      value: text,
      expectedResult: { type: "value", expected: text },
    };
  }
  if (tool_name !== "click") return undefined;
  const isRisky = isHighRisk(`${target.name} ${description}`);
  return {
    ...base,
    action: "click",
    target,
    value: null,
    risk: isRisky ? "high" : "low",
    reversible: !isRisky,
  };
}

function targetOf({ fingerprint, text }: BrowserUseAction["parameters"]): StepTarget | undefined {
  const { role, name, attributes } = (fingerprint ?? {}) as ElementDescription; // The map wrote the description.
  const called = name ?? (typeof text === "string" ? text : "");
  if (called === "") return undefined;
  return { role: role ?? "", name: called, ...(attributes ? { attributes: { ...attributes } } : {}) };
}
