/**
 * The tools of explorations: start a crawl, watch and control it, read its results. The protocol
 * specification defines their names and shapes.
 */

import { z } from "zod";
import {
  jobRefSchema,
  jobStateSchema,
  jobsSchema,
  resultsRequestSchema,
  resultsSchema,
  startExplorationSchema,
  startedSchema,
  statusSchema,
} from "../../machines/exploration/exploration-protocol.ts";
import {
  jobsText,
  resultsText,
  startedText,
  statusText,
} from "../../machines/exploration/exploration-text-for-model.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import { defineTool } from "./define-tool.ts";
import { JsonDocument } from "./streamed-json-document.ts";
import { changesData, readsData } from "./tool-annotations.ts";
import { waitForExploration } from "./wait-for-exploration.ts";

const startExploration = defineTool({
  name: "start_knowledge_exploration",
  scope: "act",
  description:
    "Start a knowledge retrieval job to explore and extract knowledge from a website. " +
    "Answers at once; follow it with get_exploration_status.",
  advice: {
    instead: "Explore a website and keep a map of it; answers at once with job_id and knowledge_id.",
    use: "To learn a site before acting in it; then wait_for_exploration.",
  },
  sets: "always",
  brief: {
    hidden: ["login", "website_id", "sitemaps", "job_id", "max_actions", "max_seconds", "allow"],
  },
  http: {
    method: "POST",
    path: "/api/knowledge/explore/start",
    operationId: "startExploration",
    tag: "Explorations",
    errors: [409],
  },
  input: startExplorationSchema,
  output: startedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  handle: (cairn, input, { commandId }) =>
    cairn.explorations.start({
      ...input,
      ...(commandId === undefined ? {} : { job_id: input.job_id ?? commandId }),
    }),
  forModel: startedText,
});

const explorationStatus = defineTool({
  name: "get_exploration_status",
  scope: "read",
  description: "Get live status and progress for a knowledge retrieval job",
  advice: {
    instead: "How far an exploration is.",
    use: "To wait, use wait_for_exploration.",
  },
  sets: "always",
  http: {
    method: "GET",
    path: "/api/knowledge/explore/status/:job_id",
    operationId: "getExplorationStatus",
    tag: "Explorations",
    errors: [404, 422],
  },
  input: jobRefSchema,
  output: statusSchema,
  annotations: readsData,
  handle: (cairn, { job_id }) => cairn.explorations.status(job_id),
  forModel: statusText,
});

const pauseExploration = defineTool({
  name: "pause_exploration",
  scope: "act",
  description: "Pause a running knowledge retrieval job; it keeps its place",
  advice: { instead: "Pause an exploration; it keeps its place." },
  sets: "always",
  http: {
    method: "POST",
    path: "/api/knowledge/explore/pause",
    operationId: "pauseExploration",
    tag: "Explorations",
    errors: [404, 409],
  },
  input: jobRefSchema,
  output: jobStateSchema,
  annotations: changesData,
  handle: (cairn, { job_id }) => cairn.explorations.pause(job_id),
});

const resumeExploration = defineTool({
  name: "resume_exploration",
  scope: "act",
  description: "Resume a paused knowledge retrieval job where it stopped",
  advice: { instead: "Resume a paused exploration." },
  sets: "always",
  http: {
    method: "POST",
    path: "/api/knowledge/explore/resume",
    operationId: "resumeExploration",
    tag: "Explorations",
    errors: [404, 409],
  },
  input: jobRefSchema,
  output: jobStateSchema,
  annotations: { ...changesData, openWorldHint: true },
  handle: (cairn, { job_id }) => cairn.explorations.resume(job_id),
});

const cancelExploration = defineTool({
  name: "cancel_exploration",
  scope: "act",
  description: "Cancel a knowledge retrieval job for good; the pages it stored stay",
  advice: { instead: "End an exploration for good; the pages it stored stay." },
  sets: "always",
  http: {
    method: "POST",
    path: "/api/knowledge/explore/cancel",
    operationId: "cancelExploration",
    tag: "Explorations",
    errors: [404, 409],
  },
  input: jobRefSchema,
  output: jobStateSchema,
  annotations: { ...changesData, destructiveHint: true },
  handle: (cairn, { job_id }) => cairn.explorations.cancel(job_id),
});

const pagedResultsSchema = resultsRequestSchema.extend({
  limit: z
    .number()
    .int()
    .min(1)
    .max(gatewayLimits.resultsPage)
    .optional()
    .describe("Pages in this answer; without it all pages are answered"),
  cursor: z.string().min(1).max(1_000).optional().describe("next_cursor of the answer before"),
});

const knowledgeResults = defineTool({
  name: "get_knowledge_results",
  scope: "read",
  description:
    "Get results for a knowledge retrieval job: what was stored, the pages as Markdown, the links between them",
  advice: {
    instead: "The pages of an exploration, one line each.",
    use: "query_knowledge {page} has a page's text; detail: records has all. job.not_finished: wait, or partial: true.",
  },
  sets: "always",
  http: {
    method: "GET",
    path: "/api/knowledge/explore/results/:job_id",
    operationId: "getExplorationResults",
    tag: "Explorations",
    errors: [404, 409, 422],
    query: ["partial", "limit", "cursor"],
  },
  input: pagedResultsSchema,
  output: resultsSchema,
  annotations: readsData,
  async handle(cairn, { job_id, partial, limit, cursor }) {
    const paged = cursor !== undefined && limit === undefined ? gatewayLimits.resultsPage : limit;
    const results = await cairn.explorations.results(job_id, { partial, limit: paged, cursor });
    const { summary, pages, links, next_cursor } = results;
    return new JsonDocument({
      job_id: summary.job_id,
      status: summary.status,
      results: summary.results,
      pages,
      links,
      next_cursor,
    });
  },
  forModel: resultsText,
});

const listExplorations = defineTool({
  name: "list_explorations",
  scope: "read",
  description: "List all knowledge retrieval jobs, the newest first",
  sets: ["knowledge"],
  http: {
    method: "GET",
    path: "/api/knowledge/explore/jobs",
    operationId: "listExplorations",
    tag: "Explorations",
  },
  input: z.object({}).strict(),
  output: jobsSchema,
  annotations: readsData,
  handle: (cairn) => cairn.explorations.list(),
  forModel: jobsText,
});

const deleteExploration = defineTool({
  name: "delete_exploration",
  scope: "act",
  description: "Delete a knowledge retrieval job and its list of URLs; the pages it stored stay in their map",
  sets: ["knowledge"],
  http: {
    method: "DELETE",
    path: "/api/knowledge/explore/jobs/:job_id",
    operationId: "deleteExploration",
    tag: "Explorations",
    errors: [404, 409, 422],
  },
  input: jobRefSchema,
  output: z.object({ job_id: z.string(), deleted: z.literal(true) }),
  annotations: { ...changesData, destructiveHint: true },
  async handle(cairn, { job_id }) {
    await cairn.explorations.delete(job_id);
    return { job_id, deleted: true as const };
  },
});

export const explorationTools = [
  startExploration,
  explorationStatus,
  pauseExploration,
  resumeExploration,
  cancelExploration,
  knowledgeResults,
  listExplorations,
  deleteExploration,
  waitForExploration,
];
