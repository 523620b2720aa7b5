/**
 * `PUT /api/knowledge/{knowledge_id}/documents/{name}`: uploads the bytes of a file. It calls the tool
 * `ingest_document`, so it has the same scopes, audit entries and errors as the tool.
 */
import { Elysia } from "elysia";
import { ingestedSchema } from "../../machines/knowledge/documents/document-ingest-schemas.ts";
import { documentLimits } from "../../machines/knowledge/documents/ingested-document-limits.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { documented, operation, outputSchemaOf } from "./openapi-operation.ts";
import { readBytes } from "./request-body.ts";
import { callTool, type ResponseSettings, toAnswer } from "./tool-routes.ts";

const TOOL = "ingest_document";

const place = {
  knowledge_id: { type: "string", description: "Map to add it to; it is created if need be" },
  name: { type: "string", description: "Name of the file. A document of the same name is replaced" },
};

async function upload(
  surface: Surface,
  { request, set }: { readonly request: Request; readonly set: ResponseSettings },
  { knowledge_id, name }: Readonly<Record<string, string>>,
) {
  const bytes = await readBytes(request, documentLimits.bytes);
  const media_type = request.headers.get("content-type");
  const args = {
    knowledge_id,
    name,
    content: Buffer.from(bytes).toString("base64"),
    encoding: "base64",
    ...(media_type === null ? {} : { media_type }),
  };
  const tool = surface.registry.get(TOOL);
  const result = await callTool(surface, { request, set }, { tool, args });
  return await toAnswer(surface, tool, result, set);
}

export function uploadRoute(surface: Surface) {
  return new Elysia({ name: "uploads" }).put(
    "/api/knowledge/:knowledge_id/documents/:name",
    // The cast is needed: the handler returns JSON as text, and the route documents the type of the JSON.
    ({ request, set, params: { knowledge_id = "", name = "" } }) =>
      upload(surface, { request, set }, { knowledge_id, name }) as Promise<Response>,
    {
      parse: "none",
      params: documented(place),
      ...operation({
        operationId: "uploadDocument",
        summary: "Add a file to a map: the body is the file, its type by the header, the name and the bytes",
        tag: "Knowledge",
        scope: "act",
        answer: outputSchemaOf(ingestedSchema),
        errors: [400, 401, 403, 409, 413, 415, 422, 500, 503, 504],
      }),
    },
  );
}
