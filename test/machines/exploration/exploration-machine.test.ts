import { describe, expect, test } from "bun:test";
import { type AnyMachineSnapshot, initialTransition, transition } from "xstate";
import { EMPTY_BATCH } from "../../../machines/exploration/crawl/crawl-batch-of-read-pages.ts";
import type { ExplorationContext } from "../../../machines/exploration/exploration-context.ts";
import { explorationMachine, jobStatus } from "../../../machines/exploration/exploration-machine.ts";
import type { ExplorationRequest } from "../../../machines/exploration/exploration-request.ts";
import type { Emitted } from "../../../machines/machine-emissions.ts";

const request: ExplorationRequest = {
  start_url: "https://example.com/",
  max_pages: 10,
  max_depth: 3,
  strategy: "BFS",
  knowledge_id: "example.com",
  website_id: "example.com",
  respect_robots: true,
  scope: "host",
  include: [],
  exclude: [],
  render: "http",
  sitemaps: true,
};

const batch = { ...EMPTY_BATCH, current_url: "https://example.com/a" };

/**
 * Sends events to the state machine of a job, one after another. Returns the actions of the last event only.
 */
function play(...events: readonly object[]) {
  let [snapshot, actions] = initialTransition(explorationMachine, { id: "job" });
  for (const event of events) {
    // The cast is needed: the given events are plain objects, and the machine expects its own event types.
    [snapshot, actions] = transition(explorationMachine, snapshot, { at: 1_000, ...event } as never);
  }
  // The cast is needed, because XState's type lists only the actions of this machine. The list also contains
  // XState's own actions.
  const all = actions as readonly { readonly type: string; readonly params?: unknown }[];
  const said = all
    .filter((action) => action.type === "xstate.emit")
    .map((action) => (action.params as { event: Emitted }).event);
  const effects = all
    .filter((action) => action.type === "xstate.spawnChild")
    .map((action) => (action.params as { src: string }).src);
  const stopped = all.filter((action) => action.type === "xstate.stopChild").length;
  const context = (snapshot as AnyMachineSnapshot).context as ExplorationContext;
  return {
    status: jobStatus(snapshot.value),
    context,
    said,
    effects,
    stopped,
    answer: said.find((each) => each.type === "reply" || each.type === "refuse"),
  };
}

const start = { type: "START", request };
const begun = { type: "BEGUN" };
const crawled = { type: "xstate.done.actor.crawl", output: { start_failure: null } };
const stored = (completed: number) => ({
  type: "BATCH",
  batch: {
    ...batch,
    arrived: Array.from({ length: completed }, (_, i) => ({
      key: `k${i}`,
      url: `k${i}`,
      depth: 1,
      held: false,
    })),
  },
});

