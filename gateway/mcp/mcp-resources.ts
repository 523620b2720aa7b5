/**
 * Resources that MCP clients can read: sessions, explorations, screens of maps, and the complete schemas of
 * tools. Each resource is the result of a tool under a URI.
 */
import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { asCairnError } from "../../machines/errors.ts";
import { actionCatalogue } from "../../machines/session/actions/action-catalogue.ts";
import type { Cairn } from "../actor-system-interface.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import { mcpLimits } from "./mcp-limits.ts";

type Source = Pick<Surface, "system" | "registry">;

const mimeType = "application/json";

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: "cairn://sessions/{room}",
    name: "session",
    description: "The browser of a room: URL, title, tabs, scroll position",
    mimeType,
  },
  {
    uriTemplate: "cairn://explorations/{job}",
    name: "exploration",
    description: "The status of an exploration",
    mimeType,
  },
  {
    uriTemplate: "cairn://knowledge/{id}/screens/{screen}",
    name: "screen",
    description: "A screen of a map, with its actions",
    mimeType,
  },
  {
    uriTemplate: "cairn://tools/{name}",
    name: "tool",
    description: "A tool with its whole schemas, which the list shortens",
    mimeType,
  },
];

const ACTIONS = "cairn://actions";

const actionsResource: Resource = {
  uri: ACTIONS,
  name: "actions",
  description: "The actions of execute_action with all their parameters and examples",
  mimeType,
};

function toolOf(registry: ToolRegistry, name: string): unknown {
  const { description, inputSchema, outputSchema, annotations } = registry.get(name);
  return { name, description, inputSchema, outputSchema, annotations };
}

/** Returns a function that reads the resource of a URI; `undefined` if the URI is not one of Cairn's. */
function readerOf(
  uri: string,
  registry: ToolRegistry,
): ((cairn: () => Promise<Cairn>) => Promise<unknown>) | undefined {
  if (uri === ACTIONS) return async () => ({ actions: actionCatalogue() });
  const parts = /^cairn:\/\/([^?#]+)$/.exec(uri)?.[1]?.split("/").map(decodeURIComponent) ?? [];
  const [kind, id = "", inner, screen = ""] = parts;
  if (id === "") return undefined;
  if (parts.length === 2) {
    if (kind === "sessions") return async (cairn) => (await cairn()).sessions.context(id);
    if (kind === "explorations") return async (cairn) => (await cairn()).explorations.status(id);
    if (kind === "tools") return async () => toolOf(registry, id);
  }
  if (kind !== "knowledge" || inner !== "screens" || parts.length !== 4) return undefined;
  const query = { instruction_type: "get_actions", target: screen, context: {} } as const;
  return async (cairn) => (await cairn()).knowledge.ask(id, query);
}

/** Reads a resource. Throws `ResourceNotFoundError`. */
export async function readResource({ system, registry }: Source, uri: string): Promise<ReadResourceResult> {
  let read: ReturnType<typeof readerOf>;
  try {
    read = readerOf(uri, registry);
  } catch {
    read = undefined; // The URI contains an invalid percent escape, so it names no resource.
  }
  if (read === undefined) throw new ResourceNotFoundError(uri);
  try {
    const answer = await read(() => system.available());
    return { contents: [{ uri, mimeType, text: JSON.stringify(answer) }] };
  } catch (thrown) {
    const error = asCairnError(thrown);
    if (error.status === 404 || error.status === 422) throw new ResourceNotFoundError(uri, error.message);
    throw thrown;
  }
}

/**
 * Lists the resource that describes all browser actions, and the newest explorations. Sessions are not
 * listed, because their names are chosen by callers. Screens are not listed, because there are too many.
 */
export async function listResources({ system }: Source): Promise<readonly Resource[]> {
  const { jobs } = await (await system.available()).explorations.list();
  const explorations = jobs.slice(0, mcpLimits.listedResources).map(({ job_id, status }) => ({
    uri: `cairn://explorations/${encodeURIComponent(job_id)}`,
    name: `exploration ${job_id}`,
    description: status,
    mimeType,
  }));
  return [actionsResource, ...explorations];
}
