/**
 * Generates the REST routes of all tools from their definitions. A route collects arguments from the path,
 * the query and the body, and calls the tool. `ToolRoutes` converts the same definitions to types for
 * clients.
 */
import { type CreateEden, Elysia } from "elysia";
import { asCairnError, Refused } from "../../machines/errors.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import type { HttpRoute, JsonSchema, Tool } from "../tools/define-tool.ts";
import { idempotencyKey } from "../tools/idempotent-tool-calls.ts";
import type { allTools } from "../tools/index.ts";
import { JsonDocument } from "../tools/streamed-json-document.ts";
import type { Failure } from "./error-response.ts";
import { documented, operation, repeatable } from "./openapi-operation.ts";
import { resultReference } from "./openapi-result-schemas.ts";
import { resultExamples } from "./openapi-tool-result-examples.ts";
import { readJson } from "./request-body.ts";
import { documentResponse } from "./response-stream.ts";

/**
 * Calls the tool for the sender of the request. If the result comes from an earlier call, the header
 * `idempotency-replayed` is set.
 */
export async function callTool(
  { calls, requests }: Surface,
  { request, set }: { readonly request: Request; readonly set: ResponseSettings },
  { tool, args }: { readonly tool: Tool; readonly args: unknown },
): Promise<unknown> {
  const { caller, id: requestId } = requests.authenticated(request);
  const repeated = () => {
    set.headers["idempotency-replayed"] = "true";
  };
  const key = request.method === "POST" ? idempotencyKey(request) : undefined;
  return await calls.run(tool, args, { caller, requestId, key, repeated });
}

/** Headers and status of the response, which Elysia adds to the answer of a route. */
export interface ResponseSettings {
  readonly headers: Record<string, string | number>;
}

/**
 * Converts the result of a tool to the answer of a REST route: a streamed response for a `JsonDocument`, otherwise
 * JSON text. Text is fast, because Elysia only adds the headers in `set`. A `Response` would be slow, because
 * Elysia copies it to add headers, and streams the body of the copy.
 */
export function toAnswer(
  surface: Surface,
  tool: Tool,
  result: unknown,
  set: ResponseSettings,
): string | Promise<Response> {
  if (result instanceof JsonDocument) return streamedAnswer(surface, tool, result);
  set.headers["content-type"] = "application/json;charset=utf-8";
  return JSON.stringify(result);
}

export function streamedAnswer(surface: Surface, tool: Tool, result: JsonDocument): Promise<Response> {
  return documentResponse(result, (thrown) => {
    const error = asCairnError(thrown);
    surface.log.error("an answer broke off", { tool: tool.name, code: error.code, error });
  });
}

type Properties = Readonly<Record<string, JsonSchema>>;

function propertiesOf({ inputSchema }: Tool): Properties {
  // The cast is safe: a test checks that the input of every tool is an object schema.
  return (inputSchema.properties ?? {}) as Properties;
}

function pathArguments({ path }: HttpRoute): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/**
 * Whether the route reads a body: a POST or PUT route whose path does not contain all arguments of the tool.
 */
function hasBody(tool: Tool, route: HttpRoute): boolean {
  if (route.method !== "POST" && route.method !== "PUT") return false;
  const inPath = pathArguments(route);
  return tool.argumentNames.some((name) => !inPath.includes(name));
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/**
 * Converts a parameter from text to the type in its schema. A text that cannot be converted is passed on
 * unchanged, so that the tool refuses it.
 */
function fromText(value: unknown, { type }: JsonSchema): unknown {
  if (typeof value !== "string") return value;
  if (type === "boolean") return BOOLEANS[value.toLowerCase()] ?? value;
  if (type === "integer" && /^-?\d{1,15}$/.test(value)) return Number(value);
  return value;
}

/**
 * Returns a function that converts the named parameters of a request to arguments of the tool. The schemas of the
 * parameters are read at the first request, because most routes are never requested.
 */
function parametersOf(tool: Tool, names: readonly string[]) {
  let named: readonly (readonly [name: string, schema: JsonSchema])[] | undefined;
  return (given: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    named ??= names.map((name) => [name, propertiesOf(tool)[name] ?? {}]);
    const args: Record<string, unknown> = {};
    for (const [name, schema] of named)
      if (given[name] !== undefined) args[name] = fromText(given[name], schema);
    return args;
  };
}

interface Received {
  readonly request: Request;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Returns a function that collects the arguments of a call. It throws `request.invalid` (422) when the body
 * contradicts the path. What depends only on the route is computed once in advance, because some routes are requested
 * many times per second.
 */
function argumentsOf(tool: Tool, route: HttpRoute): (received: Received) => unknown {
  const ofPath = parametersOf(tool, pathArguments(route));
  const ofQuery = parametersOf(tool, route.query ?? []);
  if (!hasBody(tool, route)) return ({ params, query }) => ({ ...ofQuery(query), ...ofPath(params) });
  return async ({ request, params }) => {
    const inPath = ofPath(params);
    const body = await readJson(request, route.bodyBytes);
    // A body that is not an object is passed to the tool, which refuses it.
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    const given: Readonly<Record<string, unknown>> = { ...body };
    for (const [name, value] of Object.entries(inPath)) {
      if (given[name] === undefined || given[name] === value) continue;
      throw new Refused(
        "request.invalid",
        `The body's ${name} is not the one in the path. Leave it out of the body, or send the same.`,
        { status: 422, details: { issues: [{ path: name, message: "differs from the path" }] } },
      );
    }
    return { ...given, ...inPath };
  };
}

/**
 * For each type of parameter, such as `string`: the keywords of JSON Schema that its documentation keeps, besides
 * `type` and `description`. All other keywords are left out.
 */
const KEPT_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  boolean: ["default"],
  integer: ["minimum"],
  string: ["enum"],
};

function documentedParameters(tool: Tool, names: readonly string[], keywordsOf = KEPT_KEYWORDS): Properties {
  const schemas = propertiesOf(tool);
  return Object.fromEntries(
    names.map((name) => {
      const schema = schemas[name] ?? {};
      const keywords = ["type", "description", ...(keywordsOf[String(schema.type)] ?? [])];
      return [name, Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)))];
    }),
  );
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

