/**
 * How a route is described in OpenAPI, and how it calls its tool.
 *
 * A route's body and answer are the tool's own schemas. They are given to OpenAPI as documentation only: the
 * tool checks its arguments itself, so that REST and `tools/call` refuse the same things in the same words.
 */
import type { DocumentDecoration } from "elysia";
import type { z } from "zod";
import { asCairnError } from "../../machines/errors.ts";
import type { Log } from "../log.ts";
import type { Passages } from "../passages.ts";
import type { Places } from "../security/places.ts";
import { type RouteScope, scopeMark } from "../security/routes.ts";
import type { Sockets } from "../socket/sockets.ts";
import type { SystemSlot } from "../system-slot.ts";
import type { Calls } from "../tools/calls.ts";
import { type JsonSchema, jsonSchema, type Tool, type ToolRegistry } from "../tools/registry.ts";
import { idempotencyKey } from "../tools/repeats.ts";
import { documentResponse, JsonDocument } from "./document.ts";
import type { errorSchema } from "./failure.ts";
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
  readonly places: Places;
}

interface OperationOptions<Body, Answer, Status extends number> {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** What a key needs; `open`: none is asked for. */
  readonly scope: RouteScope;
  readonly body?: Schema<Body>;
  readonly answer: Schema<Answer>;
  /** Media type of the answer; JSON without it. */
  readonly answerType?: string;
  readonly errors: readonly Status[];
}

/** A JSON Schema that knows the type it describes. */
export type Schema<Type> = JsonSchema & { readonly "~type"?: Type };

/** What a body has to be, as its sender writes it. */
export function bodySchema<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return jsonSchema(schema, "input");
}

/** What is answered. */
export function answerSchema<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return jsonSchema(schema, "output");
}

/**
 * What of a route stands beside its path and handler: its documentation, and for the types of clients what it takes and
 * answers, by status.
 */
interface Operation<Body, Answer, Status extends number> {
  readonly detail: DocumentDecoration;
  readonly body: Typed<Body>;
  /** 422 always: Elysia would give it the shape of its own check, which is never made. */
  readonly response: { readonly 200: Typed<Answer> } & {
    readonly [Failed in Status | 422 | 429]: Typed<Failure>;
  };
}

type Failure = z.infer<typeof errorSchema>;

/** A route's documentation. */
export function operation<Answer, const Status extends number, Body = unknown>({
  operationId,
  summary,
  tag,
  scope,
  body,
  answer,
  answerType = "application/json",
  errors,
}: OperationOptions<Body, Answer, Status>): Operation<Body, Answer, Status> {
  const taken: JsonSchema | undefined = body;
  const answered: JsonSchema = answer;
  const detail: DocumentDecoration = {
    operationId,
    summary,
    tags: [tag],
    ...scopeMark(scope),
    // Whatever the others need.
    ...(scope === "open" ? { security: [] } : {}),
    ...(taken ? { requestBody: { required: true, content: { "application/json": { schema: taken } } } } : {}),
    responses: {
      "200": { description: "Done", content: { [answerType]: { schema: answered } } },
      // Whoever is asked for a key may ask too much with it.
      ...failureReferences(scope === "open" ? errors : [...new Set([...errors, 429])]),
    },
  };
  // Bodies and answers are for types alone. As values Elysia would check by them what tools check, and answer in its words.
  return { detail } as Operation<Body, Answer, Status>;
}

/** The documentation of a route that calls a tool. `without`: properties that the path carries. */
export function toolOperation<
  Input,
  Output,
  const Status extends number,
  const Bodied extends boolean = false,
  const Without extends string = never,
>(
  tool: Tool<Input, Output>,
  operationId: string,
  tag: string,
  errors: readonly Status[],
  options: { readonly body?: Bodied; readonly without?: readonly Without[] } = {},
): Operation<Bodied extends true ? Omitted<Input, Without> : unknown, Output, Status | OfEveryTool> {
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

type OfEveryTool = 401 | 403 | 500 | 503;
type Omitted<Type, Names extends PropertyKey> = Type extends unknown ? Omit<Type, Names> : never;

function withoutProperties(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties, required, ...rest } = schema;
  if (typeof properties !== "object" || properties === null) return schema;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(Array.isArray(required) ? { required: required.filter((name) => !names.includes(name)) } : {}),
  };
}

/** A Standard Schema that accepts everything and tells what is meant. */
interface Typed<Type> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Type; readonly output: Type } | undefined;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
  };
}

/** A parameter of the path or the query as its sender may write it; it comes as text. */
type Parameter<Described> = Described extends { readonly type: "boolean" }
  ? boolean | "true" | "false" | "1" | "0"
  : Described extends { readonly type: "integer" }
    ? number | `${number}`
    : string;

/**
 * Documents parameters of the path or the query without checking them: Elysia hands a Standard Schema's value
 * on, OpenAPI reads its JSON Schema.
 */
export function documented<const Properties extends Readonly<Record<string, JsonSchema>>>(
  properties: Properties,
): Typed<{ [Name in keyof Properties]?: Parameter<Properties[Name]> }> {
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

/** For routes of acts: what is sent again with the same key is done once. */
export const repeatable = {
  headers: documented({
    "Idempotency-Key": {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description:
        "Your own name for this request, such as a UUID: sent again with it within a day, it is done once and answered the same",
    },
  }),
} as const;

/** Calls the tool for who sent the request; says on the answer when it is that of a request before. */
export async function callTool(
  { calls, passages }: Surface,
  request: Request,
  call: { readonly tool: Tool; readonly args: unknown },
): Promise<{ readonly result: unknown; readonly headers: Readonly<Record<string, string>> }> {
  const { caller, id: requestId } = passages.known(request);
  let headers: Readonly<Record<string, string>> = {};
  const repeated = () => {
    headers = { "idempotency-replayed": "true" };
  };
  const key = request.method === "POST" ? idempotencyKey(request) : undefined;
  const result = await calls.run(call.tool, call.args, { caller, requestId, key, repeated });
  return { result, headers };
}

/** Calls a tool and answers its result, streamed when it may be large. */
export async function answer(
  surface: Surface,
  request: Request,
  tool: Tool,
  args: unknown,
): Promise<Response> {
  const { result, headers } = await callTool(surface, request, { tool, args });
  return toResponse(surface, tool, result, headers);
}

export function toResponse(
  surface: Surface,
  tool: Tool,
  result: unknown,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  if (!(result instanceof JsonDocument)) return Response.json(result, { headers });
  return documentResponse(result, (thrown) => {
    const error = asCairnError(thrown);
    surface.log.error("an answer broke off", { tool: tool.name, code: error.code, error });
  });
}
