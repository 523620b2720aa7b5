/**
 * MCP over standard input and output, for clients that start their servers as child processes. Standard
 * output carries only protocol messages.
 */
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { gatewayLimits } from "../gateway-limits.ts";
import type { Log } from "../log.ts";
import { LOCAL } from "../security/api-key-scopes.ts";
import type { ToolSet } from "../tools/tool-sets.ts";
import { StdioPageReads } from "./answer-page-reads-without-mcp-library.ts";
import { mcpLimits } from "./mcp-limits.ts";
import { cairnServer } from "./mcp-server.ts";
import { StdioBridge } from "./mcp-stdio-bridge.ts";
import { StdioListenStreams } from "./mcp-stdio-resource-updates.ts";
import type { McpSurface } from "./mcp-tool-call.ts";
import { withoutTakenLines } from "./stdio-lines-before-mcp-library.ts";

export interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
}

function transportOf({ input, output }: Pipes): StdioServerTransport {
  // The size limit of a message is twice the limit of a request body, because a message contains more than
  // the arguments of a call.
  return new StdioServerTransport(input, output, { maxBufferSize: 2 * gatewayLimits.bodyBytes });
}

/** Serves the Cairn of this process until the returned function is called. */
export function serveLocal(
  pipes: Pipes,
  surface: McpSurface,
  chosen: readonly ToolSet[],
): () => Promise<void> {
  const reads = new StdioPageReads(surface, LOCAL);
  const input = withoutTakenLines(pipes.input, (line) => reads.take(line));
  const transport = transportOf({ input, output: pipes.output });
  const factory = cairnServer(surface, () => chosen, LOCAL);
  const listening = new StdioListenStreams(surface.system);
  const serving = serveStdio(
    async (context) => {
      const server = await factory(context);
      if (context.era === "modern") listening.notifyThrough(server);
      return server;
    },
    {
      transport,
      maxSubscriptions: mcpLimits.listenStreams,
      onerror: (error) => surface.log.debug("a message of MCP failed", { reason: error.message }),
    },
  );
  listening.intercept(transport);
  reads.intercept(transport);
  return async () => {
    listening.close();
    reads.close();
    await serving.close();
    input.destroy();
  };
}

/**
 * Forwards MCP messages between the pipes (stdio) and the Cairn at `remote.url`, until the returned function is called.
 */
export async function serveRemote(
  pipes: Pipes,
  remote: {
    readonly url: string;
    readonly apiKey: string | undefined;
    /** The tool sets that the client chose. The default is the gateway's setting `CAIRN_TOOLS`. */
    readonly tools: readonly ToolSet[] | undefined;
  },
  log: Log,
): Promise<() => Promise<void>> {
  const transport = transportOf(pipes);
  const url = new URL("/mcp", remote.url);
  if (remote.tools) url.searchParams.set("tools", remote.tools.join());
  const bridge = new StdioBridge(transport, { url, apiKey: remote.apiKey, log });
  await transport.start();
  return async () => {
    await bridge.close();
    await transport.close();
  };
}
