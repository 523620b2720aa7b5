/**
 * Defines a tool once: REST routes, OpenAPI, the MCP list, the plain calls and the tool sets are generated from it.
 *
 * Arguments are checked here and nowhere else, so every surface refuses the same arguments with the same message.
 */
import { z } from "zod";
import { type CairnError, Defect, type ErrorBody, Refused } from "../../machines/errors.ts";
import type { Cairn } from "../actor-system.ts";
import type { Scope } from "../security/key-scope.ts";
import { JsonDocument } from "./json-document.ts";
import type { FormAnswer, PersonForm } from "./person-form.ts";
import type { ToolSetMembership } from "./tool-sets.ts";

/** Hints as defined by the Model Context Protocol. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the tool reaches beyond Cairn, into the web. */
  readonly openWorldHint: boolean;
}

/** What a surface passes to a call besides its arguments. */
export interface Call {
  /** Aborting it ends the caller's wait, not the work that was started. */
  readonly signal?: AbortSignal | undefined;
  /** Reports progress to a caller that asked for it. */
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
  /** Actors that remember command ids run two calls with the same id once. */
  readonly commandId?: string | undefined;
  /**
   * Puts a form to the person behind the client, where the client can do that. It may end the call, which the
   * client then repeats with the answer.
   */
  readonly askPerson?: ((form: PersonForm) => Promise<FormAnswer>) | undefined;
  /** Id of the queue job that the call comes from. */
  readonly jobId?: string | undefined;
}

/** Words for models, which pay for each of them in every turn. */
interface Advice {
  /** Replaces `description` in the MCP list. */
  readonly instead?: string;
  /** When to use the tool, and what to do when it fails; follows the description. */
  readonly use?: string;
}

/** The brief input schema of the MCP list. `session_id` is always hidden, and `room_name` required in its place. */
export interface BriefForm {
  /** Properties that the brief schema leaves out: aliases, and those that only programs send. */
  readonly hidden?: readonly string[];
  /** Properties that are required once their aliases are hidden. */
  readonly needed?: readonly string[];
}

/** The tags of the OpenAPI document. */
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
  /** `:name` stands for an argument of the tool. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: Tag;
  /** Statuses that it may fail with, besides 401, 403, 429, 500 and 503, and 400, 413 and 422 of every body. */
  readonly errors?: readonly number[];
  /** Arguments that come in the query string. */
  readonly query?: readonly string[];
  /** Arguments that the documented body leaves out. */
  readonly undocumented?: readonly string[];
}

/** A tool's routes: one, several, or none. */
type HttpRoutes = HttpRoute | readonly HttpRoute[];

/** Reads raw arguments, since a refused call is recorded as well. */
export type AuditSubject = (args: Readonly<Record<string, unknown>>) => string | undefined;

interface ToolDefinition<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Http extends HttpRoutes = readonly [],
> {
  readonly name: string;
  /** Scope that the caller's key must have. */
  readonly scope: Scope;
  /** The scope of a call whose arguments ask for more than the tool usually does. */
  readonly scopeOf?: (input: z.output<Input>) => Scope;
  /** For people: the OpenAPI summary, and the MCP description where `advice` has no other. */
  readonly description: string;
  readonly advice?: Advice;
  /** Sets of `CAIRN_TOOLS` that list the tool. `operator`: only its route calls it; agents cannot. */
  readonly sets: ToolSetMembership;
  readonly brief?: BriefForm;
  readonly http?: Http;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** The subject in the audit log, as `kind/name`; needed if no argument such as `job_id` names it (`audit-note.ts`). */
  readonly subject?: AuditSubject;
  /** Arguments of the protocol specification that this version refuses with `not_supported`. */
  readonly unsupported?: readonly string[];
  /** Returns a `JsonDocument` where the output may be of any size. */
  readonly handle: (
    cairn: Cairn,
    input: z.output<Input>,
    call: Call,
  ) => Promise<z.input<Output> | JsonDocument>;
  /**
   * The text that a model receives over MCP in place of the result; `undefined`: the whole result. With such a text
   * the tool takes `detail: "records"` over MCP.
   */
  readonly forModel?: (output: z.input<Output>) => string | undefined;
  /** Error codes that stay errors even if `failure` is defined: the tool has not started. */
  readonly neverRan?: readonly string[];
  /**
   * The specification's own shape of a failed call, for `POST /mcp/tools/call`. Without it, the error is returned.
   */
  readonly failure?: (error: ErrorBody) => z.input<Output>;
}

