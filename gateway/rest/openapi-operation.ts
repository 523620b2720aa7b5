/**
 * Describes routes in OpenAPI and in the types of clients. The schemas are only documentation, because a tool
 * checks its arguments itself. So REST and `POST /mcp/tools/call` refuse the same arguments with the same
 * message.
 */
import type { DocumentDecoration } from "elysia";
import type { z } from "zod";
import { type RouteScope, scopeMark } from "../security/http-route-scopes.ts";
import { type JsonSchema, jsonSchema, type Tag } from "../tools/define-tool.ts";
import type { Failure } from "./error-response.ts";
import { failureReferences } from "./openapi-error-components.ts";

interface OperationOptions<Body, Answer, Status extends number> {
  readonly operationId: string;
  /**
   * One-line description of the route. The API pages use the part before the first comma or full stop as
   * heading.
   */
  readonly summary: string;
  readonly tag: Tag;
  /** The scope that the caller's key must have. The value `open` means that the route needs no key. */
  readonly scope: RouteScope;
  readonly body?: Schema<Body>;
  readonly answer: Schema<Answer>;
  /** An example of an answer of the route. */
  readonly example?: unknown;
  /** Media type of the response. The default is JSON. */
  readonly answerType?: string;
  readonly errors: readonly Status[];
  /**
   * Schema of the body with status 503. It is set for a route such as `/ready`, on which this status is a
   * normal answer and not an error.
   */
  readonly unready?: Schema<unknown>;
}

/**
 * A function that returns a JSON Schema, together with the TypeScript type that the schema describes. It is called
 * only when a client requests the OpenAPI document, because most runs of Cairn never serve it.
 */
export type Schema<Type> = (() => JsonSchema) & { readonly "~type"?: Type };

/** Returns the schema of a request body, before defaults are applied. */
export function inputSchemaOf<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return () => jsonSchema(schema, "input");
}

/** Returns the schema of a response body. */
export function outputSchemaOf<Type extends z.ZodType>(schema: Type): Schema<z.input<Type>> {
  return () => jsonSchema(schema, "output");
}

/** Returns a part of the documentation whose property `schema` is generated when it is first read. */
function withSchema(generate: () => JsonSchema): { readonly schema: JsonSchema } {
  let generated: JsonSchema | undefined;
  return {
    get schema() {
      generated ??= generate();
      return generated;
    },
  };
}

/** The documentation of an Elysia route, and the types of its body and responses for typed clients. */
interface Operation<Body, Answer, Status extends number> {
  readonly detail: DocumentDecoration;
  readonly body: Typed<Body>;
  /**
   * Every route documents status 422. Otherwise Elysia would document the error shape of its own validation,
   * which Cairn does not use.
   */
  readonly response: { readonly 200: Typed<Answer> } & {
    readonly [Failed in Status | 422 | 429]: Typed<Failure>;
  };
}

/** Builds the documentation of a route. */
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
  const heading = /^.*?(?=[:;.,] | \(|$)/.exec(summary)?.[0] ?? summary;
  const detail: DocumentDecoration = {
    operationId,
    summary: heading,
    ...(heading === summary ? {} : { description: summary }),
    tags: [tag],
    ...scopeMark(scope),
    // Without this empty list, the route would inherit the document's requirement of a key.
    ...(scope === "open" ? { security: [] } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": withSchema(body) } } } : {}),
    responses: {
      "200": {
        description: "Done",
        content: {
          [answerType]: Object.assign(withSchema(answer), example === undefined ? {} : { example }),
        },
      },
      // Status 429 is added to every route with a key, because every caller with a key is rate-limited.
      ...failureReferences(scope === "open" ? errors : [...new Set([...errors, 429])]),
      ...(unready
        ? { "503": { description: "Not ready", content: { [answerType]: withSchema(unready) } } }
        : {}),
    },
  };
  // The types of bodies and responses exist only at compile time, so the schemas accept every value. If they
  // were real schemas, Elysia would validate bodies itself and answer with its own errors.
  return { detail } as Operation<Body, Answer, Status>;
}

/**
 * A schema that exists only for its TypeScript type. At run time it accepts every value. Its format is
 * Standard Schema.
 */
interface Typed<Type> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Type; readonly output: Type } | undefined;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
  };
}

/**
 * The TypeScript type of a path or query parameter in a client. The client sends every value as text, so
 * texts such as `"true"` are allowed too.
 */
type Parameter<Described> = Described extends { readonly type: "boolean" }
  ? boolean | "true" | "false" | "1" | "0"
  : Described extends { readonly type: "integer" }
    ? number | `${number}`
    : string;

/**
 * Documents path or query parameters without validating them. OpenAPI uses the JSON Schema, and Elysia passes
 * the values on unchanged.
 */
export function documented<const Properties extends Readonly<Record<string, JsonSchema>>>(
  properties: Properties | (() => Properties),
): Typed<{ [Name in keyof Properties]?: Parameter<Properties[Name]> }> {
  const schema = () => ({
    type: "object",
    properties: typeof properties === "function" ? properties() : properties,
  });
  return {
    "~standard": {
      version: 1,
      vendor: "cairn",
      validate: (value) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}

/**
 * Documents the header `Idempotency-Key` of routes that change something. Requests with the same key run
 * once.
 */
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
