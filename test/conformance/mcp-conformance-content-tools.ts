/**
 * Tools of the MCP conformance suite that return content: every content type, progress, logging, an error, an
 * interrupted stream.
 */
import { setTimeout as pause } from "node:timers/promises";
import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { PIXEL, SILENCE } from "./mcp-conformance-media.ts";

/** Pause between two messages in milliseconds. It lets the client receive them separately. */
const MESSAGE_PAUSE = 50;
const noArguments = z.object({});

export const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });
const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };

function registerContentTypes(server: McpServer): void {
  const answers: Readonly<Record<string, CallToolResult>> = {
    test_simple_text: text("This is a simple text response for testing."),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
    test_embedded_resource: {
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    },
    test_multiple_content_types: {
      content: [
        { type: "text", text: "Multiple content types test:" },
        image,
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description: "Answers always the same" }, () => answer);
  }
  server.registerTool("test_error_handling", { description: "Fails always" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

async function report({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` };
  await mcpReq.notify({ method: "notifications/progress", params });
}

function registerStreams(server: McpServer): void {
  server.registerTool(
    "test_tool_with_logging",
    { description: "Logs three lines", inputSchema: noArguments },
    async (_, { mcpReq }) => {
      for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", line);
        await pause(MESSAGE_PAUSE);
      }
      return text("Tool with logging executed successfully");
    },
  );
  server.registerTool(
    "test_logging_tool",
    { description: "Logs a line", inputSchema: noArguments },
    async (_, { mcpReq }) => {
      await mcpReq.log("info", "A line");
      return text("Logged");
    },
  );
  server.registerTool(
    "test_tool_with_progress",
    { description: "Tells its progress", inputSchema: noArguments },
    async (_, context) => {
      for (const progress of [0, 50, 100]) {
        await report(context, progress);
        await pause(MESSAGE_PAUSE);
      }
      return text("Tool with progress executed successfully");
    },
  );
  server.registerTool(
    "test_reconnection",
    { description: "Breaks its stream off and answers on the next", inputSchema: noArguments },
    async (_, { http }) => {
      http?.closeSSE?.();
      await pause(2 * MESSAGE_PAUSE);
      return text("Reconnection test completed successfully.");
    },
  );
}

function registerSchemas(server: McpServer): void {
  server.registerTool(
    "json_schema_2020_12_tool",
    {
      description: "Tool with JSON Schema 2020-12 features",
      inputSchema: fromJsonSchema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: {
            $anchor: "addressDef",
            type: "object",
            properties: { street: { type: "string" }, city: { type: "string" } },
          },
        },
        properties: {
          name: { type: "string" },
          address: { $ref: "#/$defs/address" },
          contactMethod: { type: "string", enum: ["phone", "email"] },
          phone: { type: "string" },
          email: { type: "string" },
        },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
      }),
    },
    () => text("Valid"),
  );
  server.registerTool(
    "test_x_mcp_header",
    {
      description: "Takes an argument that stands in a header, too",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }).optional() }),
    },
    ({ region }) => text(`Region: ${region ?? "none"}`),
  );
}

function registerChanges(server: McpServer, bus: ServerEventBus): void {
  server.registerTool("test_trigger_tool_change", { description: "Says that tools changed" }, () => {
    bus.publish({ kind: "tools_list_changed" });
    return text("Sent");
  });
  server.registerTool("test_trigger_prompt_change", { description: "Says that prompts changed" }, () => {
    bus.publish({ kind: "prompts_list_changed" });
    return text("Sent");
  });
}

export function registerContentTools(server: McpServer, bus: ServerEventBus): void {
  registerContentTypes(server);
  registerStreams(server);
  registerSchemas(server);
  registerChanges(server, bus);
}
