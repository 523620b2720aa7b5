/**
 * Builds the events of an exploration. They are published after the commit of their data, so a page can be
 * queried as soon as its event arrives.
 */

import { topicToken } from "../encode-id-for-message-topic.ts";
import type { Emitted } from "../machine-emissions.ts";
import type { JobStatus } from "../records/exploration-records.ts";
import type { CrawlBatch, Settlement } from "./crawl/crawl-batch-of-read-pages.ts";
import type { ExplorationContext } from "./exploration-context.ts";
import type { ExplorationEvent } from "./exploration-protocol.ts";

/** For each event type, the last part of the topic on which its events are published. */
const TOPIC: Readonly<Record<ExplorationEvent["type"], string>> = {
  exploration_progress: "progress",
  page_completed: "page_completed",
  external_link_detected: "external_link",
  exploration_error: "error",
};

/**
 * Returns the topic of a job's events of one type. Without a job or a type, the topic is a pattern that
 * matches all jobs or all types.
 */
export function explorationTopic(jobId?: string, type?: ExplorationEvent["type"]): string {
  const job = jobId === undefined ? "*" : topicToken(jobId);
  return `exploration.${job}.${type === undefined ? "*" : TOPIC[type]}`;
}

/** For each type of event, the fields of its payload. */
type Payloads = { [Event in ExplorationEvent as Event["type"]]: Event["data"] };

function publish<Type extends keyof Payloads>(type: Type, payload: Payloads[Type], at: number): Emitted {
  const { job_id, ...rest }: ExplorationEvent["data"] = payload;
  const event = { type, job_id, ...rest, data: payload, timestamp: at / 1_000 };
  return { type: "publish", topic: explorationTopic(job_id, type), event };
}

export function progressEvent(context: ExplorationContext, status: JobStatus, at: number): Emitted {
  const { job_id, counts, current_url, request, searchable, external_links } = context;
  const { completed, queued, failed } = counts;
  const knowledge_id = request?.knowledge_id ?? "";
  const payload = { job_id, status, completed, queued, failed, current_url, knowledge_id, searchable };
  return publish("exploration_progress", { ...payload, external_links }, at);
}

/** Returns the events that report a committed batch of a crawl, except the progress event. */
export function batchEvents({ job_id }: ExplorationContext, batch: CrawlBatch, at: number): Emitted[] {
  return [
    ...batch.pages.map(({ url, title, depth }) =>
      publish("page_completed", { job_id, url, success: true, title, depth }, at),
    ),
    ...batch.external.map(({ from_url, to_url }) =>
      publish("external_link_detected", { job_id, from_url, external_url: to_url }, at),
    ),
    ...batch.settled.flatMap((settlement) => failureEvents(job_id, settlement, at)),
  ];
}

function failureEvents(job_id: string, { row, state, error }: Settlement, at: number): Emitted[] {
  if (state !== "failed" && state !== "retry") return [];
  const { url, depth } = row;
  const will_retry = state === "retry";
  const cause = { ...causeOf(error), attempts: row.attempts + 1, will_retry };
  const failed = publish("exploration_error", { job_id, url, ...cause }, at);
  if (will_retry) return [failed];
  return [failed, publish("page_completed", { job_id, url, success: false, title: null, depth }, at)];
}

/** Returns the event that reports the error of a failed job. For all other jobs, the result is empty. */
export function endEvents(context: ExplorationContext, status: JobStatus, at: number): Emitted[] {
  const { job_id, error, request } = context;
  if (status !== "failed" || !error || !request) return [];
  const cause = { error: error.message, code: error.code, attempts: 0, will_retry: false };
  return [publish("exploration_error", { job_id, url: request.start_url, ...cause }, at)];
}

/**
 * Returns the stored text of a failure, such as `reading.timeout: The page did not answer.`, and the code at
 * its start. A text without a code gets the code `page.failed`.
 */
export function causeOf(kept: string | null): { readonly error: string; readonly code: string } {
  const error = kept ?? "The page could not be read.";
  const [, code] = /^([a-z0-9_]+(?:\.[a-z0-9_]+)+): /.exec(error) ?? [];
  return { error, code: code ?? "page.failed" };
}
