/**
 * Defines a tool once: REST routes, OpenAPI, the list of MCP tools, calls by `POST /mcp/tools/call` and the
 * tool sets are generated from it. Arguments are checked only here, so every interface refuses the same arguments with the same
 * message.
 */
import { z } from "zod";
import { type CairnError, Defect, type ErrorBody, Refused } from "../../machines/errors.ts";
import { parseWithoutNulls } from "../../machines/parse-without-nulls.ts";
import type { Cairn } from "../actor-system-interface.ts";
import type { Scope } from "../security/api-key-scopes.ts";
import type { FormAnswer, PersonForm } from "./convert-dialogue-questions-to-form.ts";
import { JsonDocument } from "./streamed-json-document.ts";
import type { ToolSetMembership } from "./tool-sets.ts";

/** Hints about a tool, as the Model Context Protocol defines them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the tool accesses the web outside of Cairn. */
  readonly openWorldHint: boolean;
}

/** The values that an interface (REST, MCP, WebSocket) passes to a call in addition to the arguments. */
export interface Call {
  /** Aborting this signal ends only the caller's wait. The work that was started continues. */
  readonly signal?: AbortSignal | undefined;
  /** Reports the progress of a call; absent if the caller did not request this. */
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
  /** Id of the command. Actors remember command ids, so a second call with the same id does not run again. */
  readonly commandId?: string | undefined;
  /**
   * Asks the person behind the client by a form; `undefined` if the client cannot show forms. With some
   * clients, the call ends with the form as its result. The client then repeats the call with the person's
   * answer.
   */
  readonly askPerson?: ((form: PersonForm) => Promise<FormAnswer>) | undefined;
  /**
   * Set if the caller receives a text instead of the result. The function is called with the check of the result, and
   * runs this check after the answer was sent. Without the function, the check runs before the answer is sent.
   */
  readonly afterAnswer?: ((check: () => void) => void) | undefined;
  /** Id of the queue job that makes this call. */
  readonly jobId?: string | undefined;
}

/**
 * Additional text for models in the MCP list. It is short, because models pay for each word in every turn.
 */
interface Advice {
  /** A description for models, which replaces `description` in the MCP list. */
  readonly instead?: string;
  /**
   * A text that is added to the description in the MCP list: when to use the tool, and what to do if it
   * fails.
   */
  readonly use?: string;
}

/**
 * Settings for the shorter input schema of a tool in the MCP list. The shorter schema always requires `room_name`, and
 * omits its alias `session_id`.
 */
export interface BriefForm {
  /** Properties that the short schema omits: aliases, and properties that only programs send. */
  readonly hidden?: readonly string[];
  /** Properties that the short schema requires, because it omits their aliases. */
  readonly needed?: readonly string[];
  /**
   * For some properties, the short schema lists fewer values than the complete schema, for example no aliases. This
   * field contains the listed values, by the name of the property.
   */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** Tags by which the OpenAPI document groups its routes. */
export type Tag =
  | "Explorations"
  | "Knowledge"
  | "Sessions"
  | "Dialogues"
  | "Navigation"
  | "Tools"
  | "Operations"
  | "Service";

/** A REST route that calls the tool. */
export interface HttpRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path of the route. `:name` stands for an argument of the tool. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: Tag;
  /**
   * Error statuses of this route, in addition to those that all routes have. All routes may return 401, 403,
   * 429, 500 and 503, and routes with a body also 400, 413 and 422.
   */
  readonly errors?: readonly number[];
  /** Names of arguments that are sent in the query string. */
  readonly query?: readonly string[];
  /** Maximum size of the body in bytes; `gatewayLimits.bodyBytes` by default. */
  readonly bodyBytes?: number;
  /** Names of arguments in the body that OpenAPI does not document. */
  readonly undocumented?: readonly string[];
}

/** A tool may have one REST route, several or none. */
type HttpRoutes = HttpRoute | readonly HttpRoute[];

/**
 * Returns the object of a tool call, such as a session or a map, for the audit log. Calls with invalid
 * arguments are recorded too, so the arguments may have any type.
 */
export type AuditSubject = (args: Readonly<Record<string, unknown>>) => string | undefined;

