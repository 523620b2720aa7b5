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
  /** Its first clause is the heading. */
  readonly summary: string;
  readonly tag: Tag;
  /** Scope that the caller's key must have; `open`: no key is required. */
  readonly scope: RouteScope;
  readonly body?: Schema<Body>;
  readonly answer: Schema<Answer>;
  /** An answer as an example. */
  readonly example?: unknown;
  /** Media type of the response; default JSON. */
  readonly answerType?: string;
  readonly errors: readonly Status[];
  /** The body of the status 503, where it is not an error but the answer. */
  readonly unready?: JsonSchema;
}

/** A JSON Schema with the type that it describes. */
export type Schema<Type> = JsonSchema & { readonly "~type"?: Type };

/** The schema of a request body, before defaults are applied. */
export function inputSchemaOf<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return jsonSchema(schema, "input");
}

/** The schema of a response body. */
export function outputSchemaOf<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return jsonSchema(schema, "output");
}

/**
 * The part of an Elysia route besides path and handler: its documentation, and the types of its body and its
 * responses for typed clients.
 */
interface Operation<Body, Answer, Status extends number> {
  readonly detail: DocumentDecoration;
  readonly body: Typed<Body>;
  /** 422 is always listed: otherwise Elysia adds the error shape of its own validation, which Cairn does not use. */
  readonly response: { readonly 200: Typed<Answer> } & {
    readonly [Failed in Status | 422 | 429]: Typed<Failure>;
  };
}

/** The documentation of a route. */
export function operation<Answer, const Status extends number, Body = unknown>({
  operationId,
  summary,
  tag,
  scope,
  body,
  answer,
  example,
  answerType = "application/json",
  errors,
  unready,
}: OperationOptions<Body, Answer, Status>): Operation<Body, Answer, Status> {
  const bodySchema: JsonSchema | undefined = body;
  const resultSchema: JsonSchema = answer;
  const heading = /^.*?(?=[:;.,] | \(|$)/.exec(summary)?.[0] ?? summary;
  const detail: DocumentDecoration = {
    operationId,
    summary: heading,
    ...(heading === summary ? {} : { description: summary }),
    tags: [tag],
    ...scopeMark(scope),
    // Overrides the security requirement of the document.
    ...(scope === "open" ? { security: [] } : {}),
    ...(bodySchema
      ? { requestBody: { required: true, content: { "application/json": { schema: bodySchema } } } }
      : {}),
    responses: {
      "200": {
        description: "Done",
        content: {
          [answerType]: { schema: resultSchema, ...(example === undefined ? {} : { example }) },
        },
      },
      // Every caller with a key is rate-limited.
      ...failureReferences(scope === "open" ? errors : [...new Set([...errors, 429])]),
      ...(unready
        ? { "503": { description: "Not ready", content: { [answerType]: { schema: unready } } } }
        : {}),
    },
  };
  // Bodies and responses exist as types only. As values, they would make Elysia validate them and respond
  // with its own errors.
  return { detail } as Operation<Body, Answer, Status>;
}

/** A Standard Schema that accepts every value and carries a type. */
interface Typed<Type> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Type; readonly output: Type } | undefined;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
  };
}

/** A path or query parameter as its sender may write it. It arrives as text. */
type Parameter<Described> = Described extends { readonly type: "boolean" }
  ? boolean | "true" | "false" | "1" | "0"
  : Described extends { readonly type: "integer" }
    ? number | `${number}`
    : string;

/**
 * Documents path or query parameters without checking them: Elysia passes the value on, and OpenAPI reads the
 * JSON Schema.
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

/** For routes that change something: a request with the same key runs once. */
export const repeatable = {
  headers: documented({
    "Idempotency-Key": {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description:
        "A name of your choice for this request, such as a UUID. A request with the same key within a day runs once and gets the same response",
    },
  }),
} as const;
