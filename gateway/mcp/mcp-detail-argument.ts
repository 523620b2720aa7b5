/**
 * The argument `detail` of MCP calls. Some tools return short text lines to models. With `detail: "records"`,
 * such a tool returns its complete result as JSON instead.
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
  /** The arguments for the tool. `detail` is removed from them, unless the tool itself defines it. */
  readonly args: unknown;
  /** Whether the caller wants the complete result instead of short lines of text. */
  readonly records: boolean;
}

export function takeDetail(tool: Tool, args: unknown): Detailed {
  if (!tool.hasModelText || typeof args !== "object" || args === null) return { args, records: false };
  const { [DETAIL]: detail = "lines", ...rest }: { readonly detail?: unknown } = args;
  // This tool defines a parameter `detail` itself, so it receives the value. Only with `records` does the caller
  // receive the complete result, including data that the tool's text does not show.
  if (hasOwn(tool)) return { args: { ...rest, detail }, records: detail === "records" };
  if (typeof detail !== "string" || !DETAILS.includes(detail))
    throw new Refused("request.invalid", `detail is one of ${DETAILS.join(", ")}.`, { status: 422 });
  return { args: rest, records: detail === "records" };
}
