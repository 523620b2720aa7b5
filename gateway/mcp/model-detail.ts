/**
 * The argument `detail` of tools that return text lines to models: `records` returns the complete result as
 * JSON. It exists only over MCP, unless the tool defines it for all interfaces.
 */
import { Refused } from "../../machines/errors.ts";
import type { JsonSchema, Tool } from "../tools/define-tool.ts";

const DETAIL = "detail";
const DETAILS = ["lines", "records"];

type Properties = Readonly<Record<string, unknown>>;

function propertiesOf({ properties }: JsonSchema): Properties {
  // The cast is safe: `properties` of a JSON schema is an object of schemas.
  return (properties ?? {}) as Properties;
}

function hasOwn(tool: Pick<Tool, "inputSchema">): boolean {
  return Object.hasOwn(propertiesOf(tool.inputSchema), DETAIL);
}

/** Adds the argument `detail` to an input schema of the MCP list. */
export function withDetail(tool: Tool, schema: JsonSchema): JsonSchema {
  if (!tool.hasModelText || hasOwn(tool)) return schema;
  return { ...schema, properties: { ...propertiesOf(schema), [DETAIL]: { enum: DETAILS } } };
}

interface Detailed {
  /** The arguments without `detail`, unless the tool itself defines it. */
  readonly args: unknown;
  /** Whether the complete result is requested. */
  readonly records: boolean;
}

export function takeDetail(tool: Tool, args: unknown): Detailed {
  if (!tool.hasModelText || typeof args !== "object" || args === null) return { args, records: false };
  const { [DETAIL]: detail = "lines", ...rest }: { readonly detail?: unknown } = args;
  // A tool that defines `detail` itself also leaves out what text lines do not need.
  if (hasOwn(tool)) return { args: { ...rest, detail }, records: detail === "records" };
  if (typeof detail !== "string" || !DETAILS.includes(detail))
    throw new Refused("request.invalid", `detail is one of ${DETAILS.join(", ")}.`, { status: 422 });
  return { args: rest, records: detail === "records" };
}
