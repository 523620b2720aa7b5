/**
 * The REST routes of explorations, as the seed's *Protocol and Interface* writes them.
 *
 * Each is a call of the tool of the same meaning in `tools/explorations.ts`.
 */
import { Elysia } from "elysia";
import {
  cancelExploration,
  deleteExploration,
  explorationStatus,
  knowledgeResults,
  listExplorations,
  pauseExploration,
  resumeExploration,
  startExploration,
} from "../tools/explorations.ts";
import { readJson } from "./body.ts";
import { answer, documented, repeatable, type Surface, toolOperation } from "./operation.ts";

const tag = "Explorations";
const job = documented({ job_id: { type: "string", description: "Job ID" } });
const resultsQuery = documented({
  partial: {
    type: "boolean",
    default: false,
    description: "Answer what there is even if the job still runs",
  },
  limit: { type: "integer", minimum: 1, description: "Pages in this answer; without it all are streamed" },
  cursor: { type: "string", description: "next_cursor of the answer before" },
});

/** Query parameters are text; what does not read as its type stays text, for the tool to refuse. */
function booleanOf(value: unknown): unknown {
  const known: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };
  return typeof value === "string" ? (known[value.toLowerCase()] ?? value) : value;
}
function integerOf(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

export function explorationRoutes(surface: Surface) {
  return new Elysia({ name: "explorations" })
    .post(
      "/api/knowledge/explore/start",
      async ({ request }) => answer(surface, request, startExploration, await readJson(request)),
      {
        parse: "none",
        ...repeatable,
        ...toolOperation(startExploration, "startExploration", tag, [400, 409, 413, 422, 429], {
          body: true,
        }),
      },
    )
    .get(
      "/api/knowledge/explore/status/:job_id",
      ({ request, params }) => answer(surface, request, explorationStatus, { job_id: params.job_id }),
      { params: job, ...toolOperation(explorationStatus, "getExplorationStatus", tag, [404, 422]) },
    )
    .post(
      "/api/knowledge/explore/pause",
      async ({ request }) => answer(surface, request, pauseExploration, await readJson(request)),
      {
        parse: "none",
        ...repeatable,
        ...toolOperation(pauseExploration, "pauseExploration", tag, [400, 404, 409, 413, 422], {
          body: true,
        }),
      },
    )
    .post(
      "/api/knowledge/explore/resume",
      async ({ request }) => answer(surface, request, resumeExploration, await readJson(request)),
      {
        parse: "none",
        ...repeatable,
        ...toolOperation(resumeExploration, "resumeExploration", tag, [400, 404, 409, 413, 422], {
          body: true,
        }),
      },
    )
    .post(
      "/api/knowledge/explore/cancel",
      async ({ request }) => answer(surface, request, cancelExploration, await readJson(request)),
      {
        parse: "none",
        ...repeatable,
        ...toolOperation(cancelExploration, "cancelExploration", tag, [400, 404, 409, 413, 422], {
          body: true,
        }),
      },
    )
    .get(
      "/api/knowledge/explore/results/:job_id",
      ({ request, params, query }) =>
        answer(surface, request, knowledgeResults, {
          job_id: params.job_id,
          partial: booleanOf(query.partial),
          limit: integerOf(query.limit),
          cursor: query.cursor,
        }),
      {
        params: job,
        query: resultsQuery,
        ...toolOperation(knowledgeResults, "getExplorationResults", tag, [404, 409, 422]),
      },
    )
    .get("/api/knowledge/explore/jobs", ({ request }) => answer(surface, request, listExplorations, {}), {
      ...toolOperation(listExplorations, "listExplorations", tag, []),
    })
    .delete(
      "/api/knowledge/explore/jobs/:job_id",
      ({ request, params }) => answer(surface, request, deleteExploration, { job_id: params.job_id }),
      { params: job, ...toolOperation(deleteExploration, "deleteExploration", tag, [404, 409, 422]) },
    );
}
