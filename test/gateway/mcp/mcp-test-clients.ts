/**
 * MCP clients for tests: the official client of MCP's 2025 revision, connected to a gateway in memory or to a running
 * Cairn.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { TestGateway } from "../test-gateway.ts";

export interface TestClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
}

export async function connect(
  url: string,
  options: { readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response> } = {},
): Promise<TestClient> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), options);
  await client.connect(transport);
  return {
    client,
    transport,
    // The cast is safe: the library's type also permits an old form of result, which no server of MCP's 2025
    // revision sends.
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: { ...args } })) as CallToolResult,
  };
}

/** Returns the text of a tool's result. */
export function textOf({ content }: CallToolResult): string {
  const [part] = content;
  return part?.type === "text" ? part.text : "";
}

/** Connects an MCP client to a gateway in memory, without a network port. */
export function connectTo(gateway: TestGateway, path = "/mcp"): Promise<TestClient> {
  const url = `http://127.0.0.1:8000${path}`;
  return connect(url, {
    fetch: async (to, init) => {
      const headers = new Headers(init?.headers);
      headers.set("host", "127.0.0.1:8000");
      return gateway.app.handle(new Request(to, { ...init, headers }));
    },
  });
}
