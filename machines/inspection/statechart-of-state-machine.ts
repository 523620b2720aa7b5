/**
 * Converts a state machine to plain data, for lists and diagrams. All ids in the data are stable: a
 * transition's id consists of its source state, its event, and its position among the transitions with the
 * same source and event.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";
import type { Chart, ChartState, ChartTransition } from "./statechart-schema.ts";

export type { Chart, ChartState, ChartTransition };

/** Returns the name of an action or a guard. XState stores it as a string, an object with a type, or a function. */
function nameOf(thing: unknown, unnamed: string): string {
  if (typeof thing === "string") return thing;
  if (typeof thing !== "object" && typeof thing !== "function") return unnamed;
  if (thing === null) return unnamed;
  const type = "type" in thing && typeof thing.type === "string" ? thing.type : "";
  return type === "" ? unnamed : type.replace(/^xstate\./, "");
}

const TIMER = /^xstate\.after\.(.+)$/;

/** Returns the readable name of an event or timer: `after rest`, `done: crawl`, `error: crawl`, `always`. */
function labelOf(event: string, source: AnyStateNode): string {
  if (event === "") return "always";
  const timer = TIMER.exec(event)?.[1];
  if (timer !== undefined) {
    const delay = timer.endsWith(`.${source.id}`) ? timer.slice(0, -source.id.length - 1) : timer;
    return `after ${/^\d+$/.test(delay) ? `${delay} ms` : delay}`;
  }
  const [, outcome, of] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(event) ?? [];
  if (outcome !== undefined) return `${outcome}: ${of}`;
  if (event.startsWith("xstate.done.state.")) return "done";
  return event === "*" ? "any other event" : event;
}

function siblings({ source, eventType }: AnyTransitionDefinition): readonly AnyTransitionDefinition[] {
  return (eventType === "" ? source.always : source.transitions.get(eventType)) ?? [];
}

export function transitionId(transition: AnyTransitionDefinition): string {
  return `${transition.source.id}|${transition.eventType}|${siblings(transition).indexOf(transition)}`;
}

export function guardName({ guard }: AnyTransitionDefinition): string | null {
  return guard === undefined ? null : nameOf(guard, "condition");
}

export function targetIds({ target }: AnyTransitionDefinition): string[] {
  return target?.map(({ id }) => id) ?? [];
}

function chartTransition(transition: AnyTransitionDefinition): ChartTransition {
  const { source, eventType, actions, reenter } = transition;
  return {
    id: transitionId(transition),
    source: source.id,
    targets: targetIds(transition),
    event: eventType,
    label: labelOf(eventType, source),
    guard: guardName(transition),
    actions: actions.map((action) => nameOf(action, "function")),
    reenter,
  };
}

/** Returns the actions without those that XState itself adds for timers. */
function ownActions(node: AnyStateNode, actions: readonly unknown[]): string[] {
  const timers = node.after.length;
  const named = actions.map((action) => nameOf(action, "function"));
  let left = timers;
  return named.filter((name) => {
    if (left > 0 && (name === "raise" || name === "cancel")) {
      left -= 1;
      return false;
    }
    return true;
  });
}

function chartState(node: AnyStateNode): ChartState {
  return {
    id: node.id,
    key: node.key,
    parent: node.parent?.id ?? null,
    type: node.type,
    history: node.type === "history" ? node.history || "shallow" : null,
    initial: node.type === "compound" ? (node.initial.target[0]?.id ?? null) : null,
    entry: ownActions(node, node.entry),
    exit: ownActions(node, node.exit),
    invokes: node.invoke.map(({ id, src }) => ({ id, src: typeof src === "string" ? src : nameOf(src, id) })),
    description: node.description ?? null,
  };
}

/** Converts a state machine to plain data for lists and diagrams. */
export function chartOf(machine: AnyStateMachine): Chart {
  const states: ChartState[] = [];
  const transitions: ChartTransition[] = [];
  const visit = (node: AnyStateNode): void => {
    states.push(chartState(node));
    for (const list of node.transitions.values()) transitions.push(...list.map(chartTransition));
    transitions.push(...(node.always ?? []).map(chartTransition));
    for (const child of Object.values(node.states)) visit(child);
  };
  visit(machine.root);
  return { id: machine.id, states, transitions };
}

/**
 * Returns the ids of the active states in an XState state value, starting with the root. A state that is
 * missing in the chart is left out.
 */
export function activeStates(chart: Chart, value: unknown): readonly string[] {
  const byParent = Map.groupBy(chart.states, ({ parent }) => parent);
  const active: string[] = [];
  const enter = (state: ChartState | undefined, inside: unknown): void => {
    if (!state) return;
    active.push(state.id);
    const children = byParent.get(state.id) ?? [];
    if (typeof inside === "string")
      enter(
        children.find(({ key }) => key === inside),
        undefined,
      );
    else if (typeof inside === "object" && inside !== null) {
      for (const [key, further] of Object.entries(inside))
        enter(
          children.find((child) => child.key === key),
          further,
        );
    }
  };
  enter(chart.states[0], value);
  return active;
}
