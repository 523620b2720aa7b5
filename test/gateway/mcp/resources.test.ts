/** Resources over the Model Context Protocol: templates, the list, what is read and what is not there. */
import { expect, test } from "bun:test";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { sessionTopic } from "../../../machines/session/events.ts";
import { testGateway } from "../test-gateway.ts";
import { connectTo } from "./client.ts";

test("sessions, explorations, screens and tools are read by their addresses", async () => {
  const { client, call } = await connectTo(testGateway());
  await call("start_browser_session", { room_name: "a room" });
  await call("start_knowledge_exploration", { start_url: "https://example.com", job_id: "one" });
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return JSON.parse(content && "text" in content ? String(content.text) : "null");
  };
  expect(await read("cairn://sessions/a%20room")).toMatchObject({ title: "Shop" });
  expect(await read("cairn://explorations/one")).toMatchObject({ job_id: "one", status: "queued" });
  expect(await read("cairn://knowledge/docs/screens/home")).toMatchObject({ success: expect.any(Boolean) });
  const tool = await read("cairn://tools/start_browser_session");
  expect(tool.inputSchema.properties).toHaveProperty("proxy");
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    "cairn://knowledge/{id}/screens/{screen}",
  );
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["cairn://explorations/one"]);
});

test("a connection is told when a session it subscribed to changes, and no more once it has left", async () => {
  const gateway = testGateway();
  const { client, transport } = await connectTo(gateway);
  const told = new Promise<string>((resolve) => {
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
  });
  await client.subscribeResource({ uri: "cairn://sessions/demo" });
  const topic = sessionTopic("demo");
  for (const take of gateway.cairn.watchers.get(topic) ?? []) take({ type: "page_navigation" });
  expect(await told).toBe("cairn://sessions/demo");
  expect(client.subscribeResource({ uri: "cairn://tools/screenshot" })).rejects.toMatchObject({
    code: -32_602,
  });
  await transport.terminateSession();
  expect(gateway.cairn.watchers.has(topic)).toBe(false);
});

test.each([
  "cairn://explorations/none",
  "cairn://sessions/none",
  "cairn://tools/dance",
  "cairn://sessions/%",
  "cairn://sessions",
  "file:///etc/passwd",
])("%s is not there", async (uri) => {
  const { client } = await connectTo(testGateway());
  expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
});
