/**
 * The history of one actor: first the stored events, then live events from `/ws/inspect`. Each entry of the
 * history (a moment) contains the actor's state at that time, so that a person can look at earlier states.
 */
import { createStore } from "@xstate/store";
import type { Chart, ChartTransition } from "../../../../machines/inspection/statechart-of-state-machine.ts";
import type { ActorDetail } from "../../../../machines/runtime/runtime-administration-schemas.ts";
import type { LiveEvent } from "../reconnecting-websocket.ts";

/** Maximum number of moments in the history of an actor. A moment is the actor's state after one event. */
const MOST_MOMENTS = 500;

export interface Moment {
  /** Sequence number of the moment in the history. It does not change when older moments are dropped. */
  readonly number: number;
  /** Time of the recorded event, effect or message, in milliseconds since the epoch. */
  readonly at: number;
  readonly kind: "event" | "effect" | "timer" | "send" | "note";
  readonly cause: string;
  readonly what: string;
  readonly outcome: string;
  /** Ids of the states of the state machine that are active after the event. */
  readonly active: readonly string[];
  /** Ids of the transitions that the event has caused. */
  readonly taken: readonly string[];
  /** The state machine's context after the event; absent if it was not recorded. */
  readonly context?: unknown;
}

interface Timeline {
  readonly moments: readonly Moment[];
  /**
   * Index of the moment that the person has selected; `undefined` while the view follows the newest moment.
   */
  readonly chosen: number | undefined;
  readonly waiting: number;
  /**
   * Number of the first moment (entry of the history) after a loss of live events; `undefined` if none were
   * lost. The moments before it are incomplete, and the next read of the stored events replaces them.
   */
  readonly completeFrom: number | undefined;
}

/**
 * Returns the ids of all states that the name of a state contains. Examples of names are `active.running`, and
 * `on.loud,disc.still` for a parallel state.
 */
function statesOfName(chart: Chart, name: string): readonly string[] {
  const root = chart.states[0]?.id ?? "";
  const paths = name.split(",").map((path) => path.split("."));
  const first = paths[0]?.slice(0, -1) ?? [];
  const active = new Set([root]);
  for (const path of paths) {
    // The name of a parallel state lists several states. A state after the first may be written without the path of
    // the first: `on.loud,still` means `on.loud,on.still`. So each state is searched with and without this path.
    for (const keys of [path, [...first, ...path]]) {
      let id = root;
      for (const key of keys) {
        id = `${id}.${key}`;
        if (chart.states.some((state) => state.id === id)) active.add(id);
      }
    }
  }
  return [...active];
}

/**
 * Returns the transition that an event has caused between two given states. Returns `undefined` if no
 * transition fits or several do.
 */
function transitionOf(
  chart: Chart,
  event: string,
  before: readonly string[] | undefined,
  after: readonly string[],
): readonly string[] {
  const fits = ({ event: trigger, source, targets }: ChartTransition): boolean =>
    trigger === event &&
    (before === undefined || before.includes(source)) &&
    targets.every((target) => after.includes(target));
  const possible = chart.transitions.filter(fits);
  return possible.length === 1 ? possible.map(({ id }) => id) : [];
}

function momentsOf(chart: Chart, { last_events }: ActorDetail): readonly Moment[] {
  // Events with the source `outbox` are messages that the actor has sent. They are left out, because they are
  // not events of its state machine.
  const events = last_events.filter(({ source }) => source !== "outbox");
  let before: readonly string[] | undefined;
  return events.map(({ at, type, source, outcome, state }, number) => {
    const active = state === "parked" ? [] : statesOfName(chart, state);
    const taken = transitionOf(chart, type, before, active);
    before = active;
    return { number, at: Date.parse(at), kind: "event", cause: source, what: type, outcome, active, taken };
  });
}

interface Snapshot {
  readonly active?: readonly string[];
  readonly context?: unknown;
}

/**
 * Adds a live event to the history of an actor. Some events start a new moment. Others, such as a snapshot,
 * add data to the newest moment.
 */
