/** Resources of the MCP conformance suite, and prompts that contain them. */
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PIXEL } from "./mcp-conformance-media.ts";

export function registerResources(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "A text", mimeType: "text/plain" },
    ({ href }) => ({
      contents: [
        { uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." },
      ],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "Bytes", mimeType: "image/png" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "image/png", blob: PIXEL }] }),
  );
  server.registerResource(
    "watched",
    "test://watched-resource",
    { description: "One that is watched", mimeType: "text/plain" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "Watched resource content" }] }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "One of many", mimeType: "application/json" },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  // Subscriptions are accepted, but no event follows, because these sample resources never change.
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));

  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A prompt with a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A prompt with an image" }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: PIXEL, mimeType: "image/png" } },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ],
  }));
}
