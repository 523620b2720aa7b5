/**
 * The list of tools for clients of the Model Context Protocol, short because a model pays for every word in each turn.
 * Tools that are not listed can be called too; the resource `cairn://tools/{name}` has the whole schemas of each. No
 * output schema is listed, since a tool with one must return structured content.
 */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { BriefForm, JsonSchema, Tool, ToolAnnotations } from "../tools/define-tool.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { ToolSet } from "../tools/tool-sets.ts";
import { briefSchema } from "./listed-schema.ts";
import { withDetail } from "./model-detail.ts";

/** Hides `session_id`, the other name of a room, and requires `room_name` in its place. */
function briefForm({ inputSchema, brief: { hidden = [], needed = [] } }: Tool): BriefForm {
  const { properties } = inputSchema;
  const hasRoom = typeof properties === "object" && properties !== null && "session_id" in properties;
  return { hidden: [...hidden, "session_id"], needed: hasRoom ? ["room_name", ...needed] : needed };
}

/** Hints that differ from their MCP defaults. For a read-only tool only `openWorldHint` matters. */
function hints({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations) {
  if (readOnlyHint) return { readOnlyHint, ...(openWorldHint ? {} : { openWorldHint }) };
  return {
    ...(destructiveHint ? {} : { destructiveHint }),
    ...(idempotentHint ? { idempotentHint } : {}),
    ...(openWorldHint ? {} : { openWorldHint }),
  };
}

// The input of every tool is an object schema, which a test checks.
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

/** The tools of the chosen sets; with brief schemas unless `all` is chosen. */
export function toolList(registry: ToolRegistry, chosen: readonly ToolSet[]): readonly ListedTool[] {
  return registry.chosen(chosen).map((tool) => listed(tool, !chosen.includes("all")));
}
