/**
 * Tests the state machine of a session. Actions run one after another, and each gets an outcome, even if the
 * browser fails.
 */
import { describe, expect, test } from "bun:test";
import { type AnyMachineSnapshot, initialTransition, transition } from "xstate";
import type { Emitted } from "../../../machines/machine-emissions.ts";
import {
  type SessionEventType,
  sessionEventSchema,
} from "../../../machines/session/browser-event-schemas.ts";
import { sessionTopic } from "../../../machines/session/build-session-events.ts";
import { sessionLimits } from "../../../machines/session/session-limits.ts";
import {
  type SessionContext,
  type SessionEvent,
  sessionMachine,
  sessionPhase,
} from "../../../machines/session/session-machine.ts";
import { withStreaming } from "../../../machines/session/session-video-states.ts";

const options = { initial_url: null, viewport_width: 800, viewport_height: 600 };
const done = { success: true, error: null, data: {} } as const;

/** Sends events to the state machine in the same way as the runtime does. */
class Player {
  #snapshot: AnyMachineSnapshot = initialTransition(sessionMachine, { id: "room" })[0];
  said: Emitted[] = [];
  /** Names of the published events, in order. */
  readonly published: string[] = [];
  spawned: string[] = [];
  stopped: string[] = [];

  send(event: { readonly type: string; readonly [field: string]: unknown }): this {
    const [next, actions] = transition(
      sessionMachine,
      this.#snapshot as never,
      { at: 1, ...event } as SessionEvent,
    );
    this.#snapshot = next;
    this.said = [];
    // The cast is needed: XState's type contains only the machine's own actions, but this loop also reads
    // built-in actions such as `xstate.emit`.
    for (const { type, params } of actions as readonly {
      readonly type: string;
      readonly params?: unknown;
    }[]) {
      const { event: emitted, id } = params as { event?: Emitted; id?: string };
      if (type === "xstate.emit" && emitted?.type === "publish") this.#publish(emitted);
      else if (type === "xstate.emit" && emitted) this.said.push(emitted);
      if (type === "xstate.spawnChild" && id) this.spawned.push(id);
      if (type === "xstate.stopChild" && id) this.stopped.push(id);
    }
    return this;
  }

  #publish({ topic, event }: Extract<Emitted, { type: "publish" }>): void {
    this.published.push(event.type);
    expect(topic).toBe(sessionTopic("room", event.type as SessionEventType));
    // The events in these tests get a number and an id, as in the runtime.
    expect(sessionEventSchema.parse({ ...event, event_id: "e-1", seq: 1 })).toEqual(
      expect.objectContaining({ timestamp: 0.001, room_name: "room" }),
    );
  }

  get context(): SessionContext {
    return this.#snapshot.context;
  }

  get value(): unknown {
    return this.#snapshot.value.session;
  }

  /** State of the state machine's parallel region for the video. */
  get streaming(): unknown {
    return this.#snapshot.value.streaming;
  }

  get phase(): string {
    return sessionPhase(this.context, this.#snapshot.value);
  }
}

const act = (command_id: string) => ({ type: "ACT", command_id, action: { name: "refresh", params: {} } });
const news = (type: string) => ({ type });
const acted = (id: string) => ({ type: "ACTED", id, outcome: done, url: "https://a.test/" });
const live = () =>
  new Player().send({ type: "START", options }).send({ type: "OPENED", outcome: done, url: "about:blank" });

/** Whether a write changes a table of recordings. */
const ofRecording = (write: object) => "table" in write && String(write.table).startsWith("recording");

