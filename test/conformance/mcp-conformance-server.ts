/**
 * An MCP server with the tools, prompts and resources that the MCP conformance suite requires. The suite
 * defines their names and texts.
 */
import {
  completable,
  createRequestStateCodec,
  McpServer,
  type McpServerFactory,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { registerContentTools } from "./mcp-conformance-content-tools.ts";
import { registerInputTools } from "./mcp-conformance-input-tools.ts";
import { registerResources } from "./mcp-conformance-resources.ts";

/**
 * The key that signs the state of a request. The client returns the state with its next request, and must not
 * change it.
 */
const key = crypto.getRandomValues(new Uint8Array(32));

function registerPrompts(server: McpServer): void {
  const user = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } });
  server.registerPrompt("test_simple_prompt", { description: "A prompt" }, () => ({
    messages: [user("This is a simple prompt for testing.")],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "A prompt with arguments",
      argsSchema: z.object({
        arg1: completable(z.string().describe("First"), (given) =>
          ["paris", "park", "party"].filter((each) => each.startsWith(given)),
        ),
        arg2: z.string().describe("Second"),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
}

/** @param bus publishes changes of resources to the clients that subscribe to them */
export function conformanceServer(bus: ServerEventBus): McpServerFactory {
  const codec = createRequestStateCodec<{ readonly round: number }>({ key });
  return () => {
    const server = new McpServer(
      { name: "cairn-conformance", version: "1" },
      {
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          logging: {},
          completions: {},
        },
        requestState: { verify: codec.verify },
      },
    );
    registerContentTools(server, bus);
    registerResources(server);
    registerPrompts(server);
    registerInputTools(server, codec);
    return server;
  };
}