/**
 * Error statuses that every call may have. `BODY_ERRORS` are further statuses for a route that reads a body.
 */
const CALL_ERRORS = [401, 403, 500, 503];
const BODY_ERRORS = [400, 413, 415, 422];

/**
 * Returns the options of an Elysia route: its documentation, and `parse: "none"` if the route reads its body
 * itself.
 */
function hookOf(tool: Tool, route: HttpRoute) {
  const { method, operationId, tag, errors = [], query, undocumented = [] } = route;
  const inPath = pathArguments(route);
  const body = hasBody(tool, route);
  return {
    ...(method === "POST" || method === "PUT" ? { parse: "none" } : {}),
    ...(method === "POST" && !tool.annotations.readOnlyHint ? repeatable : {}),
    ...(inPath.length > 0 ? { params: documented(() => documentedParameters(tool, inPath, {})) } : {}),
    ...(query ? { query: documented(() => documentedParameters(tool, query)) } : {}),
    ...operation({
      operationId,
      summary: tool.description,
      tag,
      scope: tool.scope,
      ...(body ? { body: () => withoutProperties(tool.inputSchema, [...inPath, ...undocumented]) } : {}),
      answer: () => resultReference(tool),
      example: resultExamples[tool.name],
      errors: [...errors, ...(body ? BODY_ERRORS : []), ...CALL_ERRORS],
    }),
  };
}

/** The arguments in a path, such as `"kind" | "id"` for `/api/actors/:kind/:id`. */
type PathArgument<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | PathArgument<More>
    : Rest
  : never;

/** The types in which a client may write a parameter of a path or query. */
type Parameter<Type> = unknown extends Type
  ? string | number
  : Type extends boolean
    ? boolean | "true" | "false" | "1" | "0"
    : Type extends number
      ? number | `${number}`
      : Type;

type Field<Type, Name extends PropertyKey> = Name extends keyof Type
  ? Exclude<Type[Name], undefined>
  : unknown;

type Without<Type, Names extends PropertyKey> = Type extends unknown ? Omit<Type, Names> : never;

type BodyOf<Input, Route extends HttpRoute> = Route["method"] extends "POST" | "PUT"
  ? [Exclude<keyof Input, PathArgument<Route["path"]>>] extends [never]
    ? unknown
    : Without<
        Input,
        | PathArgument<Route["path"]>
        | (Route extends { undocumented: readonly (infer Name extends string)[] } ? Name : never)
      >
  : unknown;

type QueryOf<Input, Route extends HttpRoute> = Route extends {
  query: readonly (infer Name extends string)[];
}
  ? { readonly [Each in Name]?: Parameter<Field<Input, Each>> }
  : unknown;

type FailureStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 504;

/** The type of a single route, as Eden (Elysia's typed client) expects it. */
type TypedRoute<Input, Output, Route> = Route extends HttpRoute
  ? CreateEden<
      Route["path"],
      {
        [Method in Lowercase<Route["method"]>]: {
          body: BodyOf<Input, Route>;
          params: { [Name in PathArgument<Route["path"]>]: string };
          query: QueryOf<Input, Route>;
          headers: Route["method"] extends "POST" ? { "Idempotency-Key"?: string } : unknown;
          response: { 200: Output } & { [Status in FailureStatus]: Failure };
        };
      }
    >
  : never;

type OneOf<Http> = Http extends readonly (infer Route)[] ? Route : Http;

type TypedRoutes<Defined> = Defined extends {
  readonly "~types"?: {
    readonly input: infer Input;
    readonly output: infer Output;
    readonly http: infer Http;
  };
}
  ? OneOf<Http> extends infer Route
    ? Route extends unknown
      ? TypedRoute<Input, Output, Route>
      : never
    : never
  : never;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The routes of all tools, as typed clients see them. */
type ToolRoutes = Intersection<TypedRoutes<(typeof allTools)[number]>> & {};

type Empty = Elysia;

export function toolRoutes(surface: Surface) {
  const app = new Elysia({ name: "tool-routes" });
  for (const tool of surface.registry.all) {
    for (const route of tool.routes) {
      const readArguments = argumentsOf(tool, route);
      app.route(
        route.method,
        route.path,
        async ({ request, params, query, set }) => {
          const args = await readArguments({ request, params, query });
          const result = await callTool(surface, { request, set }, { tool, args });
          return await toAnswer(surface, tool, result, set);
        },
        // The cast is needed: Elysia derives types of routes from literal paths, and these paths are
        // variables.
        hookOf(tool, route) as object,
      );
    }
  }
  return app as unknown as Elysia<
    "",
    Empty["~Singleton"],
    Empty["~Definitions"],
    Empty["~Metadata"],
    ToolRoutes,
    Empty["~Ephemeral"],
    Empty["~Volatile"]
  >;
}
