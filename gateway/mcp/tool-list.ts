/**
 * Which tools are listed to clients of the Model Context Protocol, and in which words.
 *
 * A model pays for every word of the list in each of its turns, so by default it has the tools of the seeds and the few
 * that an agent cannot do without (`core`), with brief schemas; `CAIRN_TOOLS` chooses others. What is not listed can be
 * called all the same, and `cairn://tools/{name}` has the whole schema of each. Neighbours: `advice.ts` has the words
 * for models, `../tools/` the tools.
 */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { JsonSchema, Tool, ToolAnnotations, ToolRegistry } from "../tools/registry.ts";
import { seedTools, type ToolSet, toolSets } from "../tools/sets.ts";
import { advice } from "./advice.ts";
import { answerSchema, type Brevity, briefSchema } from "./loose-schema.ts";

/** What the brief form of a tool leaves out, and what it needs then. */
const BREVITY: Readonly<Record<string, Brevity>> = {
  start_browser_session: {
    hidden: [
      "fps",
      "livekit_url",
      "livekit_api_key",
      "livekit_api_secret",
      "livekit_token",
      "headers_host",
      "device_scale_factor",
      "is_mobile",
      "has_touch",
      "color_scheme",
      "reduced_motion",
      "geolocation",
      "user_agent",
      "http_auth",
      "headers",
      "proxy",
      "locale",
      "timezone",
    ],
  },
  start_knowledge_exploration: {
    hidden: ["mode", "login", "website_id", "sitemaps", "job_id"],
  },
  query_knowledge_for_agent: {
    hidden: ["query_type", "response"],
    needed: ["instruction_type", "target"],
  },
  analyze_page: { hidden: ["include_left_out", "overlay"] },
  click_element_by_index: { hidden: ["index", "id"], needed: ["highlightIndex"] },
  execute_action: { hidden: ["id"], needed: ["params"] },
  extract: { hidden: ["schema", "query"] },
};

/** The brief form of a tool's arguments: a room goes by its first name, which needs no words. */
function brevity(tool: Tool): Brevity {
  const { hidden = [], needed = [] } = BREVITY[tool.name] ?? {};
  const { properties } = tool.inputSchema;
  const ofRoom = typeof properties === "object" && properties !== null && "session_id" in properties;
  return { hidden: [...hidden, "session_id"], needed: ofRoom ? ["room_name", ...needed] : needed };
}

/** Only the hints that are not what a client supposes without them; of a reader nothing else counts. */
function hints({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations) {
  if (readOnlyHint) return { readOnlyHint, ...(openWorldHint ? {} : { openWorldHint }) };
  return {
    ...(destructiveHint ? {} : { destructiveHint }),
    ...(idempotentHint ? { idempotentHint } : {}),
    ...(openWorldHint ? {} : { openWorldHint }),
  };
}

// Both are `{ type: "object", … }`: tests hold every tool to it.
const objectSchema = (schema: JsonSchema) => schema as ListedTool["inputSchema"];

function listed(tool: Tool, brief: boolean): ListedTool {
  const { name, description, annotations } = tool;
  const { instead = `${description.replace(/\.$/, "")}.`, use } = advice[name] ?? {};
  return {
    name,
    description: use === undefined ? instead : `${instead} ${use}`,
    inputSchema: objectSchema(brief ? briefSchema(tool.inputSchema, brevity(tool)) : tool.inputSchema),
    outputSchema: objectSchema(answerSchema(tool.outputSchema)),
    annotations: brief ? hints(annotations) : annotations,
  };
}

/** The list for what was chosen: brief, unless it is `all`. */
export function toolList(registry: ToolRegistry, chosen: readonly ToolSet[]): readonly ListedTool[] {
  const all = chosen.includes("all");
  const names = new Set<string>(seedTools);
  for (const set of chosen) {
    if (set !== "all") for (const name of toolSets[set]) names.add(name);
  }
  return registry
    .list()
    .filter(({ name }) => all || names.has(name))
    .map((tool) => listed(tool, !all));
}