interface ToolDefinition<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Http extends HttpRoutes = readonly [],
> {
  readonly name: string;
  /** The scope that the caller's key must have. */
  readonly scope: Scope;
  /** Returns the scope that a call with these arguments needs. Absent if every call needs `scope`. */
  readonly scopeOf?: (input: z.output<Input>) => Scope;
  /** Description for people: the OpenAPI summary, and the MCP description unless `advice` replaces it. */
  readonly description: string;
  readonly advice?: Advice;
  /** The tool sets that contain the tool, or `always`, or `operator` (see `ToolSetMembership`). */
  readonly sets: ToolSetMembership;
  readonly brief?: BriefForm;
  readonly http?: Http;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /**
   * Returns the object of a call, as `kind/name`, for the audit log. Most tools need no such function:
   * `audit-entry-of-call.ts` finds the object in arguments such as `job_id`.
   */
  readonly subject?: AuditSubject;
  /** Arguments of the protocol specification that this version refuses with `not_supported`. */
  readonly unsupported?: readonly string[];
  /** Executes the tool. A tool whose output may be very large returns it as a `JsonDocument`. */
  readonly handle: (
    cairn: Cairn,
    input: z.output<Input>,
    call: Call,
  ) => Promise<z.input<Output> | JsonDocument>;
  /**
   * Returns the text that a model receives over MCP instead of the result; `undefined` for the complete
   * result. For such a tool, `detail: "records"` requests the complete result.
   */
  readonly forModel?: (output: z.input<Output>) => string | undefined;
  /**
   * Codes of errors that occur before the tool starts. An error with such a code is returned unchanged, even
   * if `failure` could convert it.
   */
  readonly neverRan?: readonly string[];
  /**
   * Converts an error to the shape that the protocol specification defines for a failed call of this tool.
   * Used by `POST /mcp/tools/call`. If the tool has no such function, the error is returned unchanged.
   */
  readonly failure?: (error: ErrorBody) => z.input<Output>;
}

/**
 * The parsed arguments, which a tool's function `check` returns for the function `run` of the same tool. No
 * other code may read them.
 */
export interface CheckedArguments {
  readonly parsed: unknown;
}

