/** The tools of documents: add a document to a map, list documents, read their passages, remove one. */

import { z } from "zod";
import { knowledgeIdSchema } from "../../machines/exploration/exploration-protocol.ts";
import {
  chunkListSchema,
  ingestDocumentSchema,
  ingestedSchema,
  sourceListSchema,
  sourceRefSchema,
} from "../../machines/knowledge/documents/document-ingest-schemas.ts";
import { defineTool } from "./define-tool.ts";
import { readsData } from "./tool-annotations.ts";

const ingestDocument = defineTool({
  name: "ingest_document",
  scope: "act",
  description:
    "Add a document to a map: Markdown, HTML, text, PDF, transcripts (VTT, SRT, SBV), OpenAPI, a recording or a map's JSON. " +
    "Its passages and tasks can be found; the same document again replaces itself",
  advice: {
    instead: "Add a document to a map: a manual, transcript, PDF or API description, by url or as content.",
    use: "Then query_knowledge search finds its passages, and execute_task its numbered steps.",
  },
  sets: ["documents"],
  http: {
    method: "POST",
    path: "/api/knowledge/:knowledge_id/documents",
    operationId: "ingestDocument",
    tag: "Knowledge",
    errors: [409, 504],
  },
  input: ingestDocumentSchema,
  output: ingestedSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  handle: (cairn, request, { progress }) => cairn.documents.ingest(request, progress),
});

const listSources = defineTool({
  name: "list_sources",
  scope: "read",
  description: "List the documents of a map, with their statistics",
  sets: ["documents"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id/sources",
    operationId: "listSources",
    tag: "Knowledge",
    errors: [404, 422],
  },
  input: z.object({ knowledge_id: knowledgeIdSchema.describe("Knowledge ID") }).strict(),
  output: sourceListSchema,
  annotations: readsData,
  handle: (cairn, { knowledge_id }) => cairn.documents.list(knowledge_id),
});

const readSource = defineTool({
  name: "read_source",
  scope: "read",
  description: "Read the passages of a document in order, with the screens that they name",
  sets: ["documents"],
  http: {
    method: "GET",
    path: "/api/knowledge/:knowledge_id/sources/:source_id",
    operationId: "readSource",
    tag: "Knowledge",
    errors: [404, 422],
    query: ["cursor"],
  },
  input: sourceRefSchema.extend({
    cursor: z.string().max(500).optional().describe("next_cursor of an earlier answer"),
  }),
  output: chunkListSchema,
  annotations: readsData,
  handle: (cairn, { knowledge_id, source_id, cursor }) =>
    cairn.documents.chunks(knowledge_id, source_id, cursor),
});

const deleteSource = defineTool({
  name: "delete_source",
  scope: "act",
  description: "Remove a document from a map, with its passages and tasks",
  sets: ["documents"],
  http: {
    method: "DELETE",
    path: "/api/knowledge/:knowledge_id/sources/:source_id",
    operationId: "deleteSource",
    tag: "Knowledge",
    errors: [404, 409, 422],
  },
  input: sourceRefSchema,
  output: z.object({ source_id: z.string(), deleted: z.literal(true) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async handle(cairn, { knowledge_id, source_id }) {
    await cairn.documents.remove(knowledge_id, source_id);
    return { source_id, deleted: true as const };
  },
});

export const documentTools = [ingestDocument, listSources, readSource, deleteSource];