/** Arguments that a tool's `check` has parsed; only its `run` reads them. */
export interface CheckedArguments {
  readonly parsed: unknown;
}

/** A defined tool. The types of its input and output exist at compile time only, for typed clients. */
export interface Tool<Input = unknown, Output = unknown, Http extends HttpRoutes = HttpRoutes> {
  readonly "~types"?: { readonly input: Input; readonly output: Output; readonly http: Http };
  readonly name: string;
  readonly scope: Scope;
  /** The scope that a call with these arguments needs. */
  scopeOf(args: CheckedArguments): Scope;
  readonly description: string;
  readonly advice: Advice;
  readonly sets: ToolSetMembership;
  readonly brief: BriefForm;
  readonly routes: readonly HttpRoute[];
  readonly annotations: ToolAnnotations;
  readonly subject: AuditSubject;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** Parses the arguments. Throws `request.invalid` or `not_supported` (422). */
  check(args: unknown): CheckedArguments;
  run(cairn: Cairn, args: CheckedArguments, call?: Call): Promise<unknown>;
  /** Whether models receive a text in place of the result. */
  readonly hasModelText: boolean;
  /** The text for a model; `undefined`: the whole result. */
  modelText(output: unknown): string | undefined;
  /** The result of a failed call in the tool's own shape; throws the error where the tool has no such shape. */
  failure(error: CairnError, body: ErrorBody): unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Without `$schema`: OpenAPI 3.1 and tool lists imply the dialect. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

/** An issue of zod, in words of a caller: a missing argument "is needed". */
function issueOf({ path: names, code, message }: z.core.$ZodIssue) {
  const path = names.map(String).join(".");
  const isMissing = code === "invalid_type" && message.endsWith("received undefined");
  return { path, message: isMissing && path !== "" ? `${path} is needed` : message };
}

/** The parsed arguments. Throws `request.invalid` (422) that names every issue, or `not_supported` (422). */
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
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  const issues = result.error.issues.map(issueOf);
  const first = issues[0];
  const where = first?.path && !first.message.startsWith(first.path) ? `${first.path}: ` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  throw new Refused("request.invalid", `The arguments are not valid. ${where}${first?.message}${more}`, {
    status: 422,
    details: { issues },
  });
}

/** A result that does not match the output schema is a defect. Fields beyond the schema are allowed. */
function assertOutput(tool: string, output: z.ZodType, result: unknown): void {
  const { error } = output.safeParse(result);
  if (error)
    throw new Defect("tool.bad_result", `${tool} returned a result that its schema does not allow`, {
      cause: error,
    });
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
  return {
    name,
    scope,
    // `check` has parsed the arguments.
    scopeOf: ({ parsed }) => definition.scopeOf?.(parsed as z.output<Input>) ?? scope,
    description,
    advice,
    sets,
    brief,
    routes: "path" in http ? [http] : http,
    annotations,
    subject,
    inputSchema: jsonSchema(input, "input"),
    outputSchema: jsonSchema(output, "output"),
    check: (args) => ({ parsed: parseArguments(input, args, unsupported) }),
    async run(cairn, { parsed }, call = {}) {
      // The input schema of this tool has parsed the arguments.
      const result = await handle(cairn, parsed as z.output<Input>, call);
      if (!(result instanceof JsonDocument)) assertOutput(name, output, result);
      return result;
    },
    hasModelText: forModel !== undefined,
    // `run` has checked it, or the tool has written it as a document.
    modelText: (result) => forModel?.(result as z.input<Output>),
    failure(error, body) {
      if (failure === undefined || neverRan?.includes(error.code)) throw error;
      return failure(body);
    },
  };
}
