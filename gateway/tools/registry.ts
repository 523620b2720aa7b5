/**
 * The registry of tools: everything Cairn can do, once.
 *
 * A tool is a name, a description, zod schemas of what goes in and comes out, hints for agents and a handler
 * that asks the actors. `GET /mcp/tools`, `POST /mcp/tools/call`, the REST routes and OpenAPI are made from it;
 * arguments are checked here and nowhere else.
 */
import { z } from "zod";
import { type CairnError, Defect, type ErrorBody, Refused } from "../../machines/errors.ts";
import { JsonDocument } from "../rest/document.ts";
import type { Scope } from "../security/scope.ts";
import type { Cairn } from "../system.ts";

/** Hints in the sense of the Model Context Protocol. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond Cairn, into the web. */
  readonly openWorldHint: boolean;
}

/** What a surface adds to a call that may take its time. */
export interface Call {
  /** Ends the wait of the caller, not what was begun. */
  readonly signal?: AbortSignal | undefined;
  /** Tells a caller who asked for it how far it is. */
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
  /** The same call made again with it is done once, where that makes a difference. */
  readonly commandId?: string | undefined;
}

export interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  readonly name: string;
  /** What a key needs for it. */
  readonly scope: Scope;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** Arguments of the seeds that come with a later version, and are refused as `not_supported` until then. */
  readonly unsupported?: readonly string[];
  /** A `JsonDocument` in place of the output when it may be of any size. */
  readonly handle: (
    cairn: Cairn,
    input: z.output<Input>,
    call: Call,
  ) => Promise<z.input<Output> | JsonDocument>;
  /** Codes of failures that are told as errors whatever `failure` says: nothing was tried. */
  readonly neverRan?: readonly string[];
  /** The seed's own shape of a failure, for `POST /mcp/tools/call`; without it the error body is answered. */
  readonly failure?: (error: ErrorBody) => z.input<Output>;
}

/** A tool with its types closed in: arguments are checked inside `run`. */
export interface Tool<Input = unknown, Output = unknown> {
  /** For the types of clients alone: there is no such value. */
  readonly "~types"?: { readonly input: Input; readonly output: Output };
  readonly name: string;
  readonly scope: Scope;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** The check alone: throws `request.invalid` or `not_supported` (422) as `run` would. */
  check(args: unknown): void;
  /** Checks the arguments, then asks. */
  run(cairn: Cairn, args: unknown, call?: Call): Promise<unknown>;
  failure(error: CairnError, body: ErrorBody): unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Without `$schema`: inside OpenAPI 3.1 and tool lists the dialect is known. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function issuePath(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

/** The checked arguments, or `request.invalid` (422) that names every issue. */
export function checked<S extends z.ZodType>(
  schema: S,
  args: unknown,
  unsupported: readonly string[] = [],
): z.output<S> {
  if (typeof args === "object" && args !== null) {
    const asked = unsupported.filter((name) => Object.hasOwn(args, name));
    if (asked.length > 0) {
      throw new Refused(
        "not_supported",
        `This version of Cairn does not have ${asked.map((name) => `"${name}"`).join(", ")} yet. Leave it out.`,
        { status: 422, details: { parameters: asked } },
      );
    }
  }
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: issuePath(path), message }));
  const first = issues[0];
  const where = first?.path ? `${first.path}: ` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  throw new Refused("request.invalid", `The arguments are not valid. ${where}${first?.message}${more}`, {
    status: 422,
    details: { issues },
  });
}

/** What is promised is what is answered: anything else is our own fault. Fields beyond the schema may be added. */
function assertShape(tool: string, output: z.ZodType, result: unknown): void {
  const { error } = output.safeParse(result);
  if (error)
    throw new Defect("tool.bad_result", `${tool} answered what its schema does not know`, { cause: error });
}

export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): Tool<z.input<Input>, z.input<Output>> {
  const { name, scope, description, annotations, input, output, unsupported, neverRan, handle, failure } =
    definition;
  return {
    name,
    scope,
    description,
    annotations,
    inputSchema: jsonSchema(input, "input"),
    outputSchema: jsonSchema(output, "output"),
    check: (args) => void checked(input, args, unsupported),
    async run(cairn, args, call = {}) {
      const result = await handle(cairn, checked(input, args, unsupported), call);
      if (!(result instanceof JsonDocument)) assertShape(name, output, result);
      return result;
    },
    failure(error, body) {
      if (failure === undefined || neverRan?.includes(error.code)) throw error;
      return failure(body);
    },
  };
}

/** Tools by name, in the order given. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) this.#tools.set(tool.name, tool);
  }

  list(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  /** The tool, or `tool.unknown` (404) that names those there are. */
  get(name: string): Tool {
    const tool = this.#tools.get(name);
    if (tool) return tool;
    throw new Refused(
      "tool.unknown",
      `There is no tool "${name.slice(0, 100)}". GET /mcp/tools lists them.`,
      {
        status: 404,
        details: { tools: [...this.#tools.keys()] },
      },
    );
  }
}
