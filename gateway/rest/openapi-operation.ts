/**
 * Describes routes in OpenAPI, and in the types of clients.
 *
 * Schemas are documentation only: a tool checks its arguments itself, so that REST and `POST /mcp/tools/call` refuse the
 * same arguments with the same message.
 */
import type { DocumentDecoration } from "elysia";
import type { z } from "zod";
import { type RouteScope, scopeMark } from "../security/route-scopes.ts";
import { type JsonSchema, jsonSchema, type Tag } from "../tools/define-tool.ts";
import { failureReferences } from "./error-components.ts";
import type { Failure } from "./error-response.ts";

interface OperationOptions<Body, Answer, Status extends number> {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: Tag;
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
export function inputSchemaOf<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return jsonSchema(schema, "input");
}

/** What is answered. */
export function outputSchemaOf<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
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
