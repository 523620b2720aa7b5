/**
 * The server that the conformance suite of the Model Context Protocol asks for: tools, prompts and resources of fixed
 * names, behind the very transport that serves Cairn.
 *
 * It does nothing and tells nothing of Cairn; `/mcp-conformance` is there only when it is asked for (`CAIRN_MCP_CONFORMANCE`).
 * The names and texts are the suite's. Neighbours: `contents.ts` has what answers, `questions.ts` what asks back.
 */
import {
  completable,
  createRequestStateCodec,
  McpServer,
  type McpServerFactory,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { registerContents } from "./contents.ts";
import { registerQuestions } from "./questions.ts";
import { registerResources } from "./resources.ts";

/** What comes back through a client is signed with it; one process serves every round. */
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

/** `bus`: where changes are published for the endpoint's subscribers. */
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
    registerContents(server, bus);
    registerResources(server);
    registerPrompts(server);
    registerQuestions(server, codec);
    return server;
  };
}
