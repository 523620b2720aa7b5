/**
 * Finds the transition an actor took last, from its recorded events.
 * Events contain the trigger and the resulting state, which usually determines one transition. Otherwise the
 * result is `undefined`; later transitions come exactly from `/ws/inspect`.
 */
import type { Chart, ChartTransition } from "../../machines/inspection/statechart.ts";
import type { ActorDetail } from "../../machines/runtime/protocol.ts";

/** Whether a state (`player.on.disc`) is part of a state's name (`on.sound.loud,disc.still`). */
function isIn(chart: Chart, id: string, name: string): boolean {
  const root = chart.states[0]?.id ?? "";
  const within = id === root ? "" : id.slice(root.length + 1);
  return within === "" || within.split(".").every((key) => name.split(/[.,]/).includes(key));
}

/** The id of the transition; `undefined` when several are possible. */
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