/** A defined tool. The types of its input and output exist only at compile time, for typed clients. */
export interface Tool<Input = unknown, Output = unknown, Http extends HttpRoutes = HttpRoutes> {
  readonly "~types"?: { readonly input: Input; readonly output: Output; readonly http: Http };
  readonly name: string;
  readonly scope: Scope;
  /** Returns the scope that a call with these arguments needs. */
  scopeOf(args: CheckedArguments): Scope;
  readonly description: string;
  readonly advice: Advice;
  readonly sets: ToolSetMembership;
  readonly brief: BriefForm;
  readonly routes: readonly HttpRoute[];
  readonly annotations: ToolAnnotations;
  readonly subject: AuditSubject;
  /**
   * The JSON Schemas are generated when they are first read, because commands of the CLI do not need them.
   */
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** The names of the arguments. They are known without generating a JSON Schema. */
  readonly argumentNames: readonly string[];
  /** Parses the arguments. Throws `request.invalid` or `not_supported` (422). */
  check(args: unknown): CheckedArguments;
  run(cairn: Cairn, args: CheckedArguments, call?: Call): Promise<unknown>;
  /** Whether a model that calls the tool receives a text instead of the JSON of the result. */
  readonly hasModelText: boolean;
  /**
   * Returns the text that a model receives instead of the result's JSON; `undefined` if the model receives
   * the JSON.
   */
  modelText(output: unknown): string | undefined;
  /**
   * Converts a failed call to a result in the tool's own shape. Throws the error if the tool has no such
   * shape.
   */
  failure(error: CairnError, body: ErrorBody): unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema without `$schema`, because OpenAPI 3.1 and tool lists already define the dialect.
 */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

/**
 * Describes a validation problem for callers. If an argument is missing, the text says that it "is needed".
 */
function issueOf({ path: names, code, message }: z.core.$ZodIssue) {
  const path = names.map(String).join(".");
  const isMissing = code === "invalid_type" && message.endsWith("received undefined");
  return { path, message: isMissing && path !== "" ? `${path} is needed` : message };
}

/**
 * Parses the arguments. `null` counts as an absent field. Throws `request.invalid` (422), which lists every
 * problem, or `not_supported` (422).
 */
export function parseArguments<S extends z.ZodType>(
  schema: S,
  args: unknown,
  unsupported: readonly string[] = [],
): z.output<S> {
  if (typeof args === "object" && args !== null) {
    const given = unsupported.filter((name) => Object.hasOwn(args, name));
    if (given.length > 0) {
      throw new Refused(
        "not_supported",
        `This version of Cairn does not have ${given.map((name) => `"${name}"`).join(", ")} yet. Leave it out.`,
        { status: 422, details: { parameters: given } },
      );
    }
  }
  const result = parseWithoutNulls(schema, args);
  if (result.success) return result.data;
  const issues = result.error.issues.map(issueOf);
  const named = issues
    .slice(0, MOST_NAMED)
    .map(({ path, message }) => (path === "" || message.startsWith(path) ? message : `${path}: ${message}`));
  const more = issues.length > MOST_NAMED ? ` (and ${issues.length - MOST_NAMED} more)` : "";
  throw new Refused("request.invalid", `The arguments are not valid. ${named.join("; ")}${more}`, {
    status: 422,
    details: { issues },
  });
}

/**
 * Maximum number of problems that the message of an error names. The message of a failed job is stored
 * without the details, which would contain the other problems.
 */
const MOST_NAMED = 3;

/**
 * Returns a function that throws a `Defect` if a result does not match the output schema. Fields that the
 * schema does not list are allowed.
 *
 * The schema is compiled at the first result. The compiled check of an exploration's status takes 0.3 µs and
 * `safeParse` 2 to 12 µs, and compiling takes as long as the first `safeParse`.
 */
function outputCheck(tool: string, output: z.ZodType): (result: unknown) => void {
  let compiled: z.ZodType | undefined;
  return (result) => {
    compiled ??= z.compile(output);
    if (z.validate(compiled, result)) return;
    const { error } = output.safeParse(result);
    if (error)
      throw new Defect("tool.bad_result", `${tool} returned a result that its schema does not allow`, {
        cause: error,
      });
  };
}

export function defineTool<
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Http extends HttpRoutes = readonly [],
>(definition: ToolDefinition<Input, Output, Http>): Tool<z.input<Input>, z.input<Output>, Http> {
  const { name, scope, description, advice = {}, sets, brief = {}, annotations } = definition;
  const { subject = () => undefined, input, output, unsupported, neverRan, handle, failure } = definition;
  const { forModel } = definition;
  const http: HttpRoutes = definition.http ?? [];
  const assertOutput = outputCheck(name, output);
  let inputSchema: JsonSchema | undefined;
  let outputSchema: JsonSchema | undefined;
  return {
    name,
    scope,
    // The cast is safe: `check` has parsed the arguments.
    scopeOf: ({ parsed }) => definition.scopeOf?.(parsed as z.output<Input>) ?? scope,
    description,
    advice,
    sets,
    brief,
    routes: "path" in http ? [http] : http,
    annotations,
    subject,
    get inputSchema() {
      inputSchema ??= jsonSchema(input, "input");
      return inputSchema;
    },
    get outputSchema() {
      outputSchema ??= jsonSchema(output, "output");
      return outputSchema;
    },
    get argumentNames() {
      return Object.keys(input instanceof z.ZodObject ? input.shape : (this.inputSchema.properties ?? {}));
    },
    check: (args) => ({ parsed: parseArguments(input, args, unsupported) }),
    async run(cairn, { parsed }, call = {}) {
      // The cast is safe: the input schema of this tool has parsed the arguments.
      const result = await handle(cairn, parsed as z.output<Input>, call);
      if (result instanceof JsonDocument) return result;
      if (call.afterAnswer) call.afterAnswer(() => assertOutput(result));
      else assertOutput(result);
      return result;
    },
    hasModelText: forModel !== undefined,
    // The cast is safe: the result matches the output schema. Either `run` has checked it, or the tool has
    // built it as a `JsonDocument`.
    modelText: (result) => forModel?.(result as z.input<Output>),
    failure(error, body) {
      if (failure === undefined || neverRan?.includes(error.code)) throw error;
      return failure(body);
    },
  };
}
