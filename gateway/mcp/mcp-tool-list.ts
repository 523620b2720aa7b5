/**
 * The list of tools for MCP clients. It is short, because a model pays for every word of it in each turn.
 * Unlisted tools can be called too, and the resource `cairn://tools/{name}` contains the complete schemas of
 * any tool.
 */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { BriefForm, JsonSchema, Tool, ToolAnnotations } from "../tools/define-tool.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { ToolSet } from "../tools/tool-sets.ts";
import { withDetail } from "./mcp-detail-argument.ts";
import { briefSchema } from "./mcp-input-schemas.ts";

/**
 * Returns which arguments of the tool the short form hides, and which arguments it requires. It hides `session_id`,
 * because this is an alias of `room_name`, and requires `room_name` instead.
 */
function briefForm({ inputSchema, brief }: Tool): BriefForm {
  const { hidden = [], needed = [] } = brief;
  const { properties } = inputSchema;
  const hasRoom = typeof properties === "object" && properties !== null && "session_id" in properties;
  return {
    ...brief,
    hidden: [...hidden, "session_id"],
    needed: hasRoom ? ["room_name", ...needed] : needed,
  };
}

/**
 * Returns the hints of a tool that differ from MCP's defaults. By the MCP specification, only `openWorldHint`
 * has a meaning for a read-only tool.
 */
function hints({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations) {
  if (readOnlyHint) return { readOnlyHint, ...(openWorldHint ? {} : { openWorldHint }) };
  return {
    ...(destructiveHint ? {} : { destructiveHint }),
    ...(idempotentHint ? { idempotentHint } : {}),
    ...(openWorldHint ? {} : { openWorldHint }),
  };
}

// The cast is safe: a test checks that the input of every tool is an object schema.
const objectSchema = (schema: JsonSchema) => schema as ListedTool["inputSchema"];

function listed(tool: Tool, brief: boolean): ListedTool {
  const { name, description, annotations } = tool;
  const { instead = `${description.replace(/\.$/, "")}.`, use } = tool.advice;
  return {
    name,
    description: use === undefined ? instead : `${instead} ${use}`,
    inputSchema: objectSchema(
      withDetail(tool, brief ? briefSchema(tool.inputSchema, briefForm(tool)) : tool.inputSchema),
    ),
    annotations: brief ? hints(annotations) : annotations,
  };
}

/** Returns the tools of the chosen sets. They have shortened schemas, unless the set `all` is chosen. */
export function toolList(registry: ToolRegistry, chosen: readonly ToolSet[]): readonly ListedTool[] {
  return registry.chosen(chosen).map((tool) => listed(tool, !chosen.includes("all")));
}
