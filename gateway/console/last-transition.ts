/**
 * Which transition an actor took last, read from the events that are remembered of it. Pure.
 *
 * They say what came and where the actor was after it, which leaves one transition in most cases; in the others
 * none is named. From then on `/ws/inspect` tells it exactly.
 */
import type { Chart, ChartTransition } from "../../machines/inspection/chart.ts";
import type { ActorDetail } from "../../machines/runtime/protocol.ts";

/** Is a state (`player.on.disc`) one of those that a state's name (`on.sound.loud,disc.still`) means? */
function isIn(chart: Chart, id: string, name: string): boolean {
  const root = chart.states[0]?.id ?? "";
  const within = id === root ? "" : id.slice(root.length + 1);
  return within === "" || within.split(".").every((key) => name.split(/[.,]/).includes(key));
}

/** The id of the transition; `undefined` when it cannot be told. */
export function lastTransition(chart: Chart, remembered: ActorDetail["last_events"]): string | undefined {
  const events = remembered.filter(({ source }) => source !== "outbox");
  const last = events.at(-1);
  if (!last) return undefined;
  const before = events.at(-2);
  const fits = ({ event, source, targets }: ChartTransition): boolean =>
    event === last.type &&
    (before === undefined || isIn(chart, source, before.state)) &&
    targets.every((target) => isIn(chart, target, last.state));
  const [only, ...others] = chart.transitions.filter(fits);
  return others.length === 0 ? only?.id : undefined;
}
