/** Tests the history of an actor in the console, when stored events and live events arrive in any order. */
import { expect, test } from "bun:test";
import { createTimeline } from "../../../gateway/console/app/actors/actor-timeline.ts";
import type { Chart } from "../../../machines/inspection/statechart-of-state-machine.ts";
import type { ActorDetail } from "../../../machines/runtime/runtime-administration-schemas.ts";

const chart: Chart = { id: "job", states: [], transitions: [] };

/**
 * Returns the server's description of a job.
 *
 * @param events name and time of each event of the job
 */
function jobWith(...events: readonly (readonly [string, number])[]): ActorDetail {
  const last_events = events.map(([type, at]) => ({
    at: new Date(at).toISOString(),
    type,
    source: "caller",
    command_id: null,
    outcome: "ok",
    state: "running",
  }));
  // The cast is safe: the timeline reads only these fields of an actor.
  return { last_events, context: {}, mailbox: { waiting: 0, capacity: 1 } } as unknown as ActorDetail;
}

const liveEvent = (type: string, at: number) => ({
  event: { type: "@xstate.event", at, source: "caller", applied: true, event: { type } },
});

const namesIn = (timeline: ReturnType<typeof createTimeline>) =>
  timeline.getSnapshot().context.moments.map(({ what }) => what);

test("the timeline of an actor keeps a live event that is missing in an older answer of the server", () => {
  const timeline = createTimeline();
  timeline.trigger.read({ chart, actor: jobWith(["START", 1]), active: [] });
  timeline.trigger.missed();
  timeline.trigger.event(liveEvent("PAUSE", 5));
  timeline.trigger.read({ chart, actor: jobWith(["START", 1], ["READ", 3]), active: [] });
  expect(namesIn(timeline)).toEqual(["START", "READ", "PAUSE"]);
});

test("the timeline of an actor contains an event only once if it arrives live and is also in the answer of the server", () => {
  const timeline = createTimeline();
  timeline.trigger.read({ chart, actor: jobWith(["START", 1]), active: [] });
  timeline.trigger.missed();
  timeline.trigger.event(liveEvent("PAUSE", 5));
  timeline.trigger.read({ chart, actor: jobWith(["START", 1], ["PAUSE", 5], ["RESUME", 8]), active: [] });
  expect(namesIn(timeline)).toEqual(["START", "PAUSE"]);
  timeline.trigger.event(liveEvent("RESUME", 8));
  expect(namesIn(timeline)).toEqual(["START", "PAUSE", "RESUME"]);
});

test("the timeline of an actor adds events that it missed from the next answer of the server", () => {
  const timeline = createTimeline();
  timeline.trigger.read({ chart, actor: jobWith(["START", 1]), active: [] });
  timeline.trigger.event(liveEvent("PAUSE", 5));
  timeline.trigger.missed();
  timeline.trigger.read({ chart, actor: jobWith(["START", 1], ["PAUSE", 5], ["RESUME", 8]), active: [] });
  expect(namesIn(timeline)).toEqual(["START", "PAUSE", "RESUME"]);
});
