/**
 * Formats explorations as text for a language model: a job's status, its results page by page, the list of
 * jobs.
 */
import type { z } from "zod";
import { firstLines } from "../text-lines-for-language-model.ts";
import type { ExplorationStatus, JobList, resultsSchema, Started } from "./exploration-protocol.ts";

/** Maximum number of pages that one text about an exploration lists. */
const PAGES_MOST = 200;
const ERRORS_MOST = 20;

export function startedText({ job_id, status, knowledge_id }: Started): string {
  return `Job ${job_id} is ${status}, its map is ${knowledge_id}. wait_for_exploration waits for its end.`;
}

export function statusText(job: ExplorationStatus): string {
  const { job_id, status, progress, knowledge_id, start_url, error, traps, held_back, interactive } = job;
  const { completed, queued, failed, skipped, searchable } = progress;
  return [
    `Job ${job_id} of ${start_url}: ${status}, map ${knowledge_id}`,
    `${completed} pages, ${queued} queued, ${failed} failed, ${skipped} skipped, ${searchable} searchable`,
    ...(interactive ? [pressText(interactive)] : []),
    ...(error ? [`${error.code}: ${error.message}`] : []),
    ...traps.map(
      ({ kind, pattern, pages, left_out }) => `trap ${kind} ${pattern}: ${pages} read, ${left_out} left out`,
    ),
    ...held_back.map(({ message, examples }) => `${message} ${examples[0] ?? ""}`.trim()),
  ].join("\n");
}

/**
 * Formats the counts of the phase that presses controls. The reasons for pressing are left out, because a
 * site may have hundreds.
 */
function pressText({
  actions,
  states,
  unsafe,
  held,
  lost,
  decisions = [],
  last,
  stopped_by,
}: NonNullable<ExplorationStatus["interactive"]>): string {
  const pressed = decisions.filter((decision) => decision.pressed).length;
  const counts = [
    `pressed ${actions} times: ${states} states`,
    `${unsafe} unsafe elements left alone`,
    `${held} requests held back`,
    ...(lost ? [`${lost} states lost`] : []),
    ...(decisions.length > 0 ? [`on ${pressed} of ${decisions.length} kinds of pages`] : []),
    ...(stopped_by === undefined ? [] : [`ended by ${stopped_by}`]),
  ];
  return [counts.join(", "), ...(last === undefined ? [] : [`last press: ${last}`])].join("\n");
}

export function resultsText({
  job_id,
  status,
  results,
  pages,
  next_cursor,
}: z.infer<typeof resultsSchema>): string {
  const { pages_stored, links_stored, external_links_detected, errors } = results;
  return [
    `Job ${job_id}: ${status}, ${pages_stored} pages, ${links_stored} links, ${external_links_detected} external links`,
    ...firstLines(
      pages,
      PAGES_MOST,
      ({ title, url, content }) => `${title} | ${url} | ${content.length} characters`,
      "limit and cursor",
    ),
    ...firstLines(errors, ERRORS_MOST, ({ url, error }) => `failed ${url}: ${error}`, 'detail: "records"'),
    ...(next_cursor ? [`next_cursor ${next_cursor}`] : []),
    'query_knowledge {page: url} has the text of a page; detail: "records" has all.',
  ].join("\n");
}

export function jobsText({ jobs }: JobList): string {
  if (jobs.length === 0) return "There are no explorations.";
  return jobs
    .map(({ job_id, status, start_url, knowledge_id, started_at }) =>
      [job_id, status, start_url, `map ${knowledge_id}`, started_at].join(" | "),
    )
    .join("\n");
}