describe("the state machine of a session", () => {
  test("opens the browser once, and replies to a repeated start with the running session", () => {
    const player = new Player();
    expect(player.phase).toBe("absent");
    expect(player.send(act("early")).said).toMatchObject([
      { type: "refuse", code: "session.not_found", status: 404 },
    ]);
    expect(player.send({ type: "START", options }).said).toEqual([
      { type: "reply", body: { existing: false } },
    ]);
    expect(player.phase).toBe("starting");
    expect(player.send({ type: "START", options }).said).toEqual([
      { type: "reply", body: { existing: true } },
    ]);
    expect(player.spawned).toEqual(["browse"]);
    expect(player.send({ type: "OPENED", outcome: done, url: "https://a.test/" }).phase).toBe("live");
  });

  test("replaces the failed sign-in of its start by one that succeeds later", () => {
    const failed = { success: false, error: "Wrong password.", data: { code: "login_failed" } };
    const player = new Player().send({ type: "START", options });
    player.send({ type: "OPENED", outcome: failed, url: "about:blank" });
    player.send(act("1")).send(acted("1"));
    expect(player.context.opened).toEqual(failed);
    player.send({ type: "ACT", command_id: "2", action: { name: "login", params: {} } }).send(acted("2"));
    expect(player.context.opened).toEqual(done);
  });

  test("refuses actions while a person has control, until the person releases control or stops renewing it", () => {
    const take = (holder: string) => ({ type: "TAKE_CONTROL", holder, name: "Ann" });
    const player = live().send(take("ann-1"));
    expect(player.said).toEqual([{ type: "reply", body: { holder: "ann-1" } }]);
    expect(player.send(act("1")).said).toMatchObject([
      { type: "refuse", code: "session.held", status: 409, details: { by: "Ann" } },
    ]);
    expect(player.send(take("ben-1")).said).toMatchObject([{ type: "refuse", code: "session.held" }]);
    player.send(take("ann-1")).send({ type: "RELEASE_CONTROL", holder: "ben-1" });
    expect(player.context.control).toEqual({ holder: "ann-1", name: "Ann" });
    player.send(news("CONTROL_SILENT"));
    expect(player.context.control).toBeNull();
    expect(player.send(act("1")).said).toEqual([{ type: "reply", body: { id: "1" } }]);
    player.send(take("ben-1")).send({ type: "RELEASE_CONTROL", holder: "ben-1" });
    expect(player.published.filter((type) => type.startsWith("control"))).toEqual([
      "control_taken",
      "control_released",
      "control_taken",
      "control_released",
    ]);
  });

  test("lets an action that requests it wait while a person has control, and runs it after the release", () => {
    const player = live().send({ type: "TAKE_CONTROL", holder: "ann-1", name: "Ann" });
    expect(player.send({ ...act("1"), when_held: "wait" }).said).toMatchObject([
      { type: "reply", body: { id: "1" } },
    ]);
    expect(player.context).toMatchObject({ acting: null, waiting: [{ id: "1" }] });
    expect(player.send(act("2")).said).toMatchObject([{ type: "refuse", code: "session.held" }]);
    player.send({ type: "RELEASE_CONTROL", holder: "ann-1" });
    expect(player.context).toMatchObject({ acting: { id: "1" }, waiting: [] });
    expect(player.send(acted("1")).context.outcomes).toMatchObject([{ id: "1" }]);
  });

  test("reports participants of its LiveKit room, and wakes for a new participant unless its video is paused", () => {
    const joined = { type: "LIVEKIT", notice: "participant_joined", identity: "ann", name: "Ann" };
    const left = { type: "LIVEKIT", notice: "participant_left", identity: "ann" };
    const player = live().send(joined).send(left).send({ type: "LIVEKIT", notice: "room_finished" });
    expect(player.published).toEqual([
      "presentation_started",
      "participant_joined",
      "participant_left",
      "room_finished",
    ]);
    expect(player.phase).toBe("live");
    player.send(news("RESTED")).send(left);
    expect(player.phase).toBe("hibernated");
    expect(player.send(joined).value).toEqual({ live: "waking" });
    const paused = live().send(news("PAUSE")).send(news("RESTED")).send(joined);
    expect(paused.phase).toBe("hibernated");
    expect(paused.send({ type: "WAKE" }).context.video_paused).toBe(true);
    const absent = new Player().send(joined);
    expect([absent.published, absent.phase]).toEqual([[], "absent"]);
  });

  test("lets the video publisher report the start of streaming, if it has a LiveKit room", () => {
    const player = new Player().send({ type: "START", options: { ...options, livekit: { fps: 10 } } });
    expect(player.send({ type: "OPENED", outcome: done, url: "about:blank" }).published).toEqual([]);
  });

  test("hibernates before it moves to another node, where the waiting actions run after the restore", () => {
    const player = live().send(act("1")).send(act("2")).send(news("LEAVING"));
    // An action is running, so the session hibernates only after its end.
    expect(player.send(news("LEFT")).value).toEqual({ live: "acting" });
    expect(player.send(acted("1")).value).toEqual({ live: "ready" });
    player.stopped = [];
    expect(player.send(news("LEFT")).value).toEqual({ live: "waking" });
    expect(player.stopped).toEqual(["browse"]);
    expect(player.context).toMatchObject({ restore: "hibernation", leaving: false });
    player.send({ type: "OPENED", outcome: done, url: "https://a.test/" });
    expect(player.context.acting?.id).toBe("2");

    const idle = live().send(news("LEAVING")).send(news("LEFT"));
    expect(idle.phase).toBe("hibernated");
    expect(idle.send(act("3")).value).toEqual({ live: "waking" });
  });

  test("restores the previous save if the last save before a move to another node failed", () => {
    const player = live().send(act("1")).send(act("2")).send(news("LEAVING")).send(news("LOST"));
    expect(player.phase).toBe("hibernated");
    expect(
      player.context.outcomes.map(({ id, outcome }) => [id, outcome.data.code, outcome.data.begun]),
    ).toEqual([
      ["1", "interrupted", undefined],
      ["2", "interrupted", false],
    ]);
    expect(live().send(news("LOST")).phase).toBe("failed");
  });

  test("stores every outcome as a row, even of interrupted actions", () => {
    const player = live().send(act("1")).send(act("2")).send(acted("1"));
    const rows = () =>
      player.said.flatMap((one) =>
        one.type === "write"
          ? one.writes.flatMap((write) =>
              write.op === "put" && write.table === "action_outcome" ? write.rows : [],
            )
          : [],
      );
    const { room_name } = player.context;
    expect(rows()).toEqual([{ id: [room_name, "1"], body: JSON.stringify(done), at: expect.any(Number) }]);
    player.send({ type: "CLOSE" });
    expect(rows()).toMatchObject([{ id: [room_name, "2"] }]);
    expect(rows()[0]?.body).toContain("interrupted");
  });

  test("runs actions one after another, including those requested during the start", () => {
    const player = new Player().send({ type: "START", options }).send(act("1")).send(act("2"));
    expect(player.value).toEqual({ live: "starting" });
    player.send({ type: "OPENED", outcome: done, url: "about:blank" });
    expect(player.value).toEqual({ live: "acting" });
    expect(player.context.acting?.id).toBe("1");
    // Action 2 is not started yet, so the state machine ignores a result of it.
    expect(player.send(acted("2")).context.acting?.id).toBe("1");
    expect(player.send(acted("1")).context.acting?.id).toBe("2");
    expect(player.send(acted("2")).value).toEqual({ live: "ready" });
    expect(player.context.outcomes.map(({ id, outcome }) => [id, outcome.success])).toEqual([
      ["1", true],
      ["2", true],
    ]);
    expect(player.spawned.filter((id) => id === "act")).toHaveLength(2);
    expect(player.published).toEqual([
      "action_queued",
      "action_queued",
      "presentation_started",
      "action_processing",
      "action_completed",
      "action_processing",
      "action_completed",
    ]);
  });

  test("interrupts the running action when the browser is lost, and reports the actions that were not started", () => {
    const player = live().send(act("1")).send(act("2"));
    const error = { code: "session.lost", message: "Gone." };
    player.send({ type: "xstate.error.actor.browse", error });
    expect([player.phase, player.context.error]).toEqual(["failed", error]);
    expect(player.context.outcomes.map(({ id, outcome }) => [id, outcome.data])).toEqual([
      ["1", { code: "interrupted" }],
      ["2", { code: "interrupted", begun: false }],
    ]);
    expect(player.published.slice(-3)).toEqual(["action_error", "action_error", "browser_error"]);
    expect(player.send(act("3")).said).toMatchObject([{ type: "refuse", code: "session.failed" }]);
    expect(player.send({ type: "START", options }).phase).toBe("starting");
    expect(player.context.error).toBeNull();
    expect(player.context.outcomes).toHaveLength(2);
  });

  test("closes the browser immediately on close, and gives every action an outcome", () => {
    const player = live().send(act("1")).send({ type: "CLOSE" });
    expect(player.phase).toBe("closed");
    expect(player.said[0]).toEqual({ type: "reply", body: { status: "closed" } });
    expect(player.stopped).toContain("browse");
    expect(player.context.outcomes).toMatchObject([{ id: "1", outcome: { data: { code: "interrupted" } } }]);
  });

  test("limits the number of waiting actions and of remembered outcomes, and their size", () => {
    const player = live();
    for (let at = 0; at <= sessionLimits.waiting; at++) player.send(act(`w${at}`));
    expect(player.context.waiting).toHaveLength(sessionLimits.waiting);
    expect(player.send(act("more")).said).toMatchObject([
      { type: "refuse", code: "session.busy", status: 429 },
    ]);
    const long = {
      ...acted("w0"),
      outcome: { ...done, data: { text: "x".repeat(sessionLimits.outcomeLength) } },
    };
    player.send(long);
    expect(player.context.outcomes[0]?.outcome.data).toEqual({ truncated: true });
    for (let at = 1; at <= sessionLimits.waiting; at++) player.send(acted(`w${at}`));
    expect(player.context.outcomes).toHaveLength(sessionLimits.outcomes);
  });

  test("hibernates when unused, and is restored for the next action or query", () => {
    const player = live().send(acted("none"));
    expect(player.send(news("RESTED")).value).toBe("hibernated");
    expect([player.stopped.includes("browse"), player.phase]).toEqual([true, "hibernated"]);
    expect(player.send({ type: "START", options }).said).toEqual([
      { type: "reply", body: { existing: true } },
    ]);
    expect(player.value).toBe("hibernated");
    player.send(act("1"));
    expect([player.value, player.context.restore]).toEqual([{ live: "waking" }, "hibernation"]);
    expect(player.send({ type: "OPENED", outcome: done, url: "https://a.test/" }).context.acting?.id).toBe(
      "1",
    );
    // A further action arrives while the state is being saved. The session then runs the action and does not
    // hibernate.
    expect(player.send(news("RESTED")).value).toEqual({ live: "acting" });
    player.send(acted("1")).send(news("RESTED")).send({ type: "WAKE" });
    expect([player.value, player.phase]).toEqual([{ live: "waking" }, "waking"]);
    expect(player.spawned.filter((id) => id === "browse")).toHaveLength(3);
    expect(player.send({ type: "WAKE" }).said).toMatchObject([{ type: "reply" }]);
  });

  test("can be recovered after its worker is lost, and opens again if it was still opening", () => {
    const player = new Player().send({ type: "START", options }).send(news("LOST"));
    expect(player.value).toEqual({ live: "starting" });
    player.send({ type: "OPENED", outcome: done, url: "https://a.test/" }).send(act("1")).send(news("LOST"));
    expect([player.value, player.context.error?.code]).toEqual(["failed", "session.lost"]);
    expect(player.context.outcomes).toMatchObject([{ id: "1", outcome: { data: { code: "interrupted" } } }]);
    expect(player.send({ type: "WAKE" }).said).toMatchObject([{ type: "refuse", code: "session.failed" }]);
    player.send({ type: "RECOVER" });
    expect([player.value, player.context.restore, player.context.error]).toEqual([
      { live: "recovering" },
      "crash",
      null,
    ]);
    player.send(news("LOST")).send({ type: "OPENED", outcome: done, url: "https://a.test/" });
    expect(player.value).toEqual({ live: "ready" });
    expect(new Player().send({ type: "RECOVER" }).said).toMatchObject([{ code: "session.not_found" }]);
  });

  test("deletes the saved state when the session is closed in any state, and at the end of the session's lifetime", () => {
    const forgotten: Emitted = {
      type: "write",
      writes: [{ op: "remove", table: "session_state", ids: ["room"] }],
    };
    expect(live().send({ type: "CLOSE" }).said).toContainEqual(forgotten);
    expect(live().send(news("RESTED")).send({ type: "CLOSE" }).said).toContainEqual(forgotten);
    expect(live().send(news("LOST")).send({ type: "CLOSE" }).said).toContainEqual(forgotten);
    for (const where of ["live", "hibernated"]) {
      const player = where === "live" ? live() : live().send(news("RESTED"));
      player.send({ type: `xstate.after.lifetime.session.${where}` });
      expect([player.value, player.context.error?.code]).toEqual(["failed", "session.expired"]);
      expect(player.said).toContainEqual(forgotten);
    }
  });

  test("continues after an action that threw an unexpected error", () => {
    const player = live().send(act("1")).send(act("2"));
    player.send({ type: "xstate.error.actor.act", error: { code: "internal.defect", message: "Oh." } });
    expect(player.context.outcomes).toMatchObject([
      { id: "1", outcome: { success: false, data: { code: "failed" } } },
    ]);
    expect(player.context.acting?.id).toBe("2");
  });

  test("records the elements of actions only while a recording runs", () => {
    const step = { action: "refresh", params: {}, targets: {}, needs: [], url: "https://a.test/" };
    const writes = (player: Player) =>
      player.said.flatMap((one) => (one.type === "write" ? one.writes : [])).filter(ofRecording);
    const player = live().send(act("0"));
    expect(player.context.acting).not.toHaveProperty("recorded");
    player.send({ ...acted("0"), step });
    expect(writes(player)).toEqual([]);
    player.send({ type: "RECORD", name: "n", command_id: "c" });
    expect(player.said[0]).toEqual({ type: "reply", body: { recording_id: "rec-c" } });
    expect(writes(player)).toMatchObject([
      { table: "recording", rows: [{ id: "rec-c", name: "n", started_at: 1 }] },
    ]);
    // A recording is already running, so starting a recording returns the running one.
    player.send({ type: "RECORD", name: "m", command_id: "d" });
    expect([player.said, writes(player)]).toEqual([[{ type: "reply", body: { recording_id: "rec-c" } }], []]);
    player.send(act("1"));
    expect(player.context.acting?.recorded).toBe(true);
    player.send({ ...acted("1"), step });
    expect(writes(player)).toMatchObject([{ table: "recording_step", rows: [{ id: ["rec-c", 0] }] }]);
    player.send(act("2")).send(acted("2"));
    expect(writes(player)).toEqual([]);
    player.send({ type: "STOP_RECORDING" });
    expect(writes(player)).toMatchObject([
      { op: "merge", table: "recording", rows: [{ id: "rec-c", ended_at: 1 }] },
    ]);
    expect(player.send({ type: "STOP_RECORDING" }).said).toEqual([
      { type: "reply", body: { recording_id: null } },
    ]);
  });

  test("publishes pause and resume of the video once each, without stopping actions", () => {
    const player = live();
    expect(player.send({ type: "PAUSE" }).said).toEqual([{ type: "reply", body: { status: "paused" } }]);
    expect(player.send({ type: "PAUSE" }).said).toEqual([{ type: "reply", body: { status: "paused" } }]);
    expect(player.send(act("1")).value).toEqual({ live: "acting" });
    expect(player.send({ type: "RESUME" }).said).toEqual([{ type: "reply", body: { status: "resumed" } }]);
    expect(player.published.filter((name) => name.startsWith("presentation"))).toEqual([
      "presentation_started",
      "presentation_paused",
      "presentation_resumed",
    ]);
    expect(player.send({ type: "PAUSE" }).send({ type: "CLOSE" }).send({ type: "PAUSE" }).said).toMatchObject(
      [{ type: "refuse", code: "session.not_found" }],
    );
    expect(player.send({ type: "START", options }).streaming).toBe("on");
  });

  test("keeps the state of the video while hibernated, and turns the video on again when a failed session is restarted", () => {
    const player = live();
    expect(new Player().streaming).toBe("off");
    expect(player.streaming).toBe("on");
    player.send({ type: "PAUSE" }).send(news("RESTED"));
    expect([player.phase, player.streaming]).toEqual(["hibernated", "paused"]);
    expect(player.send({ type: "RESUME" }).said).toEqual([{ type: "reply", body: { status: "resumed" } }]);
    expect(player.send({ type: "PAUSE" }).send(act("1")).streaming).toBe("paused");
    player.send(news("LOST"));
    player.send({ type: "OPENED", outcome: done, url: "about:blank" }).send(news("LOST"));
    expect([player.phase, player.streaming]).toEqual(["failed", "paused"]);
    expect(player.send({ type: "RESUME" }).said).toMatchObject([{ type: "refuse", code: "session.failed" }]);
    expect(player.send({ type: "START", options }).streaming).toBe("on");
    expect(player.send({ type: "CLOSE" }).streaming).toBe("off");
  });

  test("loads a stored snapshot that has no state for the video", () => {
    const { paused: _, ...context } = { ...live().context, paused: true };
    const old = { value: { live: "ready" }, context: { ...context, paused: true }, status: "active" };
    expect(withStreaming(old)).toEqual({
      value: { session: { live: "ready" }, streaming: "paused" },
      context,
      status: "active",
    });
    expect(withStreaming({ value: "hibernated", context: {} })).toMatchObject({
      value: { session: "hibernated", streaming: "on" },
    });
    expect(withStreaming({ value: "closed", context: {} })).toMatchObject({ value: { streaming: "off" } });
  });
});
