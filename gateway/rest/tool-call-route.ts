/**
 * Tools over plain HTTP: `GET /mcp/tools` lists them, and `POST /mcp/tools/call` calls one. For some tools, the
 * protocol specification defines how a failure looks: it has status 200 and a result that reports the failure. All
 * other failures, and calls that were refused before the tool ran, have the status of the error.
 */
import { Elysia } from "elysia";
import { z } from "zod";
import { asCairnError } from "../../machines/errors.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { parseArguments } from "../tools/define-tool.ts";
import { idempotencyKey } from "../tools/idempotent-tool-calls.ts";
import { publicBody } from "./error-response.ts";
import { inputSchemaOf, operation, outputSchemaOf, repeatable } from "./openapi-operation.ts";
import { readJson } from "./request-body.ts";
import { callTool, type ResponseSettings, toAnswer } from "./tool-routes.ts";

const tag = "Tools";

const callSchema = z.object({
  tool: z.string().min(1).describe("Name of the tool"),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("Arguments by the tool's input schema"),
});

/**
 * The arguments of `execute_action` are documented here in full, because the tool's own schema accepts any
 * object as `params`.
 */
const documentedCall = inputSchemaOf(
  callSchema.extend({
    arguments: callSchema.shape.arguments.meta({
      anyOf: [{ type: "object" }, { $ref: "#/components/schemas/BrowserAction" }],
    }),
  }),
);

const jsonObject = z.record(z.string(), z.unknown());
const listSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: jsonObject,
      outputSchema: jsonObject,
      annotations: jsonObject,
    }),
  ),
});

/**
 * Statuses that mean that a call was refused before its tool ran. The caller must correct the arguments or
 * try again later.
 */
const NOT_RUN = [403, 422, 429, 503];

async function call(
  surface: Surface,
  { request, set }: { readonly request: Request; readonly set: ResponseSettings },
): Promise<string | Response> {
  const { tool: name, arguments: args } = parseArguments(callSchema, await readJson(request));
  const tool = surface.registry.get(name);
  // The idempotency key is checked before the tool is called. An invalid key is an error of the HTTP request,
  // and not a failure of the tool.
  idempotencyKey(request);
  try {
    const result = await callTool(surface, { request, set }, { tool, args });
    return await toAnswer(surface, tool, result, set);
  } catch (thrown) {
    const error = asCairnError(thrown);
    if (NOT_RUN.includes(error.status)) throw error;
    const shape = tool.failure(error, publicBody(error, surface.pathRedaction));
    if (error.status === 500) surface.log.error("a tool failed", { tool: name, code: error.code, error });
    return Response.json(shape);
  }
}

export function plainCallRoutes(surface: Surface) {
  return (
    new Elysia({ name: "tools" })
      .get(
        "/mcp/tools",
        () =>
          Response.json({
            tools: surface.registry
              .list()
              .map(({ name, description, inputSchema, outputSchema, annotations }) => ({
                name,
                description,
                inputSchema,
                outputSchema,
                annotations,
              })),
          }),
        {
          ...operation({
            operationId: "listTools",
            summary: "List every tool with its schemas",
            tag,
            scope: "read",
            answer: outputSchemaOf(listSchema),
            errors: [401, 403],
          }),
        },
      )
      // The cast is needed: the handler returns JSON as text, and the route documents the type of the JSON.
      .post("/mcp/tools/call", ({ request, set }) => call(surface, { request, set }) as Promise<Response>, {
        parse: "none",
        ...repeatable,
        ...operation({
          operationId: "callTool",
          summary: "Call a tool; the response is the tool's own result",
          tag,
          // The route itself needs only the scope `read`. Each tool then checks the scope that it needs.
          scope: "read",
          body: documentedCall,
          answer: outputSchemaOf(jsonObject),
          errors: [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503, 504],
        }),
      })
  );
}
