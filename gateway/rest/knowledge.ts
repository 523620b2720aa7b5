/**
 * The REST routes of maps: queries of the seeds' *Protocol and Interface* and *Knowledge Restructuring*.
 *
 * Each is a call of the tool of the same meaning in `tools/knowledge.ts`.
 */
import { Elysia } from "elysia";
import { Refused } from "../../machines/errors.ts";
import {
  deleteKnowledge,
  describeKnowledge,
  listKnowledge,
  queryKnowledge,
  queryKnowledgeForAgent,
} from "../tools/knowledge.ts";
import { readJson } from "./body.ts";
import { answer, documented, type Surface, toolOperation } from "./operation.ts";

const tag = "Knowledge";
const map = documented({ knowledge_id: { type: "string", description: "Knowledge ID" } });

/** The instruction with the map that the path names; a body that names another one is refused. */
function instructionFor(knowledgeId: string | undefined, body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  if ("knowledge_id" in body && body.knowledge_id !== knowledgeId) {
    throw new Refused(
      "request.invalid",
      "The body's knowledge_id is not the one in the path. Leave it out of the body, or send the same.",
      { status: 422, details: { issues: [{ path: "knowledge_id", message: "differs from the path" }] } },
    );
  }
  return { ...body, knowledge_id: knowledgeId };
}

export function knowledgeRoutes(surface: Surface) {
  const askStatuses = [400, 404, 413, 422, 429, 504] as const;
  const ask = toolOperation(queryKnowledgeForAgent, "askKnowledge", tag, askStatuses, {
    body: true,
    without: ["knowledge_id", "response"],
  });
  return new Elysia({ name: "knowledge" })
    .post(
      "/api/knowledge/query",
      async ({ request }) => answer(surface, request, queryKnowledge, await readJson(request)),
      {
        parse: "none",
        ...toolOperation(queryKnowledge, "queryKnowledge", tag, askStatuses, { body: true }),
      },
    )
    .post(
      "/api/knowledge/:knowledge_id/query",
      async ({ params, request }) =>
        answer(
          surface,
          request,
          queryKnowledgeForAgent,
          instructionFor(params.knowledge_id, await readJson(request)),
        ),
      { parse: "none", params: map, ...ask },
    )
    .post(
      "/knowledge/:knowledge_id/query",
      async ({ params, request }) =>
        answer(
          surface,
          request,
          queryKnowledgeForAgent,
          instructionFor(params.knowledge_id, await readJson(request)),
        ),
      { parse: "none", params: map, ...ask, detail: { ...ask.detail, operationId: "askKnowledgeShort" } },
    )
    .get("/api/knowledge", ({ request }) => answer(surface, request, listKnowledge, {}), {
      ...toolOperation(listKnowledge, "listKnowledge", tag, []),
    })
    .get(
      "/api/knowledge/:knowledge_id",
      ({ request, params }) =>
        answer(surface, request, describeKnowledge, { knowledge_id: params.knowledge_id }),
      { params: map, ...toolOperation(describeKnowledge, "getKnowledge", tag, [404, 422]) },
    )
    .delete(
      "/api/knowledge/:knowledge_id",
      ({ request, params }) =>
        answer(surface, request, deleteKnowledge, { knowledge_id: params.knowledge_id }),
      { params: map, ...toolOperation(deleteKnowledge, "deleteKnowledge", tag, [404, 409, 422]) },
    );
}
