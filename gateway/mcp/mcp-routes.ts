/**
 * `/mcp`: Cairn's tools by the Model Context Protocol; `/mcp-conformance` where its conformance suite is to run.
 *
 * The body is left to the protocol's own reader, which bounds it and answers in the protocol's own errors.
 */
import {
  InMemoryServerEventBus,
  type McpServerFactory,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { Elysia } from "elysia";
import type { Config } from "../config.ts";
import type { Surface } from "../context.ts";
import { hidden } from "../security/route-scopes.ts";
import { cairnServer } from "./cairn-server.ts";
import { conformanceServer } from "./conformance/server.ts";
import { McpEndpoint } from "./endpoint.ts";

/** Not to be parsed by the framework, nor told in OpenAPI: the protocol describes itself. */
const raw = { parse: "none", ...hidden("read") } as const;

export function mcpRoutes(surface: Surface, config: Pick<Config, "tools" | "mcpConformance">) {
  function endpoint(factory: (bus: ServerEventBus) => McpServerFactory): McpEndpoint {
    const bus = new InMemoryServerEventBus();
    const made = new McpEndpoint(factory(bus), bus, surface);
    surface.sockets.beforeEnd(() => made.close());
    return made;
  }

  const product = endpoint(() => cairnServer(surface, config.tools));
  const routes = new Elysia({ name: "mcp" }).all(
    "/mcp",
    ({ request }) => product.handle(request, surface.requests.authenticated(request)),
    raw,
  );
  if (!config.mcpConformance) return routes;
  const fixtures = endpoint(conformanceServer);
  return routes.all(
    "/mcp-conformance",
    ({ request }) => fixtures.handle(request, surface.requests.authenticated(request)),
    raw,
  );
}
