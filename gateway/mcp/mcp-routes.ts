/** `/mcp`: Cairn's tools over MCP, on Streamable HTTP. */
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import type { Surface } from "../context.ts";
import { hidden } from "../security/route-scopes.ts";
import { cairnServer } from "./cairn-server.ts";
import { McpEndpoint } from "./endpoint.ts";

export function mcpRoutes(surface: Surface, config: Pick<Config, "tools">) {
  const endpoint = new McpEndpoint(cairnServer(surface, config.tools), new InMemoryServerEventBus(), surface);
  surface.sockets.beforeEnd(() => endpoint.close());
  return new Elysia({ name: "mcp" }).all(
    "/mcp",
    ({ request }) => endpoint.handle(request, surface.requests.authenticated(request)),
    // The MCP library reads and bounds the body. OpenAPI leaves the route out, since MCP describes itself.
    { parse: "none", ...hidden("read") },
  );
}