describe("the state machine of an exploration", () => {
  test("has no status before its start", () => {
    expect(play().status).toBeUndefined();
  });

  test("has the status queued after its start: it stores its first URL and requests the crawl", () => {
    const { status, said, effects, answer } = play(start);
    expect(status).toBe("queued");
    expect(effects).toEqual(["crawl"]);
    expect(answer).toEqual({ type: "reply", body: { job_id: "job", status: "queued" } });
    const writes = said.flatMap((each) => (each.type === "write" ? each.writes : []));
    expect(writes.map((write) => ("table" in write ? write.table : write.edge))).toEqual(["job", "frontier"]);
  });

  test("has the status running as soon as its crawl has started", () => {
    expect(play(start, begun).status).toBe("running");
  });

  test("returns the existing job for the same parameters and refuses other parameters", () => {
    expect(play(start, begun, start).answer).toEqual({
      type: "reply",
      body: { job_id: "job", existing: true },
    });
    const other = { type: "START", request: { ...request, max_pages: 11 } };
    expect(play(start, begun, other).answer).toMatchObject({
      type: "refuse",
      code: "job.exists",
      status: 409,
    });
  });

  test("stops its crawl on pause, and starts a new crawl on resume", () => {
    const paused = play(start, begun, { type: "PAUSE" });
    expect(paused).toMatchObject({ status: "paused", stopped: 1, answer: { body: { status: "paused" } } });
    const resumed = play(start, begun, { type: "PAUSE" }, { type: "RESUME" });
    expect(resumed).toMatchObject({
      status: "running",
      effects: ["crawl"],
      answer: { body: { status: "running" } },
    });
  });

  test("returns its status for a resume if it is not paused, so that a repeated resume succeeds", () => {
    const resumed = (...before: readonly object[]) => play(...before, { type: "RESUME" });
    const answer = (status: string) => ({ type: "reply", body: { job_id: "job", status } });
    expect(resumed(start)).toMatchObject({ status: "queued", answer: answer("queued") });
    expect(resumed(start, begun)).toMatchObject({ status: "running", answer: answer("running") });
    const settling = resumed(start, begun, stored(3), crawled);
    expect(settling).toMatchObject({ status: "running", answer: answer("running") });
  });

  test("refuses a pause and a resume if it has ended", () => {
    const late = play(start, begun, { type: "CANCEL" }, { type: "PAUSE" });
    expect(late.answer).toMatchObject({ type: "refuse", code: "job.ended" });
    const resumed = play(start, begun, { type: "CANCEL" }, { type: "RESUME" });
    expect(resumed.answer).toMatchObject({ type: "refuse", code: "job.ended" });
  });

  test("completes only when the map has reported the last page as searchable", () => {
    const settling = play(start, begun, stored(3), crawled);
    expect(settling.status).toBe("running");
    const almost = play(start, begun, stored(3), crawled, { type: "PAGES_SEARCHABLE", count: 2 });
    expect(almost.status).toBe("running");
    const done = play(start, begun, stored(3), { type: "PAGES_SEARCHABLE", count: 2 }, crawled, {
      type: "PAGES_SEARCHABLE",
      count: 1,
    });
    expect(done.status).toBe("completed");
  });

  describe("while the map does not accept pages", () => {
    const error = { code: "actor.parked", message: "It broke." };
    const refused = (final: boolean) => ({
      type: "cairn.send_refused",
      to: "knowledge/example.com",
      command: { type: "INGEST" },
      error,
      final,
    });
    const toMap = (said: readonly Emitted[]) => said.filter(({ type }) => type === "send").length;
    const later = { ...stored(3), at: 100_000 };

    test("continues to read pages, shows the map's error in its status, and announces no more pages", () => {
      const { status, context, said } = play(start, begun, refused(false), later);
      expect(status).toBe("running");
      expect(context.map_trouble).toMatchObject({ code: "actor.parked", waits: true });
      expect(toMap(said)).toBe(0);
    });

    test("fails with the map's error when no page is left to read", () => {
      const { status, context } = play(start, begun, stored(3), refused(false), crawled);
      expect(status).toBe("failed");
      expect(context.error).toMatchObject({ code: "actor.parked" });
    });

    test("fails if the map goes out of service while the job waits for the map", () => {
      const waiting = play(start, begun, stored(3), crawled);
      expect(waiting.status).toBe("running");
      const reminded = { type: "xstate.after.askMapAgain.exploration.settling" };
      const asked = play(start, begun, stored(3), crawled, reminded);
      expect([asked.status, toMap(asked.said)]).toEqual(["running", 1]);
      expect(play(start, begun, stored(3), crawled, reminded, refused(false)).status).toBe("failed");
    });

    test("completes if the map is repaired in time", () => {
      const searchable = { type: "PAGES_SEARCHABLE", count: 3 };
      const { status, context } = play(start, begun, stored(3), refused(false), searchable, crawled);
      expect(status).toBe("completed");
      expect(context.map_trouble).toBeNull();
    });

    test("announces its pages again at the end if an announcement was lost, and fails if this one is lost too", () => {
      const again = play(start, begun, stored(3), refused(true), crawled);
      expect([again.status, toMap(again.said)]).toEqual(["running", 1]);
      expect(play(start, begun, stored(3), refused(true), crawled, refused(true)).status).toBe("failed");
    });
  });

  test("fails with the error of the start page if no page could be read", () => {
    const failure = { code: "reading.unknown_host", message: "no such host" };
    const failed = play(start, begun, {
      type: "xstate.done.actor.crawl",
      output: { start_failure: failure },
    });
    expect(failed.status).toBe("failed");
    expect(failed.context.error).toEqual(failure);
  });

  test("notifies the map when the crawl ends, successfully or not", () => {
    for (const end of [crawled, { type: "PAUSE" }, { type: "CANCEL" }]) {
      const { said } = play(start, begun, stored(1), end);
      expect(said).toContainEqual({
        type: "send",
        to: "knowledge/example.com",
        command: { type: "INGEST", job_id: "job", crawling: false },
      });
    }
  });

  test("deletes its data in an effect, and its id can be used again afterwards", () => {
    const erasing = play(start, begun, { type: "DELETE" });
    expect(erasing).toMatchObject({ effects: ["erase"], stopped: 1 });
    const erased = play(start, begun, { type: "DELETE" }, { type: "xstate.done.actor.erase", output: null });
    expect(erased.status).toBeUndefined();
    expect(
      play(start, begun, { type: "DELETE" }, { type: "xstate.done.actor.erase", output: null }, start).status,
    ).toBe("queued");
  });
});
