/**
 * `/mcp`: Cairn's tools by the Model Context Protocol.
 *
 * The body is left to the protocol's own reader, which bounds it and answers in the protocol's own errors.
 */
import { Elysia } from "elysia";
import type { Surface } from "../rest/operation.ts";
import type { ToolSet } from "../tools/sets.ts";
import { cairnServer } from "./cairn-server.ts";
import { McpEndpoint } from "./endpoint.ts";

export function mcpRoutes(surface: Surface, chosen: readonly ToolSet[]) {
  const endpoint = new McpEndpoint(cairnServer(surface, chosen), surface.log);
  surface.sockets.beforeEnd(() => endpoint.close());
  return new Elysia({ name: "mcp" }).all("/mcp", ({ request }) => endpoint.handle(request), {
    parse: "none",
    detail: { hide: true },
  });
}
