/**
 * How a route is described in OpenAPI, and how it calls its tool.
 *
 * A route's body and answer are the tool's own schemas. They are given to OpenAPI as documentation only: the
 * tool checks its arguments itself, so that REST and `tools/call` refuse the same things in the same words.
 */
import type { DocumentDecoration } from "elysia";
import { asCairnError } from "../../machines/errors.ts";
import type { Log } from "../log.ts";
import type { Passages } from "../passages.ts";
import { type RouteScope, scopeMark } from "../security/routes.ts";
import type { Sockets } from "../socket/sockets.ts";
import type { SystemSlot } from "../system-slot.ts";
import type { CallFrom, Calls } from "../tools/calls.ts";
import type { JsonSchema, Tool, ToolRegistry } from "../tools/registry.ts";
import { documentResponse, JsonDocument } from "./document.ts";
import { failureReferences } from "./failure-responses.ts";

/** What a gateway is made of. */
export interface Parts {
  readonly system: SystemSlot;
  readonly registry: ToolRegistry;
  readonly sockets: Sockets;
  readonly log: Log;
  /** Random, and different for each process: how the command line knows whose gateway answers. */
  readonly instance: string;
}

/** What the routes work with. */
export interface Surface extends Parts {
  readonly calls: Calls;
  readonly passages: Passages;
}

interface OperationOptions {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** What a key needs; `open`: none is asked for. */
  readonly scope: RouteScope;
  readonly body?: JsonSchema;
  readonly answer: JsonSchema;
  /** Media type of the answer; JSON without it. */
  readonly answerType?: string;
  readonly errors: readonly number[];
}

/** A route's documentation. */
export function operation({
  operationId,
  summary,
  tag,
  scope,
  body,
  answer,
  answerType = "application/json",
  errors,
}: OperationOptions): DocumentDecoration {
  return {
    operationId,
    summary,
    tags: [tag],
    ...scopeMark(scope),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    responses: {
      "200": { description: "Done", content: { [answerType]: { schema: answer } } },
      ...failureReferences(errors),
    },
  };
}

/** The documentation of a route that calls a tool. `without`: properties that the path carries. */
export function toolOperation(
  tool: Tool,
  operationId: string,
  tag: string,
  errors: readonly number[],
  options: { readonly body?: boolean; readonly without?: readonly string[] } = {},
): DocumentDecoration {
  return operation({
    operationId,
    summary: tool.description,
    tag,
    scope: tool.scope,
    ...(options.body ? { body: withoutProperties(tool.inputSchema, options.without ?? []) } : {}),
    answer: tool.outputSchema,
    errors: [...errors, 401, 403, 500, 503],
  });
}

function withoutProperties(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties, required, ...rest } = schema;
  if (typeof properties !== "object" || properties === null) return schema;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(Array.isArray(required) ? { required: required.filter((name) => !names.includes(name)) } : {}),
  };
}

type Texts = Record<string, string | undefined>;

/** A Standard Schema that accepts everything and tells what is meant. */
interface Documented {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Texts; readonly output: Texts } | undefined;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
  };
}

/**
 * Documents parameters of the path or the query without checking them: Elysia hands a Standard Schema's value
 * on, OpenAPI reads its JSON Schema.
 */
export function documented(properties: Readonly<Record<string, JsonSchema>>): Documented {
  const schema = { type: "object", properties };
  return {
    "~standard": {
      version: 1,
      vendor: "cairn",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Who asks with a request, for the call of a tool. */
export function callFrom({ passages }: Surface, request: Request): CallFrom {
  const { caller, id } = passages.known(request);
  return { caller, requestId: id };
}

/** Calls a tool and answers its result, streamed when it may be large. */
export async function answer(
  surface: Surface,
  request: Request,
  tool: Tool,
  args: unknown,
): Promise<Response> {
  return toResponse(surface, tool, await surface.calls.run(tool, args, callFrom(surface, request)));
}

export function toResponse(surface: Surface, tool: Tool, result: unknown): Response | Promise<Response> {
  if (!(result instanceof JsonDocument)) return Response.json(result);
  return documentResponse(result, (thrown) => {
    const error = asCairnError(thrown);
    surface.log.error("an answer broke off", { tool: tool.name, code: error.code, error });
  });
}