function withEvent(moments: readonly Moment[], event: LiveEvent): readonly Moment[] {
  const last = moments.at(-1);
  const at = typeof event.at === "number" ? event.at : 0;
  const text = (field: string): string => {
    const value = event[field];
    return typeof value === "string" ? value : "";
  };
  const add = (kind: Moment["kind"], cause: string, what: string, outcome = "ok"): readonly Moment[] =>
    [
      ...moments,
      {
        number: (last?.number ?? -1) + 1,
        at,
        kind,
        cause,
        what,
        outcome,
        active: last?.active ?? [],
        taken: [],
        context: last?.context,
      },
    ].slice(-MOST_MOMENTS);
  const change = (changed: Partial<Moment>): readonly Moment[] =>
    last ? [...moments.slice(0, -1), { ...last, ...changed }] : moments;
  // The casts are safe: `actors/runtime/inspection` writes these fields with these shapes.
  const snapshot = (event.snapshot ?? {}) as Snapshot;
  switch (event.type) {
    case "@xstate.event": {
      const outcome = text("refused") || (event.applied === false ? "no effect" : "ok");
      return add(
        "event",
        text("source"),
        (event.event as { type?: string } | undefined)?.type ?? "",
        outcome,
      );
    }
    case "@xstate.microstep": {
      const transitions = (event.transitions ?? []) as readonly { readonly id: string }[];
      const isSameStep = last?.kind === "event" && last.taken.length > 0;
      const taken = [...(isSameStep ? last.taken : []), ...transitions.map(({ id }) => id)];
      return change({ taken, active: snapshot.active ?? last?.active ?? [] });
    }
    case "@xstate.snapshot":
      return change({ active: snapshot.active ?? last?.active ?? [], context: snapshot.context });
    case "@cairn.effect":
      return add("effect", `effect ${text("effect")}`, text("phase"), text("code") || "ok");
    case "@cairn.timer":
      return add("timer", `timer ${text("timer")}`, text("phase"));
    case "@cairn.send":
      return event.phase === "sent"
        ? add("send", `to ${text("to")}`, (event.event as { type?: string } | undefined)?.type ?? "")
        : moments;
    case "@cairn.dead_letter":
      return add("note", "dead letter", text("message"), text("code"));
    case "@cairn.passivated":
      return add("note", "memory", "left memory until it is needed again");
    case "@xstate.actor":
      return add("note", "memory", "loaded into memory");
    default:
      return moments;
  }
}

/**
 * Replaces the list of moments. If the oldest moment is missing in the new list, all moments have moved by
 * one position. The index of the selected moment is then reduced by one, so that the same moment stays
 * selected.
 */
function followed(timeline: Timeline, moments: readonly Moment[]): Timeline {
  const { chosen } = timeline;
  const isShifted = moments.length === MOST_MOMENTS && moments[0] !== timeline.moments[0];
  return {
    ...timeline,
    moments,
    chosen: isShifted && chosen !== undefined ? Math.max(0, chosen - 1) : chosen,
  };
}

/**
 * Joins the stored events with the live events that arrived while the stored ones were read. An event may be
 * in both lists. It is then taken from the live events, because they contain more data.
 */
function joined(stored: readonly Moment[], live: readonly Moment[]): readonly Moment[] {
  const firstLive = live.find(({ kind }) => kind === "event")?.at ?? Number.POSITIVE_INFINITY;
  return [...stored.filter(({ at }) => at < firstLive), ...live]
    .slice(-MOST_MOMENTS)
    .map((moment, number) => ({ ...moment, number }));
}

export function createTimeline() {
  const first: Timeline = { moments: [], chosen: undefined, waiting: 0, completeFrom: 0 };
  return createStore({
    context: first,
    on: {
      /**
       * Stores the actor's state from the server's answer. Events that arrive live afterwards are added to
       * it.
       */
      read: (
        timeline,
        { chart, actor, active }: { chart: Chart; actor: ActorDetail; active: readonly string[] },
      ) => {
        const { completeFrom } = timeline;
        // Entries of the history that were made from live events contain more data than those from stored
        // events. So the existing entries are kept, unless live events were missed.
        const moments =
          completeFrom === undefined
            ? timeline.moments
            : joined(
                momentsOf(chart, actor),
                timeline.moments.filter(({ number }) => number >= completeFrom),
              );
        const newest = moments.at(-1);
        const shown: Moment = newest
          ? { ...newest, active, context: actor.context }
          : {
              number: 0,
              at: Date.now(),
              kind: "note",
              cause: "memory",
              what: "as it was stored",
              outcome: "ok",
              active,
              taken: [],
              context: actor.context,
            };
        return {
          ...timeline,
          moments: [...moments.slice(0, -1), shown],
          waiting: actor.mailbox.waiting,
          chosen: completeFrom === undefined ? timeline.chosen : undefined,
          completeFrom: undefined,
        };
      },
      /**
       * Records that live events were lost. The next read of the stored events replaces all entries of the history so
       * far.
       */
      missed: (timeline) => ({ ...timeline, completeFrom: (timeline.moments.at(-1)?.number ?? -1) + 1 }),
      event: (timeline, { event }: { event: LiveEvent }) =>
        event.type === "@cairn.mailbox"
          ? { ...timeline, waiting: typeof event.waiting === "number" ? event.waiting : 0 }
          : followed(timeline, withEvent(timeline.moments, event)),
      choose: (timeline, { moment }: { moment: number | undefined }) => ({
        ...timeline,
        chosen: moment === undefined || moment >= timeline.moments.length - 1 ? undefined : moment,
      }),
    },
  });
}

export type TimelineStore = ReturnType<typeof createTimeline>;
