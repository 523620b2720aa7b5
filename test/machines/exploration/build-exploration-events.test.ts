import { describe, expect, test } from "bun:test";
import { type AnyMachineSnapshot, initialTransition, transition } from "xstate";
import { topicMatches } from "../../../actors/runtime/drivers/message-bus.ts";
import { causeOf, explorationTopic } from "../../../machines/exploration/build-exploration-events.ts";
import {
  type CrawlBatch,
  EMPTY_BATCH,
} from "../../../machines/exploration/crawl/crawl-batch-of-read-pages.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import { explorationMachine } from "../../../machines/exploration/exploration-machine.ts";
import { explorationEventSchema } from "../../../machines/exploration/exploration-protocol.ts";
import type { ExplorationRequest } from "../../../machines/exploration/exploration-request.ts";
import type { Emitted, Publish } from "../../../machines/machine-emissions.ts";
import { frontierRow, pageRow } from "../../store/sample-store-rows.ts";

const request: ExplorationRequest = {
  start_url: "https://example.com/",
  max_pages: 10,
  max_depth: 3,
  strategy: "BFS",
  knowledge_id: "map",
  website_id: "example.com",
  respect_robots: true,
  scope: "host",
  include: [],
  exclude: [],
  sitemaps: true,
  render: "http",
};
const start = { type: "START", request, at: 1_000 };
const begun = { type: "BEGUN", at: 2_000 };
const page = pageRow("a", { title: "A", depth: 1 });

function batch(at: number, fields: Partial<CrawlBatch> = {}) {
  const current_url = "https://site.test/a";
  return { type: "BATCH", batch: { ...EMPTY_BATCH, current_url, ...fields }, at };
}

/** Sends the events to an exploration job, and returns what the job publishes for the last of them. */
function published(...events: readonly object[]): readonly Publish[] {
  let [snapshot, actions] = initialTransition(explorationMachine, { id: "job.1" });
  for (const event of events) {
    // The cast is needed: the given events are plain objects, but the machine expects its own event types.
    // The types of the events are checked in the tests of the machine.
    [snapshot, actions] = transition(
      explorationMachine,
      snapshot as AnyMachineSnapshot as never,
      event as never,
    );
  }
  // The cast is needed, because XState's type lists only the machine's own actions, and not the actions of
  // XState itself.
  const all = actions as readonly { readonly type: string; readonly params?: unknown }[];
  return all.flatMap(({ type, params }) => {
    const said = type === "xstate.emit" ? (params as { event: Emitted }).event : undefined;
    return said?.type === "publish" ? [said] : [];
  });
}

describe("the events of an exploration", () => {
  const reported = published(
    start,
    begun,
    batch(3_500, {
      pages: [page],
      external: [{ from_url: "https://site.test/a", to_url: "https://else.test/" }],
      settled: [
        { row: frontierRow("a", 1), state: "done", page_key: "a", error: null, not_before: 0 },
        {
          row: frontierRow("b", 2, { attempts: 2 }),
          state: "failed",
          page_key: null,
          error: "reading.http_500: it answered 500.",
          not_before: 0,
        },
        {
          row: frontierRow("c", 3),
          state: "retry",
          page_key: null,
          error: "reading.timeout: late",
          not_before: 9,
        },
        { row: frontierRow("d", 4), state: "skipped", page_key: "a", error: "redirects", not_before: 0 },
      ],
    }),
  );

  test("have the payload at the top level and again in data, a time in seconds, and a topic for each type", () => {
    const about = (type: string, payload: object) => ({ type, ...payload, data: payload, timestamp: 3.5 });
    const job_id = "job.1";
    const failure = { url: "https://site.test/b", error: "reading.http_500: it answered 500." };
    expect(reported.map(({ topic, event }) => [topic, event])).toEqual([
      [
        "exploration.job%2E1.page_completed",
        about("page_completed", { job_id, url: page.url, success: true, title: "A", depth: 1 }),
      ],
      [
        "exploration.job%2E1.external_link",
        about("external_link_detected", {
          job_id,
          from_url: "https://site.test/a",
          external_url: "https://else.test/",
        }),
      ],
      [
        "exploration.job%2E1.error",
        about("exploration_error", {
          job_id,
          ...failure,
          code: "reading.http_500",
          attempts: 3,
          will_retry: false,
        }),
      ],
      [
        "exploration.job%2E1.page_completed",
        about("page_completed", { job_id, url: failure.url, success: false, title: null, depth: 1 }),
      ],
      [
        "exploration.job%2E1.error",
        about("exploration_error", {
          job_id,
          url: "https://site.test/c",
          error: "reading.timeout: late",
          code: "reading.timeout",
          attempts: 1,
          will_retry: true,
        }),
      ],
      [
        "exploration.job%2E1.progress",
        about("exploration_progress", {
          job_id,
          status: "running",
          completed: 1,
          queued: -2,
          failed: 1,
          current_url: "https://site.test/a",
          knowledge_id: "map",
          searchable: 0,
          external_links: 1,
        }),
      ],
    ]);
    for (const { event } of reported) expect(() => explorationEventSchema.parse(event)).not.toThrow();
  });

  test("report progress at a limited rate, but changes of the status immediately", () => {
    const types = (...events: readonly object[]) => published(...events).map(({ event }) => event.type);
    const every = explorationLimits.progressEvery;
    expect(types(start, begun)).toEqual(["exploration_progress"]);
    expect(types(start, begun, batch(2_000 + every - 1))).toEqual([]);
    expect(types(start, begun, batch(2_000 + every))).toEqual(["exploration_progress"]);
    expect(types(start, begun, batch(2_000 + every), batch(2_001 + every))).toEqual([]);
    expect(types(start, begun, batch(2_000 + every), { type: "PAUSE", at: 2_001 + every })).toEqual([
      "exploration_progress",
    ]);
  });

  test("report why a job failed", () => {
    const output = { start_failure: { code: "reading.refused", message: "Nobody answers there." } };
    const [failed, last] = published(start, begun, { type: "xstate.done.actor.crawl", output, at: 4_000 });
    expect(failed?.event).toMatchObject({
      type: "exploration_error",
      url: request.start_url,
      error: "Nobody answers there.",
      code: "reading.refused",
      attempts: 0,
    });
    expect(last?.event).toMatchObject({ type: "exploration_progress", status: "failed" });
  });
});

test("the topic of an exploration's events contains the job and the event type, so that patterns can select events", () => {
  const topic = explorationTopic("a.*>b c", "page_completed");
  expect(topic.split(".")).toHaveLength(3);
  expect(topicMatches(explorationTopic("a.*>b c"), topic)).toBe(true);
  expect(topicMatches(explorationTopic(undefined, "page_completed"), topic)).toBe(true);
  expect(topicMatches(explorationTopic(), topic)).toBe(true);
  expect(topicMatches(explorationTopic(undefined, "exploration_error"), topic)).toBe(false);
});

test("a stored failure of an exploration is split into a code and a message, with a default code", () => {
  expect(causeOf("reading.http_404: gone")).toEqual({
    error: "reading.http_404: gone",
    code: "reading.http_404",
  });
  expect(causeOf("Error: gone")).toEqual({ error: "Error: gone", code: "page.failed" });
  expect(causeOf(null).code).toBe("page.failed");
});
