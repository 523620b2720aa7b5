/** The route `/mcp`: Cairn's tools over MCP, by Streamable HTTP. */
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { Elysia } from "elysia";
import { Refused } from "../../machines/errors.ts";
import type { Config } from "../config.ts";
import { chosenTools } from "../config-value-schemas.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { type ToolSet, toolSetNames } from "../tools/tool-sets.ts";
import { McpEndpoint } from "./mcp-http-endpoint.ts";
import { cairnServer } from "./mcp-server.ts";

/** Status and headers of the response, which Elysia adds to the answer of a route. */
interface AnswerSettings {
  headers: Record<string, string | number>;
  status?: number | string;
}

/**
 * Returns the tool sets that a client chose by `/mcp?tools=…`, in the form of `CAIRN_TOOLS`. The default is the
 * gateway's setting.
 */
function chosenBy(request: Request | undefined, configured: readonly ToolSet[]): readonly ToolSet[] {
  const given = request === undefined ? null : new URL(request.url).searchParams.get("tools");
  if (given === null) return configured;
  const { data } = chosenTools.safeParse(given);
  if (data === undefined)
    throw new Refused("request.invalid", `tools is a list of sets: ${toolSetNames.join(", ")}.`, {
      status: 422,
    });
  return data;
}

/**
 * Returns the text of a JSON response, and copies its status and headers to `set`. Elysia sends a text directly,
 * but would copy a `Response`. A stream of events is returned unchanged.
 */
async function textOfJson(response: Response, set: AnswerSettings): Promise<string | Response> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
  for (const [name, value] of response.headers) set.headers[name] = value;
  set.status = response.status;
  return await response.text();
}

export function mcpRoutes(surface: Surface, config: Pick<Config, "tools">) {
  const factory = cairnServer(surface, (request) => chosenBy(request, config.tools));
  const endpoint = new McpEndpoint(factory, new InMemoryServerEventBus(), surface);
  surface.sockets.beforeEnd(() => endpoint.close());
  return new Elysia({ name: "mcp" }).all(
    "/mcp",
    async ({ request, set }) => {
      chosenBy(request, config.tools); // Throws an error for an unknown tool set, before a server is created.
      return await textOfJson(await endpoint.handle(request, surface.requests.authenticated(request)), set);
    },
    // The MCP library reads the body and limits its size. The route is not part of OpenAPI, because MCP
    // describes itself.
    { parse: "none", ...hidden("read") },
  );
}
