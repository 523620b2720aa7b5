/** The route `/mcp`: Cairn's tools over MCP, by Streamable HTTP. */
import { Elysia } from "elysia";
import { Refused } from "../../machines/errors.ts";
import type { Config } from "../config.ts";
import { chosenTools } from "../config-value-schemas.ts";
import type { Surface } from "../gateway-parts-shared-by-interfaces.ts";
import { hidden } from "../security/http-route-scopes.ts";
import { type ToolSet, toolSetNames } from "../tools/tool-sets.ts";
import type { McpEndpoint } from "./mcp-http-endpoint.ts";

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

/** Loads the MCP library with the first request, because most runs of Cairn have no MCP client. */
async function startEndpoint(surface: Surface, config: Pick<Config, "tools">): Promise<McpEndpoint> {
  const [{ InMemoryServerEventBus }, { McpEndpoint }, { cairnServer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("./mcp-http-endpoint.ts"),
    import("./mcp-server.ts"),
  ]);
  const factory = cairnServer(surface, (request) => chosenBy(request, config.tools));
  return new McpEndpoint(factory, new InMemoryServerEventBus(), surface);
}

export function mcpRoutes(surface: Surface, config: Pick<Config, "tools">) {
  let started: Promise<McpEndpoint> | undefined;
  const endpoint = (): Promise<McpEndpoint> => {
    started ??= startEndpoint(surface, config);
    return started;
  };
  surface.sockets.beforeEnd(async () => (await started)?.close());
  return new Elysia({ name: "mcp" }).all(
    "/mcp",
    async ({ request, set }) => {
      chosenBy(request, config.tools); // Throws an error for an unknown tool set, before a server is created.
      return await textOfJson(
        await (await endpoint()).handle(request, surface.requests.authenticated(request)),
        set,
      );
    },
    // The MCP library reads the body and limits its size. The route is not part of OpenAPI, because MCP
    // describes itself.
    { parse: "none", ...hidden("read") },
  );
}
